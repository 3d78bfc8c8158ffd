import { labelSelectorPredicate, type Pod, type PodDisruptionBudget } from '@nodewright/apis';
import { isDaemonPod, isMirrorPod, isTerminal } from '@nodewright/engine';
import type { GroupPod } from './snapshot.ts';

/** The pods that have to leave a node before it can go, with the budgets that watch over them. */
export function groupPods(pods: readonly Pod[], budgets: readonly PodDisruptionBudget[]): readonly GroupPod[] {
  const rules = budgets
    .toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
    .map((budget) => ({ budget, selects: labelSelectorPredicate(budget.spec.selector) }));
  return pods.filter(hasToLeave).map((pod) => {
    const namespace = pod.metadata.namespace ?? 'default';
    const own = rules
      .filter(({ budget, selects }) => budget.metadata.namespace === namespace && selects(pod.metadata.labels ?? {}))
      .map(({ budget }) => budget);
    const heldForGood = reasonForGood(own);
    return {
      namespace,
      name: pod.metadata.name,
      node: pod.spec.nodeName ?? '',
      leaving: pod.metadata.deletionTimestamp !== undefined,
      budgets: own.map(({ metadata, status }) => ({
        name: metadata.name,
        disruptionsAllowed: status?.disruptionsAllowed ?? 0,
      })),
      toleratesEverything: (pod.spec.tolerations ?? []).some(
        ({ key = '', operator, effect = '' }) => key === '' && operator === 'Exists' && effect !== 'NoExecute',
      ),
      isBare: (pod.metadata.ownerReferences ?? []).length === 0,
      ...(heldForGood === undefined ? {} : { heldForGood }),
    };
  });
}

const hasToLeave = (pod: Pod): boolean => !isDaemonPod(pod) && !isMirrorPod(pod) && !isTerminal(pod);

/** Healthy pods are all it asks for, or the API server cannot tell which budget counts. */
function reasonForGood(budgets: readonly PodDisruptionBudget[]): string | undefined {
  if (budgets.length > 1) return budgets.map(({ metadata }) => metadata.name).join(' and ');
  const [budget] = budgets;
  if (budget?.status === undefined) return undefined;
  const { desiredHealthy, expectedPods } = budget.status;
  return expectedPods > 0 && desiredHealthy >= expectedPods ? budget.metadata.name : undefined;
}
