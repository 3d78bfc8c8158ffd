import { conflictBetween, intersects } from '../requirements/compatibility.ts';
import { hasIntersection } from '../requirements/intersection.ts';
import type { Requirements } from '../requirements/requirements.ts';
import { takenPort } from './host-ports.ts';
import type { HostPort } from './host-ports.ts';
import { hasOffering } from './node-template.ts';
import type { TypeOption } from './node-template.ts';
import type { TypeCriterion } from './reasons.ts';
import { fits } from './resource-rows.ts';
import type { ResourceRow } from './resource-rows.ts';

export type NodeDemand = {
  readonly requirements: Requirements;
  /** All pods of the node together, without daemons. */
  readonly total: ResourceRow;
  readonly hostPorts: readonly HostPort[];
};

/**
 * The options that still suit a node after its demand has grown.
 * @param before requirements that all options are known to meet; only what changed since is looked at
 */
export function remainingOptions(
  options: readonly TypeOption[],
  before: Requirements,
  demand: NodeDemand,
): readonly TypeOption[] {
  const changed = new Map([...demand.requirements].filter(([key, r]) => before.get(key) !== r));
  const portsMatter = demand.hostPorts.length > 0;
  return options.filter(
    ({ type, daemons, available }) =>
      fits(demand.total, available) &&
      (changed.size === 0 || (meets(type.requirements, changed) && hasOffering(type, demand.requirements))) &&
      !(portsMatter && takenPort(demand.hostPorts, daemons.hostPorts) !== undefined),
  );
}

function meets(ofType: Requirements, changed: Requirements): boolean {
  for (const [key, r] of changed) {
    const own = ofType.get(key);
    if (own !== undefined && !hasIntersection(own, r)) return conflictBetween(ofType, changed) === undefined;
  }
  return true;
}

/**
 * Which criteria no option meets: a single one if that suffices, else the first pair that is
 * never met together, else all three.
 */
export function unmetCriteria(options: readonly TypeOption[], demand: NodeDemand): readonly TypeCriterion[] {
  const verdicts = options.map(({ type, available }) => ({
    requirements: intersects(demand.requirements, type.requirements),
    resources: fits(demand.total, available),
    offering: hasOffering(type, demand.requirements),
  }));
  const combinations: readonly (readonly TypeCriterion[])[] = [
    ['requirements'],
    ['resources'],
    ['offering'],
    ['requirements', 'resources'],
    ['resources', 'offering'],
    ['requirements', 'offering'],
  ];
  const never = combinations.find((criteria) => !verdicts.some((verdict) => criteria.every((each) => verdict[each])));
  return never ?? ['requirements', 'resources', 'offering'];
}
