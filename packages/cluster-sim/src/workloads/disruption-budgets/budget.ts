import {
  type Condition,
  fromTimestamp,
  instant,
  type Instant,
  parseIntOrPercent,
  type Pod,
  type PodDisruptionBudget,
  resolveIntOrPercent,
  toTimestamp,
} from '@nodewright/apis';
import { mergeConditions } from '../../objects/conditions.ts';
import { isActive, isReadyWorkloadPod } from '../../objects/pod-health.ts';

/** How long an eviction that was granted may take until its pod counts as staying. */
const evictionMs = 120_000;

type BudgetStatus = NonNullable<PodDisruptionBudget['status']>;

/** `expectedCount` is how many pods the controllers of the selected pods want together. */
export type BudgetSnapshot = {
  readonly budget: PodDisruptionBudget;
  readonly pods: readonly Pod[];
  readonly expectedCount: number;
  readonly now: Instant;
};

/** @see https://kubernetes.io/docs/concepts/workloads/pods/disruptions/ */
export function budgetStatus({ budget, pods, expectedCount, now }: BudgetSnapshot): BudgetStatus {
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

/** When the oldest granted eviction runs out. */
export function nextExpiry({ disruptedPods = {} }: BudgetStatus): Instant | undefined {
  const granted = Object.values(disruptedPods).map(fromTimestamp);
  return granted.length === 0 ? undefined : instant(Math.min(...granted) + evictionMs);
}

/** A share needs a whole, and what may be missing needs to know from how many. */
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
