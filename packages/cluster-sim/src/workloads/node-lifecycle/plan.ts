import {
  type Condition,
  type Instant,
  type Lease,
  type Node,
  type Pod,
  type Taint,
  toTimestamp,
} from '@nodewright/apis';
import type { ControllerPlan } from '../../control-plane/planned-controller.ts';
import { mergeConditions } from '../../objects/conditions.ts';
import { readyOf, silentFrom, unknownConditions } from './health.ts';
import { correctedTaints } from './taints.ts';

export type NodeLifecycleSnapshot = {
  readonly node: Node;
  readonly lease: Lease | undefined;
  /** Ready pods on a node that is not ready itself. */
  readonly readyPods: readonly Pod[];
  readonly now: Instant;
};

export type NodeLifecycleAction =
  | { readonly kind: 'markUnknown'; readonly conditions: readonly Condition[] }
  | { readonly kind: 'writeTaints'; readonly taints: readonly Taint[] }
  | { readonly kind: 'markPodNotReady'; readonly pod: Pod; readonly conditions: readonly Condition[] };

/**
 * The conditions of a silent node become Unknown. Its taints and its pods follow in the turn that sees those conditions.
 * The plan is due when the node becomes silent.
 */
export function plan(snapshot: NodeLifecycleSnapshot): ControllerPlan<NodeLifecycleAction> {
  const { node, lease, readyPods, now } = snapshot;
  const at = toTimestamp(now);
  const silent = silentFrom(node, lease);
  const isSilent = silent !== undefined && silent <= now;
  if (isSilent && readyOf(node)?.status !== 'Unknown') {
    const conditions = mergeConditions(node.status?.conditions, unknownConditions(node), at);
    return { actions: [{ kind: 'markUnknown', conditions }] };
  }
  const taints = correctedTaints(node, at);
  const affected = readyOf(node)?.status === 'True' ? [] : readyPods;
  return {
    actions: [
      ...(taints === undefined ? [] : [{ kind: 'writeTaints', taints } as const]),
      ...affected.map((pod) => ({ kind: 'markPodNotReady', pod, conditions: markNotReady(pod, at) }) as const),
    ],
    recheckAt: isSilent ? undefined : silent,
  };
}

const markNotReady = ({ status }: Pod, at: string): readonly Condition[] =>
  mergeConditions(status?.conditions, [{ type: 'Ready', status: 'False' }], at);
