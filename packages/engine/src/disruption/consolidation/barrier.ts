import {
  isConditionTrue,
  karpenterLabels,
  kubernetesLabels,
  parseDurationOrNever,
  type NodePool,
} from '@nodewright/apis';
import { boughtLabelsOf } from '../../cluster/node-state.ts';
import type { DisruptionCandidate } from '../candidates/candidate.ts';
import { isEmptyAt } from '../candidates/disruption-cost.ts';

/** Why a node that may be disrupted is no matter for consolidation. */
export type ConsolidationBarrier =
  /** Its pool has a fixed number of nodes. */
  | { readonly kind: 'static'; readonly nodePool: string }
  /** Its price is not known, so no replacement can be known to be cheaper. */
  | { readonly kind: 'unknownInstanceType'; readonly instanceType: string }
  | { readonly kind: 'missingLabel'; readonly label: string }
  | { readonly kind: 'never'; readonly nodePool: string }
  /** Emptiness takes it. */
  | { readonly kind: 'empty' }
  | { readonly kind: 'onlyWhenEmpty'; readonly nodePool: string }
  /** Pods came or went too short a time ago. */
  | { readonly kind: 'unquiet' };

/**
 * Why a node cannot be consolidated with its pods, whatever the other nodes are.
 * @see https://karpenter.sh/docs/concepts/disruption/#consolidation
 */
export function consolidationBarrier(candidate: DisruptionCandidate): ConsolidationBarrier | undefined {
  const { state, nodePool, capacityType, zone } = candidate;
  const { name } = nodePool.metadata;
  if (nodePool.spec.replicas !== undefined) return { kind: 'static', nodePool: name };
  if (candidate.instanceType === undefined) {
    return { kind: 'unknownInstanceType', instanceType: boughtLabelsOf(state)[kubernetesLabels.instanceType] ?? '' };
  }
  if (capacityType === undefined) return { kind: 'missingLabel', label: karpenterLabels.capacityType };
  if (zone === undefined) return { kind: 'missingLabel', label: kubernetesLabels.zone };
  if (isConsolidationOff(nodePool)) return { kind: 'never', nodePool: name };
  if (isEmptyAt(candidate.rescheduleCost)) return { kind: 'empty' };
  if (nodePool.spec.disruption?.consolidationPolicy === 'WhenEmpty') return { kind: 'onlyWhenEmpty', nodePool: name };
  const isQuiet = state.nodeClaim !== undefined && isConditionTrue(state.nodeClaim, 'Consolidatable');
  return isQuiet ? undefined : { kind: 'unquiet' };
}

const isConsolidationOff = ({ spec }: NodePool): boolean =>
  parseDurationOrNever(spec.disruption?.consolidateAfter ?? '0s') === 'Never';

/** Whether an `Unconsolidatable` event reports it. Barriers of other methods and passing ones are not reported. */
export const isBarrierReported = ({ kind }: ConsolidationBarrier): boolean =>
  kind !== 'static' && kind !== 'empty' && kind !== 'unquiet';

/** The barrier as one sentence without a full stop. */
export function printedBarrier(barrier: ConsolidationBarrier): string {
  switch (barrier.kind) {
    case 'static':
      return `NodePool ${barrier.nodePool} has a fixed number of nodes`;
    case 'unknownInstanceType':
      return `its price is not known: no instance type "${barrier.instanceType}" is on offer to its NodePool`;
    case 'missingLabel':
      return `its price is not known: the node has no label ${barrier.label}`;
    case 'never':
      return `NodePool ${barrier.nodePool} has consolidation disabled (consolidateAfter: Never)`;
    case 'empty':
      return 'no pod on it needs another place';
    case 'onlyWhenEmpty':
      return `NodePool ${barrier.nodePool} has non-empty consolidation disabled (consolidationPolicy: WhenEmpty)`;
    case 'unquiet':
      return 'pods have come or gone within consolidateAfter';
  }
}

/** The message of the event `Unconsolidatable`: the words of Karpenter first, then ours. */
export function printBarrierEvent(barrier: ConsolidationBarrier): string {
  switch (barrier.kind) {
    case 'unknownInstanceType':
      return `Instance Type "${barrier.instanceType}" not found: ${printedBarrier(barrier)}`;
    case 'missingLabel':
      return `Node does not have label "${barrier.label}": ${printedBarrier(barrier)}`;
    case 'never':
      return `NodePool "${barrier.nodePool}" has consolidation disabled: its consolidateAfter is Never`;
    case 'onlyWhenEmpty':
      return `NodePool "${barrier.nodePool}" has non-empty consolidation disabled: its consolidationPolicy is WhenEmpty`;
    case 'static':
    case 'empty':
    case 'unquiet':
      return printedBarrier(barrier);
  }
}
