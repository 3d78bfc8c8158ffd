import type { Pod, PodDisruptionBudget } from '@nodewright/apis';

/** The Eviction API refuses when more evictions than this wait for their confirmation. */
const mostDisruptedPods = 2_000;

/**
 * Whether the Eviction API asks a PodDisruptionBudget about the pod. It deletes a pod that has ended, is ending or
 * has not started without asking one.
 * @see https://kubernetes.io/docs/concepts/scheduling-eviction/api-eviction/
 */
export const isGuardedByBudgets = ({ metadata, status }: Pod): boolean =>
  metadata.deletionTimestamp === undefined &&
  status?.phase !== 'Succeeded' &&
  status?.phase !== 'Failed' &&
  status?.phase !== 'Pending';

/**
 * Whether a budget lets the pod go although it allows no disruption. Only a pod that is not ready goes: always with
 * `AlwaysAllow`, otherwise as long as the budget has all the healthy pods it wants, and wants at least one.
 * @see https://kubernetes.io/docs/tasks/run-application/configure-pdb/#unhealthy-pod-eviction-policy
 */
export function letsUnhealthyPodGo({ spec, status }: PodDisruptionBudget, pod: Pod): boolean {
  if (isReadyPod(pod)) return false;
  if (spec.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true;
  const { currentHealthy = 0, desiredHealthy = 0 } = status ?? {};
  return desiredHealthy > 0 && currentHealthy >= desiredHealthy;
}

/** Whether the pod's condition `Ready` is true. A pod without the condition is not ready. */
export const isReadyPod = ({ status }: Pod): boolean =>
  status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') ?? false;

/** Whether the disruption controller has written the status for the budget as it is now. */
export const isObservedBudget = ({ metadata, status }: PodDisruptionBudget): boolean =>
  (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0);

/** Whether the Eviction API grants the eviction of a healthy pod now. */
export const allowsEviction = (budget: PodDisruptionBudget): boolean =>
  isObservedBudget(budget) &&
  (budget.status?.disruptionsAllowed ?? 0) > 0 &&
  Object.keys(budget.status?.disruptedPods ?? {}).length <= mostDisruptedPods;
