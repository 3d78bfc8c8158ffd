import { conditionOf, type NodeClaim, type NodePool } from '@nodewright/apis';
import { isEqualDiffValue } from '../objects/merge-diff.ts';

/** Whether a change of a claim can matter to a disruption: how far it is with launching or draining, and how a condition is worded, cannot. */
export const isNewsOfClaim = (before: NodeClaim | undefined, after: NodeClaim | undefined): boolean =>
  before === undefined || after === undefined || !isEqualDiffValue(readOf(before), readOf(after));

const readOf = ({ metadata, status }: NodeClaim): unknown => ({
  isLeaving: metadata.deletionTimestamp !== undefined,
  annotations: metadata.annotations,
  labels: metadata.labels,
  providerID: status?.providerID,
  capacity: status?.capacity,
  conditions: (status?.conditions ?? [])
    .filter(({ type }) => matters.has(type))
    .map(({ type, status: is, reason }) => [type, is, reason]),
});

const matters: ReadonlySet<string> = new Set([
  'Initialized',
  'Drifted',
  'Consolidatable',
  'DisruptionReason',
  'InstanceTerminating',
]);

/** Whether a change of a pool can let a disruption begin: another spec, budgets among it, or whether it may be launched from. */
export const isNewsOfPool = (before: NodePool | undefined, after: NodePool | undefined): boolean =>
  before?.spec !== after?.spec || !isEqualDiffValue(before && readinessOf(before), after && readinessOf(after));

const readinessOf = (pool: NodePool): unknown => {
  const ready = conditionOf(pool, 'Ready');
  return [ready?.status, ready?.observedGeneration];
};
