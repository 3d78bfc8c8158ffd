import {
  daemonSets,
  deployments,
  type LabelPredicate,
  labelSelectorPredicate,
  type Pod,
  type PodDisruptionBudget,
  podDisruptionBudgets,
  pods,
  replicaSets,
} from '@nodewright/apis';
import { type IndexBy, objectKeyText } from '@nodewright/runtime';
import { type ClusterControlPlane, countingGapMs, type Recheck } from '../../control-plane/control-plane.ts';
import { differsFromPatch } from '../../objects/status-patch.ts';
import { controllerOf } from '../../objects/ownership.ts';
import { budgetStatus, nextExpiry } from './budget.ts';

const byNamespace: IndexBy<Pod | PodDisruptionBudget> = ({ metadata }) => [metadata.namespace ?? ''];

/** Keeps the status of PodDisruptionBudgets, which evictions go by. */
export function runDisruptionBudgets(control: ClusterControlPlane): void {
  const { watches, options } = control;
  const budgets = watches.of(podDisruptionBudgets);
  const allPods = watches.of(pods);
  const counts = controllerCounts(control);
  const selectors = new WeakMap<PodDisruptionBudget, LabelPredicate>();

  const reconcile = async (key: string): Promise<Recheck> => {
    const budget = budgets.get(key);
    if (budget === undefined || budget.metadata.deletionTimestamp !== undefined) return undefined;
    const selected = allPods.by(byNamespace, budget.metadata.namespace ?? '').filter((pod) => selects(budget, pod));
    const expectedCount = counts(selected);
    const status = budgetStatus({ budget, pods: selected, expectedCount, now: options.clock.now() });
    // Replaced under its lock: an eviction may have been granted in between.
    if (differsFromPatch(budget.status, { ...status, disruptedPods: status.disruptedPods ?? null })) {
      await options.client.update(podDisruptionBudgets, { ...budget, status }, { subresource: 'status' });
    }
    return nextExpiry(status);
  };

  const selects = (budget: PodDisruptionBudget, pod: Pod): boolean => {
    const predicate = selectors.get(budget) ?? labelSelectorPredicate(budget.spec.selector);
    selectors.set(budget, predicate);
    return predicate(pod.metadata.labels);
  };

  const keys = control.controller('disruption budgets', reconcile, countingGapMs);
  budgets.onChange((before, after) => keys.add(objectKeyText((after ?? before) as PodDisruptionBudget)));
  allPods.onChange((before, after) => {
    const { namespace = '' } = ((after ?? before) as Pod).metadata;
    const concerned = budgets.by(byNamespace, namespace);
    for (const budget of concerned) {
      if ([before, after].some((pod) => pod !== undefined && selects(budget, pod))) keys.add(objectKeyText(budget));
    }
  });
  watches.of(deployments).onChange((before, after) => {
    if (before?.spec.replicas === after?.spec.replicas) return;
    for (const budget of budgets.by(byNamespace, (after ?? before)?.metadata.namespace ?? ''))
      keys.add(objectKeyText(budget));
  });
}

/** How many pods the controllers of some pods want together; a pod without one stands for itself. */
function controllerCounts({ watches }: ClusterControlPlane): (selected: readonly Pod[]) => number {
  const sets = watches.of(replicaSets);
  const all = { deployments: watches.of(deployments), daemonSets: watches.of(daemonSets) };

  const countOf = (pod: Pod): readonly [owner: string, count: number] => {
    const owner = controllerOf(pod);
    const key = `${pod.metadata.namespace}/${owner?.name}`;
    if (owner?.kind === 'DaemonSet') return [owner.uid, all.daemonSets.get(key)?.status?.desiredNumberScheduled ?? 0];
    const set = owner?.kind === 'ReplicaSet' ? sets.get(key) : undefined;
    if (set === undefined) return [pod.metadata.uid ?? '', 1];
    const above = controllerOf(set);
    const deployment =
      above?.kind === 'Deployment' ? all.deployments.get(`${set.metadata.namespace}/${above.name}`) : undefined;
    return deployment === undefined
      ? [set.metadata.uid ?? '', set.spec.replicas ?? 1]
      : [deployment.metadata.uid ?? '', deployment.spec.replicas ?? 1];
  };

  return (selected) => [...new Map(selected.map(countOf)).values()].reduce((sum, count) => sum + count, 0);
}
