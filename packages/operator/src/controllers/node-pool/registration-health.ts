import {
  conditionOf,
  conditionUnknown,
  nodePoolConditions,
  withCondition,
  type EC2NodeClass,
  type Instant,
  type NodePool,
} from '@nodewright/apis';

/** Whether what is known of the pool's launches was learnt under another spec of the pool or its class. */
export function isHealthOutdated(nodePool: NodePool, nodeClass: EC2NodeClass | undefined): boolean {
  if (nodeClass === undefined) return false;
  const known = conditionOf(nodePool, 'NodeRegistrationHealthy');
  return (
    known === undefined ||
    known.observedGeneration !== nodePool.metadata.generation ||
    nodePool.status?.nodeClassObservedGeneration !== nodeClass.metadata.generation
  );
}

/** `after` without any knowledge of how launches end, when what `before` says of that is outdated. */
export function withCurrentHealth(
  after: NodePool,
  {
    before,
    nodeClass,
    now,
  }: { readonly before: NodePool; readonly nodeClass: EC2NodeClass | undefined; readonly now: Instant },
): NodePool {
  if (!isHealthOutdated(before, nodeClass)) return after;
  const generation = nodeClass?.metadata.generation;
  const status = { ...after.status, ...(generation === undefined ? {} : { nodeClassObservedGeneration: generation }) };
  return withCondition(nodePoolConditions, { ...after, status }, conditionUnknown('NodeRegistrationHealthy'), now);
}
