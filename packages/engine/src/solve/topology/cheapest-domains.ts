import { byTextOf, byNumberOf, inOrder } from '@nodewright/apis';
import { requirementsIntersect, allowsValue, type Requirements } from '@nodewright/requirements';
import type { InstanceType } from '../../instance-types/instance-type.ts';

/** The part of an instance type that decides its domains and prices. */
export type DomainPricedType = Pick<InstanceType, 'requirements' | 'offerings' | 'capacity'>;

/**
 * Sorts the domains of a label by price: by the mean over all types available there of the
 * lowest price per core, then by name. Where no rule decides, nodes get the first domain.
 */
export function cheapestDomainsFirst(
  key: string,
  domains: readonly string[],
  { requirements, types }: { readonly requirements: Requirements; readonly types: readonly DomainPricedType[] },
): readonly string[] {
  const means = meanPrices(types, { key, domains, requirements });
  return domains
    .map((domain, index) => ({ domain, mean: means[index] ?? Infinity }))
    .toSorted(
      inOrder(
        byNumberOf(({ mean }) => mean),
        byTextOf(({ domain }) => domain),
      ),
    )
    .map(({ domain }) => domain);
}

type Places = { readonly key: string; readonly domains: readonly string[]; readonly requirements: Requirements };

/** The mean price of each domain; infinite where no type is available. */
function meanPrices(types: readonly DomainPricedType[], places: Places): readonly number[] {
  const { domains, requirements } = places;
  const sums = new Float64Array(domains.length);
  const counts = new Uint32Array(domains.length);
  const lowest = new Float64Array(domains.length);
  for (const type of types) {
    if (!requirementsIntersect(requirements, type.requirements)) continue;
    lowest.fill(Infinity);
    keepLowestPrices(type, places, lowest);
    const cores = Math.max(1, type.capacity['cpu'] ?? 0);
    for (let i = 0; i < lowest.length; i++) {
      const price = lowest[i] ?? Infinity;
      if (price === Infinity) continue;
      sums[i] = (sums[i] ?? 0) + price / cores;
      counts[i] = (counts[i] ?? 0) + 1;
    }
  }
  return domains.map((_, i) => (counts[i] === 0 ? Infinity : (sums[i] ?? 0) / (counts[i] ?? 1)));
}

/** Lowers the price of each domain to the price of the type there. */
function keepLowestPrices(type: DomainPricedType, { key, domains, requirements }: Places, lowest: Float64Array): void {
  for (const { available, priceMicroUsdPerHour: price, requirements: way } of type.offerings) {
    if (!available || !requirementsIntersect(requirements, way)) continue;
    const r = way.get(key) ?? type.requirements.get(key);
    for (let i = 0; i < domains.length; i++) {
      if (price < (lowest[i] ?? 0) && (r === undefined || allowsValue(r, domains[i] ?? ''))) lowest[i] = price;
    }
  }
}
