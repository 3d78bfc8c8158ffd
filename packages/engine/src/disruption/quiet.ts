import { conditionOf, fromTimestamp, instant, parseDurationOrNever } from '@nodewright/apis';
import type { Instant, NodeClaim, NodePool } from '@nodewright/apis';

/**
 * When no pod will have come to a node or gone from it for its pool's `consolidateAfter`, as things are. Before the
 * first pod the time since initialization counts.
 * @returns `undefined` when that never is: the pool says so, or the node is not initialized
 */
export function quietAt(claim: NodeClaim | undefined, nodePool: NodePool): Instant | undefined {
  const quietFor = parseDurationOrNever(nodePool.spec.disruption?.consolidateAfter ?? '0s');
  const initialized = claim && conditionOf(claim, 'Initialized');
  if (quietFor === 'Never' || initialized?.status !== 'True') return undefined;
  const since = claim?.status?.lastPodEventTime ?? initialized.lastTransitionTime;
  return instant((since === undefined ? 0 : fromTimestamp(since)) + quietFor);
}
