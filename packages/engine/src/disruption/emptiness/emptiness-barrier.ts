import { isConditionTrue, parseDurationOrNever, type NodePool, type Pod } from '@nodewright/apis';
import { podName } from '../../pods/pod-state.ts';
import type { DisruptionCandidate } from '../candidates/candidate.ts';
import { isEmptyAt } from '../candidates/disruption-cost.ts';

/** Why a node that may be disrupted is not deleted as empty. */
export type EmptinessBarrier =
  /** Its pool has a fixed number of nodes. */
  | { readonly kind: 'static'; readonly nodePool: string }
  | { readonly kind: 'never'; readonly nodePool: string }
  /** It has the room that capacity buffers ask for. */
  | { readonly kind: 'bufferPods'; readonly count: number }
  /** Some of its pods need another place. */
  | { readonly kind: 'occupied'; readonly pods: readonly Pod[] }
  /** Pods came or went too short a time ago. */
  | { readonly kind: 'unquiet' };

/**
 * Why a node cannot be deleted as empty, whatever the `consolidationPolicy` of its pool.
 * @see https://karpenter.sh/docs/concepts/disruption/#consolidation
 */
export function emptinessBarrier(candidate: DisruptionCandidate): EmptinessBarrier | undefined {
  const { state, nodePool, reschedulable: pods } = candidate;
  const { name } = nodePool.metadata;
  if (nodePool.spec.replicas !== undefined) return { kind: 'static', nodePool: name };
  if (!isEmptyAt(candidate.rescheduleCost)) return { kind: 'occupied', pods };
  if (isEmptinessOff(nodePool)) return { kind: 'never', nodePool: name };
  const { bufferPods = 0, nodeClaim } = state;
  if (bufferPods > 0) return { kind: 'bufferPods', count: bufferPods };
  return nodeClaim !== undefined && isConditionTrue(nodeClaim, 'Consolidatable') ? undefined : { kind: 'unquiet' };
}

const isEmptinessOff = ({ spec }: NodePool): boolean =>
  parseDurationOrNever(spec.disruption?.consolidateAfter ?? '0s') === 'Never';

/** Whether an `Unconsolidatable` event reports it: a user could expect the removal of the node, and the barrier does not pass by itself. */
export const isLastingBarrier = ({ kind }: EmptinessBarrier): boolean => kind === 'never' || kind === 'bufferPods';

const mostPodsInBarrier = 5;

/** The barrier as one sentence without a full stop. */
export function printedEmptinessBarrier(barrier: EmptinessBarrier): string {
  switch (barrier.kind) {
    case 'static':
      return `NodePool ${barrier.nodePool} has a fixed number of nodes`;
    case 'never':
      return `NodePool ${barrier.nodePool} has consolidation disabled (consolidateAfter: Never)`;
    case 'bufferPods':
      return `capacity buffers hold room on it: ${barrier.count} units`;
    case 'occupied':
      return `pods need it: ${printedPodList(barrier.pods)}`;
    case 'unquiet':
      return 'pods have come or gone within consolidateAfter';
  }
}

function printedPodList(pods: readonly Pod[]): string {
  const more = pods.length - mostPodsInBarrier;
  return `${pods.map(podName).toSorted().slice(0, mostPodsInBarrier).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** The message of the event `Unconsolidatable`: the words of Karpenter first, then ours. */
export const printEmptinessEvent = (barrier: EmptinessBarrier): string =>
  barrier.kind === 'never'
    ? `NodePool "${barrier.nodePool}" has consolidation disabled: its consolidateAfter is Never`
    : printedEmptinessBarrier(barrier);
