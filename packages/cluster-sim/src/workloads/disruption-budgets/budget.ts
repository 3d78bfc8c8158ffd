import {
  type Condition,
  earliest,
  fromTimestamp,
  instant,
  type Instant,
  minutes,
  parseIntOrPercent,
  type Pod,
  type PodDisruptionBudget,
  resolveIntOrPercent,
  toTimestamp,
} from '@nodewright/apis';
import type { ControllerPlan } from '../../control-plane/planned-controller.ts';
import { mergeConditions } from '../../objects/conditions.ts';
import { isActive, isReadyWorkloadPod } from '../../objects/pod-health.ts';
import { differsFromPatch } from '../../objects/status-patch.ts';

/** The pod of a granted eviction counts as staying when it is still there after this time. */
const evictionMs = minutes(2);

type BudgetStatus = NonNullable<PodDisruptionBudget['status']>;

export type BudgetSnapshot = {
  readonly budget: PodDisruptionBudget;
  /** Pods that the budget selects. */
  readonly pods: readonly Pod[];
  /** How many pods the controllers of these pods want together. */
  readonly expectedCount: number;
  readonly now: Instant;
};

export type BudgetAction = { readonly kind: 'replaceStatus'; readonly status: BudgetStatus };

/**
 * Writes the status when a count differs; due again when the oldest granted eviction expires.
 * @see https://kubernetes.io/docs/concepts/workloads/pods/disruptions/
 */
export function plan(snapshot: BudgetSnapshot): ControllerPlan<BudgetAction> {
  const status = budgetStatus(snapshot);
  const isNew = differsFromPatch(snapshot.budget.status, { ...status, disruptedPods: status.disruptedPods ?? null });
  return { actions: isNew ? [{ kind: 'replaceStatus', status }] : [], recheckAt: nextExpiry(status) };
}

function budgetStatus({ budget, pods, expectedCount, now }: BudgetSnapshot): BudgetStatus {
  const { spec, status, metadata } = budget;
  const active = pods.filter(isActive);
  const evicting = stillEvicting(budget, active, now);
  const currentHealthy = active.filter(
    (pod) => isReadyWorkloadPod(pod) && !Object.hasOwn(evicting, pod.metadata.name),
  ).length;
  const expectedPods = countsControllers(spec) ? expectedCount : active.length;
  const desiredHealthy = healthyWanted(spec, expectedPods);
  const disruptionsAllowed = expectedPods === 0 ? 0 : Math.max(0, currentHealthy - desiredHealthy);
  const condition: Condition = {
    type: 'DisruptionAllowed',
    status: disruptionsAllowed > 0 ? 'True' : 'False',
    reason: disruptionsAllowed > 0 ? 'SufficientPods' : 'InsufficientPods',
    message: '',
    ...(metadata.generation === undefined ? {} : { observedGeneration: metadata.generation }),
  };
  return {
    ...(metadata.generation === undefined ? {} : { observedGeneration: metadata.generation }),
    ...(Object.keys(evicting).length === 0 ? {} : { disruptedPods: evicting }),
    disruptionsAllowed,
    currentHealthy,
    desiredHealthy,
    expectedPods,
    conditions: mergeConditions(status?.conditions, [condition], toTimestamp(now)),
  };
}

/** When the oldest granted eviction expires. */
function nextExpiry({ disruptedPods = {} }: BudgetStatus): Instant | undefined {
  const oldest = earliest(...Object.values(disruptedPods).map(fromTimestamp));
  return oldest === undefined ? undefined : instant(oldest + evictionMs);
}

/** A percentage, and `maxUnavailable`, refer to the number of pods that the controllers want. */
const countsControllers = ({ maxUnavailable, minAvailable }: PodDisruptionBudget['spec']): boolean =>
  maxUnavailable !== undefined || String(minAvailable).endsWith('%');

function healthyWanted({ maxUnavailable, minAvailable }: PodDisruptionBudget['spec'], expectedPods: number): number {
  if (maxUnavailable !== undefined) {
    return Math.max(0, expectedPods - resolveIntOrPercent(parseIntOrPercent(maxUnavailable), expectedPods, 'up'));
  }
  return minAvailable === undefined ? 0 : resolveIntOrPercent(parseIntOrPercent(minAvailable), expectedPods, 'up');
}

function stillEvicting(
  { status }: PodDisruptionBudget,
  active: readonly Pod[],
  now: Instant,
): Readonly<Record<string, string>> {
  const here = new Set(active.map(({ metadata }) => metadata.name));
  const granted = Object.entries(status?.disruptedPods ?? {});
  return Object.fromEntries(granted.filter(([name, at]) => here.has(name) && fromTimestamp(at) + evictionMs > now));
}
