import type { Instant, Pod } from '@nodewright/apis';
import { EvictionRules, isActivePod, isProtected, type NodeState, podName, printedEviction } from '@nodewright/engine';
import type { DisruptionSnapshot } from '@nodewright/engine';

/** A pod that cannot leave a node that is leaving, and why: a clause without a full stop. */
export type DrainBlocker = {
  readonly pod: Pod;
  readonly message: string;
  /** PodDisruptionBudgets, as `namespace/name`; none where the pod itself holds. */
  readonly budgets: readonly string[];
};

/** What keeps the pods of a node from being evicted, in the order of the pods. */
export function listDrainBlockers(
  { pods }: NodeState,
  { podDisruptionBudgets }: Pick<DisruptionSnapshot, 'podDisruptionBudgets'>,
  now: Instant,
): readonly DrainBlocker[] {
  const rules = new EvictionRules(podDisruptionBudgets);
  return pods.filter(isActivePod).flatMap((pod): readonly DrainBlocker[] => {
    const eviction = rules.blockerIfUnprotected(pod);
    return [
      ...(isProtected(pod, now)
        ? [{ pod, message: `pod ${podName(pod)} carries the annotation karpenter.sh/do-not-disrupt`, budgets: [] }]
        : []),
      ...(eviction === undefined ? [] : [{ pod, message: printedEviction(pod, eviction), budgets: eviction.budgets }]),
    ];
  });
}
