import type { Pod, PodDisruptionBudget } from '@nodewright/apis';
import { EvictionRules, fullyBlockingRule, isDaemonPod, isMirrorPod, isTerminal } from '@nodewright/engine';
import type { GroupPod } from './snapshot.ts';

/** The pods that have to leave a node before it can go, with the budgets that the Eviction API asks about them. */
export function groupPods(pods: readonly Pod[], budgets: readonly PodDisruptionBudget[]): readonly GroupPod[] {
  const rules = new EvictionRules(budgets);
  return pods.filter(hasToLeave).map((pod) => {
    const guards = rules.guardsOf(pod);
    const heldForGood = reasonForGood(guards);
    return {
      namespace: pod.metadata.namespace ?? 'default',
      name: pod.metadata.name,
      node: pod.spec.nodeName ?? '',
      leaving: pod.metadata.deletionTimestamp !== undefined,
      budgets: guards.map(({ metadata, status }) => ({
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
function reasonForGood(guards: readonly PodDisruptionBudget[]): string | undefined {
  if (guards.length > 1) return guards.map(({ metadata }) => metadata.name).join(' and ');
  const [budget] = guards;
  if (budget?.status === undefined) return undefined;
  return fullyBlockingRule(budget) === undefined ? undefined : budget.metadata.name;
}
