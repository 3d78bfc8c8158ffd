import { typeNamed } from '../catalogue/catalogue.ts';
import { spotPrice } from '../catalogue/spot-market.ts';
import type { PurchaseType } from './instance.ts';

/** Returns what a pool costs, in millionths of a dollar per hour. Unknown types cost Infinity. */
export function priceIn(pool: { instanceType: string; zone: string; capacityType: PurchaseType }): number {
  const type = typeNamed(pool.instanceType);
  if (type === undefined) return Infinity;
  return pool.capacityType === 'spot' ? spotPrice(type, pool.zone) : type.priceMicroUsdPerHour;
}
