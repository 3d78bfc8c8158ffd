import { byTextOf, readOwn, byNumberOf, inOrder } from '@nodewright/apis';
import { conflictBetween, requirementFor, printRequirement, type Requirements } from '@nodewright/requirements';
import type { InstanceType, Offering } from '../../instance-types/instance-type.ts';
import { templateRequirements } from '../nodes/node-template.ts';
import { resourcesThrough } from '../../instance-types/offering-overrides.ts';
import type { NewNode } from '../problem.ts';
import { toResourceList } from '../../instance-types/resources.ts';
import { cheapestPrice } from '../types/type-table.ts';

/** Instance types that cost less than a new node, and the constraint that excludes all of them. */
export type CheaperTypes = {
  /** `memory 6Gi`, `karpenter.sh/capacity-type In [on-demand]`. */
  readonly constraint: string;
  /** Where the constraint comes from. */
  readonly of: 'NodePool' | 'pods';
  readonly types: number;
  /** Name of the cheapest of these types. */
  readonly cheapest: string;
  readonly priceMicroUsdPerHour: number;
};

/**
 * Why cheaper instance types were not chosen for a new node: a list of constraints, the one that
 * excludes the cheapest types first. Of several constraints on one type the first counts: labels by
 * name, resources by name, then offerings.
 * @param supply all types of its NodePool
 */
export function whyNotCheaper(node: NewNode, supply: readonly InstanceType[]): readonly CheaperTypes[] {
  const price = Math.min(...node.instanceTypes.map((type) => cheapestPrice(type, node.requirements)));
  const byConstraint = new Map<string, CheaperTypes>();
  for (const type of supply.toSorted(byTextOf(({ name }) => name))) {
    const offering = cheapestOffering(type);
    if (offering === undefined || offering.priceMicroUsdPerHour >= price) continue;
    const why = obstacleTo(type, offering, node);
    const known = byConstraint.get(why.constraint);
    const own = { ...why, cheapest: type.name, priceMicroUsdPerHour: offering.priceMicroUsdPerHour };
    const cheapest = known === undefined || own.priceMicroUsdPerHour < known.priceMicroUsdPerHour ? own : known;
    byConstraint.set(why.constraint, { ...cheapest, types: (known?.types ?? 0) + 1 });
  }
  return [...byConstraint.values()].toSorted(
    inOrder(
      byNumberOf(({ priceMicroUsdPerHour }) => priceMicroUsdPerHour),
      byTextOf(({ constraint }) => constraint),
    ),
  );
}

function cheapestOffering({ offerings }: InstanceType): Offering | undefined {
  return offerings
    .filter(({ available }) => available)
    .reduce<Offering | undefined>(
      (best, each) => (best === undefined || each.priceMicroUsdPerHour < best.priceMicroUsdPerHour ? each : best),
      undefined,
    );
}

type CostConstraint = Pick<CheaperTypes, 'constraint' | 'of'>;

function obstacleTo(type: InstanceType, offering: Offering, node: NewNode): CostConstraint {
  return (
    labelObstacle(type.requirements, node) ??
    resourceObstacle(resourcesThrough(type, offering), node) ??
    labelObstacle(offering.requirements, node) ?? { constraint: 'limits, volumes, host ports or daemons', of: 'pods' }
  );
}

function labelObstacle(labels: Requirements, { requirements, nodePool }: NewNode): CostConstraint | undefined {
  const conflict = conflictBetween(requirements, labels);
  if (conflict === undefined) return undefined;
  const own = templateRequirements(nodePool);
  const ofPool = own.has(conflict.key)
    ? conflictBetween(new Map([[conflict.key, requirementFor(own, conflict.key)]]), labels)
    : undefined;
  const asked = requirementFor(ofPool === undefined ? requirements : own, conflict.key);
  return { constraint: printRequirement(asked), of: ofPool === undefined ? 'pods' : 'NodePool' };
}

function resourceObstacle(
  { allocatable }: Pick<InstanceType, 'allocatable'>,
  { requests }: NewNode,
): CostConstraint | undefined {
  const names = Object.keys(requests).toSorted();
  const name = names.find((each) => (readOwn(requests, each) ?? 0) > (readOwn(allocatable, each) ?? 0));
  if (name === undefined) return undefined;
  const amount = readOwn(toResourceList({ [name]: readOwn(requests, name) ?? 0 }), name) ?? '';
  return { constraint: `${name} ${amount}`, of: 'pods' };
}
