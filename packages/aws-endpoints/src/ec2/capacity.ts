import type { Instant } from '@nodewright/apis';
import { typeNamed } from '../catalogue/catalogue.ts';
import type { InstanceMarket } from '../catalogue/market.ts';
import type { PurchaseType } from './instance.ts';

/** Returns what a pool costs now, in millionths of a dollar per hour. Unknown types cost Infinity. */
export function priceIn(
  pool: { instanceType: string; zone: string; capacityType: PurchaseType },
  { market, now }: { readonly market: InstanceMarket; readonly now: Instant },
): number {
  const type = typeNamed(pool.instanceType);
  if (type === undefined) return Infinity;
  if (pool.capacityType === 'on-demand') return type.priceMicroUsdPerHour;
  return market.spotQuotes(type, pool.zone, { from: now, to: now })[0]?.microUsdPerHour ?? Infinity;
}
