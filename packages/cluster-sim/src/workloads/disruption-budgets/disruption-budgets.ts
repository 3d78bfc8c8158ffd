import {
  daemonSets,
  deployments,
  type KubernetesObject,
  type LabelPredicate,
  labelSelectorPredicate,
  oncePerObject,
  type Pod,
  type PodDisruptionBudget,
  podDisruptionBudgets,
  pods,
  replicaSets,
  statefulSets,
} from '@nodewright/apis';
import { type KubernetesClient, objectKeyText } from '@nodewright/runtime';
import { type ClusterControlPlane, countingGapMs, type Keys } from '../../control-plane/control-plane.ts';
import { startPlannedController } from '../../control-plane/planned-controller.ts';
import { indexByNamespace } from '../../objects/object-key.ts';
import { type BudgetAction, type BudgetSnapshot, plan } from './budget.ts';
import { type ControllerLookup, countExpectedPods } from './expected-pods.ts';

/** Keeps the status of PodDisruptionBudgets, which decides evictions. */
export function runDisruptionBudgets(control: ClusterControlPlane): void {
  const { client } = control.options;
  const lookup = lookUpControllers(control);
  const keys = startPlannedController(control, {
    name: 'disruption budgets',
    gapMs: countingGapMs,
    observe: (key) => observe(control, lookup, key),
    plan,
    perform: (action, { budget }) => replaceStatus(client, budget, action),
  });
  watchBudgets(control, keys);
}

function observe(
  { watches, options }: ClusterControlPlane,
  lookup: ControllerLookup,
  key: string,
): BudgetSnapshot | undefined {
  const budget = watches.of(podDisruptionBudgets).get(key);
  if (budget === undefined || budget.metadata.deletionTimestamp !== undefined) return undefined;
  const selects = selectorOf(budget);
  const nearby = watches.of(pods).by(indexByNamespace, budget.metadata.namespace ?? '');
  const selected = nearby.filter(({ metadata }) => selects(metadata.labels));
  return { budget, pods: selected, expectedCount: countExpectedPods(selected, lookup), now: options.clock.now() };
}

/** A replacement keeps the lock of the budget that was read: an eviction may have been granted in between. */
async function replaceStatus(
  client: KubernetesClient,
  budget: PodDisruptionBudget,
  { status }: BudgetAction,
): Promise<void> {
  await client.update(podDisruptionBudgets, { ...budget, status }, { subresource: 'status' });
}

const selectorOf = oncePerObject(({ spec }: PodDisruptionBudget): LabelPredicate =>
  labelSelectorPredicate(spec.selector),
);

function lookUpControllers({ watches }: ClusterControlPlane): ControllerLookup {
  const watched = {
    deployments: watches.of(deployments),
    replicaSets: watches.of(replicaSets),
    statefulSets: watches.of(statefulSets),
    daemonSets: watches.of(daemonSets),
  };
  return {
    deployment: (key) => watched.deployments.get(key),
    replicaSet: (key) => watched.replicaSets.get(key),
    statefulSet: (key) => watched.statefulSets.get(key),
    daemonSet: (key) => watched.daemonSets.get(key),
  };
}

/** A budget is looked at when it changes, when a pod that it selects or selected changes, and when a workload scales. */
function watchBudgets({ watches }: ClusterControlPlane, keys: Keys): void {
  const budgets = watches.of(podDisruptionBudgets);
  const budgetsNear = ({ metadata }: KubernetesObject): readonly PodDisruptionBudget[] =>
    budgets.by(indexByNamespace, metadata.namespace ?? '');
  budgets.onChange((before, after) => keys.add(objectKeyText((after ?? before) as PodDisruptionBudget)));
  watches.of(pods).onChange((before, after) => {
    for (const budget of budgetsNear((after ?? before) as Pod)) {
      const selects = selectorOf(budget);
      const isConcerned = [before, after].some((pod) => pod !== undefined && selects(pod.metadata.labels));
      if (isConcerned) keys.add(objectKeyText(budget));
    }
  });
  for (const type of [deployments, statefulSets]) {
    watches.of<Scaled>(type).onChange((before, after) => {
      if (before?.spec.replicas === after?.spec.replicas) return;
      for (const budget of budgetsNear((after ?? before) as Scaled)) keys.add(objectKeyText(budget));
    });
  }
}

type Scaled = KubernetesObject & { readonly spec: { readonly replicas?: number } };
