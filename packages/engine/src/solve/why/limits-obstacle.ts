import { readOwn } from '@nodewright/apis';
import type { Requirements } from '@nodewright/requirements';
import type { BitSet } from '../bit-set.ts';
import type { Resources } from '../../instance-types/instance-type.ts';
import type { NodeTemplate } from '../nodes/node-template.ts';
import { printedAmount } from '../../instance-types/resources.ts';
import type { LimitsObstacle, LimitUsage } from '../reasons/obstacles.ts';

type FittingWithinLimits = { readonly types: BitSet; readonly requirements: Requirements };

/** The limits that the cheapest fitting type would exceed. */
export function limitsObstacle(
  { table }: NodeTemplate,
  usage: readonly LimitUsage[],
  { types, requirements }: FittingWithinLimits,
): LimitsObstacle | undefined {
  const [cheapest] = table.cheapestFirst(types, requirements, 1).options;
  if (cheapest === undefined) return undefined;
  const { name, capacity } = cheapest.type;
  const exceeded = usage
    .map((each) => ({ ...each, adds: each.resource === 'nodes' ? 1 : (readOwn(capacity, each.resource) ?? 0) }))
    .filter(({ used, adds, limit }) => used + adds > limit);
  return exceeded.length === 0 ? undefined : { kind: 'limits', instanceType: name, exceeded };
}

/** Raised limits under which the type can be launched. */
export const limitsToRaise = ({ exceeded }: LimitsObstacle): Resources =>
  Object.fromEntries(exceeded.map(({ resource, used, adds }) => [resource, used + adds]));

/** `limit of cpu 100: 96 in use or planned, and c6a.4xlarge, the cheapest type that fits, adds 16` */
export function printedLimits({ instanceType, exceeded }: LimitsObstacle): string {
  const limits = exceeded.map(
    ({ resource, limit, used }) =>
      `${resource} ${printedAmount(resource, limit)}, of which ${printedAmount(resource, used)} in use or planned`,
  );
  const added = exceeded.map(({ resource, adds }) => `${resource} ${printedAmount(resource, adds)}`);
  return `spec.limits: ${limits.join('; ')}; ${instanceType}, the cheapest type that fits, adds ${added.join(', ')}`;
}
