import { earliest, toTimestamp, type Instant, byTextOf, byNumberOf, inOrder, inReverse } from '@nodewright/apis';
import { requirementsIntersect, type Requirements } from '@nodewright/requirements';
import type { InstanceType, Offering, Shortage } from '../../instance-types/instance-type.ts';
import { cheapestPrice } from '../types/type-table.ts';

/** Whether offerings of the type match the requirements, but none is available now. */
export const isOutOfStock = (type: InstanceType, requirements: Requirements): boolean =>
  cheapestPrice(type, requirements) === Infinity &&
  type.offerings.some((each) => requirementsIntersect(requirements, each.requirements));

const mostClauses = 3;

const shortageOf = ({ available, shortage, unpriced }: Offering): Shortage | undefined =>
  available ? undefined : (shortage ?? (unpriced === true ? { cause: 'no price is known' } : undefined));

/**
 * Why none of the types can be bought now within the requirements, the most frequent cause first:
 * `out of capacity in a, b until 2024-06-01T12:03:00Z: allow other types`. `undefined` where no cause is known.
 */
export function printedShortage(types: readonly InstanceType[], requirements: Requirements): string | undefined {
  const byCause = new Map<string, ShortOffering[]>();
  for (const short of shortOfferings(types, requirements)) {
    const { cause } = short.shortage;
    byCause.set(cause, [...(byCause.get(cause) ?? []), short]);
  }
  if (byCause.size === 0) return undefined;
  return [...byCause]
    .toSorted(
      inOrder(
        inReverse(byNumberOf(([, offerings]) => offerings.length)),
        byTextOf(([cause]) => cause),
      ),
    )
    .slice(0, mostClauses)
    .map(([cause, offerings]) => `${cause}${whereAndUntil(offerings)}${printedShortageFix(offerings)}`)
    .join(', ');
}

/** When the first of the types without capacity is tried again. */
export const endOfShortage = (types: readonly InstanceType[], requirements: Requirements): Instant | undefined =>
  soonestEnd([...shortOfferings(types, requirements)]);

type ShortOffering = { readonly zone: string; readonly shortage: Shortage };

function* shortOfferings(types: readonly InstanceType[], requirements: Requirements): Generator<ShortOffering> {
  for (const offering of types.flatMap(({ offerings }) => offerings)) {
    const shortage = shortageOf(offering);
    if (shortage !== undefined && requirementsIntersect(requirements, offering.requirements))
      yield { zone: offering.zone, shortage };
  }
}

const soonestEnd = (all: readonly ShortOffering[]): Instant | undefined =>
  earliest(...all.map(({ shortage }) => shortage.until));

/** Zones, and the soonest end of shortages that pass by themselves. */
function whereAndUntil(all: readonly ShortOffering[]): string {
  const soonest = soonestEnd(all);
  const isOfZone = soonest !== undefined || all.some(({ shortage }) => shortage.ofZone === true);
  const zones = [...new Set(all.map(({ zone }) => zone))].toSorted();
  return `${isOfZone ? ` in ${zones.join(', ')}` : ''}${soonest === undefined ? '' : ` until ${toTimestamp(soonest)}`}`;
}

const printedShortageFix = ([first]: readonly ShortOffering[]): string =>
  first?.shortage.fix === undefined ? '' : `: ${first.shortage.fix}`;
