import { intersects } from '../../requirements/compatibility.ts';
import { allows } from '../../requirements/requirement.ts';
import type { Requirements } from '../../requirements/requirements.ts';
import type { InstanceType } from '../instance-type.ts';

/** What is looked at of an instance type. */
export type PricedType = Pick<InstanceType, 'requirements' | 'offerings' | 'capacity'>;

/**
 * Domains of a label, those first in which nodes are cheapest: by the mean over all types that can be had there of the
 * lowest price for a core, then by name. Where no rule tells one domain from another, nodes come to be in the first.
 */
export function cheapestDomainsFirst(
  key: string,
  domains: readonly string[],
  { requirements, types }: { readonly requirements: Requirements; readonly types: readonly PricedType[] },
): readonly string[] {
  const offered = types.filter((type) => intersects(requirements, type.requirements));
  const cost = new Map(domains.map((domain) => [domain, meanPrice(offered, { key, domain, requirements })]));
  const of = (domain: string): number => cost.get(domain) ?? Infinity;
  return domains.toSorted((a, b) => (of(a) === of(b) ? (a < b ? -1 : 1) : of(a) - of(b)));
}

type Place = { readonly key: string; readonly domain: string; readonly requirements: Requirements };

function meanPrice(types: readonly PricedType[], place: Place): number {
  let [sum, count] = [0, 0];
  for (const type of types) {
    const price = lowestPrice(type, place);
    if (price === Infinity) continue;
    sum += price / Math.max(1, type.capacity['cpu'] ?? 0);
    count += 1;
  }
  return count === 0 ? Infinity : sum / count;
}

function lowestPrice({ requirements: ofType, offerings }: PricedType, { key, domain, requirements }: Place): number {
  let lowest = Infinity;
  for (const { available, priceMicroUsdPerHour, requirements: way } of offerings) {
    if (!available || priceMicroUsdPerHour >= lowest) continue;
    const r = way.get(key) ?? ofType.get(key);
    if ((r === undefined || allows(r, domain)) && intersects(requirements, way)) lowest = priceMicroUsdPerHour;
  }
  return lowest;
}
