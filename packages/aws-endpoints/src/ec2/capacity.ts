import type { Instant } from '@nodewright/apis';
import type { Clock } from '@nodewright/runtime';
import { typeNamed } from '../catalogue/catalogue.ts';
import type { InstanceMarket } from '../catalogue/market.ts';
import { spotPriceTooLow } from './errors.ts';
import type { LaunchSettings, PurchaseType } from './instance.ts';
import type { Network } from './network.ts';

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

type SpotPricing = { readonly market: InstanceMarket; readonly clock: Clock; readonly network: Network };

/** Refuses a spot instance whose price is above the most that its launch pays. @throws AwsError */
export function checkSpotPrice(
  most: string | undefined,
  { instanceType, subnetId, capacityType }: Pick<LaunchSettings, 'instanceType' | 'subnetId' | 'capacityType'>,
  { market, clock, network }: SpotPricing,
): void {
  if (capacityType !== 'spot' || most === undefined) return;
  const zone = network.subnets.find(({ id }) => id === subnetId)?.zone ?? '';
  const price = priceIn({ instanceType, zone, capacityType }, { market, now: clock.now() }) / 1e6;
  if (Number(most) < price) throw spotPriceTooLow(most, price);
}
