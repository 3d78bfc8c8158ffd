import { toTimestamp } from '@nodewright/apis';
import { intersects } from '../requirements/compatibility.ts';
import type { Requirements } from '../requirements/requirements.ts';
import type { InstanceType, Offering } from './instance-type.ts';
import { cheapestPrice } from './type-table.ts';

/** Whether the requirements leave a way to buy the type, but none that is open now. */
export const isShort = (type: InstanceType, requirements: Requirements): boolean =>
  cheapestPrice(type, requirements) === Infinity &&
  type.offerings.some((each) => intersects(requirements, each.requirements));

const mostClauses = 3;

/**
 * Why none of the types can be bought now within the requirements, the most frequent cause first:
 * `out of capacity in a, b until 2024-06-01T12:03:00Z: allow other types`. `undefined` where nobody knows.
 */
export function printedShortage(types: readonly InstanceType[], requirements: Requirements): string | undefined {
  const byCause = new Map<string, Offering[]>();
  for (const offering of types.flatMap(({ offerings }) => offerings)) {
    const cause = offering.shortage?.cause;
    if (cause === undefined || offering.available || !intersects(requirements, offering.requirements)) continue;
    byCause.set(cause, [...(byCause.get(cause) ?? []), offering]);
  }
  if (byCause.size === 0) return undefined;
  return [...byCause]
    .toSorted(([a, some], [b, others]) => others.length - some.length || (a < b ? -1 : 1))
    .slice(0, mostClauses)
    .map(([cause, offerings]) => `${cause}${whereAndUntil(offerings)}${printedFix(offerings)}`)
    .join(', ');
}

/** What passes by itself is told with its zones and the soonest end. */
function whereAndUntil(offerings: readonly Offering[]): string {
  const ends = offerings.flatMap(({ shortage }) => shortage?.until ?? []);
  const [soonest] = ends.toSorted((a, b) => a - b);
  if (soonest === undefined) return '';
  const zones = [...new Set(offerings.map(({ zone }) => zone))].toSorted();
  return ` in ${zones.join(', ')} until ${toTimestamp(soonest)}`;
}

const printedFix = ([first]: readonly Offering[]): string =>
  first?.shortage?.fix === undefined ? '' : `: ${first.shortage.fix}`;
