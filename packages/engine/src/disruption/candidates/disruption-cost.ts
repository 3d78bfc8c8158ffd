import { oncePerObject, type Pod } from '@nodewright/apis';
import type { NodeState } from '../../cluster/node-state.ts';
import { isReschedulable } from '../../pods/pod-state.ts';

const deletionCostAnnotation = 'controller.kubernetes.io/pod-deletion-cost';

/** How much it costs to evict a pod: 1 for an ordinary one, more for a high deletion cost or priority, within -10 and 10. */
export function evictionCost({ metadata, spec }: Pod): number {
  const written = Number(metadata.annotations?.[deletionCostAnnotation] ?? 0);
  const deletionCost = Number.isNaN(written) ? 0 : written;
  return Math.max(-10, Math.min(10, 1 + deletionCost / 2 ** 27 + (spec.priority ?? 0) / 2 ** 25));
}

/** The cost of moving all pods off a node: 1 plus the positive eviction costs of the pods that have to move. */
export const rescheduleCost = (pods: readonly Pod[]): number =>
  pods.filter(isReschedulable).reduce((sum, pod) => sum + Math.max(0, evictionCost(pod)), 1);

/** As `rescheduleCost`, of the pods of a node, added up once. */
export const rescheduleCostOf = oncePerObject((state: NodeState): number => rescheduleCost(state.pods));

/** Whether a node with this reschedule cost counts as empty. It may have pods that cost nothing to evict. */
export const isEmptyAt = (cost: number): boolean => cost <= 1;
