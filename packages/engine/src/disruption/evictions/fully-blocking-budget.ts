import type { IntOrString, PodDisruptionBudget } from '@nodewright/apis';
import { isObservedBudget } from './eviction-api.ts';

/** Whether the spec of a budget rules out every eviction of a healthy pod, however many pods there are. */
export const isFullyBlockingSpec = (spec: PodDisruptionBudget['spec']): boolean => blockingRule(spec) !== undefined;

/**
 * Why a budget allows no eviction of a healthy pod as long as it and its pods stay as they are.
 * @returns a clause such as `its maxUnavailable is 0`; `undefined` when the budget can allow one
 */
export const fullyBlockingRule = (budget: PodDisruptionBudget): string | undefined =>
  blockingRule(budget.spec) ?? blockingCount(budget);

function blockingRule({ maxUnavailable, minAvailable }: PodDisruptionBudget['spec']): string | undefined {
  if (maxUnavailable !== undefined && amountIn(maxUnavailable) === 0) return `its maxUnavailable is ${maxUnavailable}`;
  const isShare = String(minAvailable).endsWith('%');
  if (minAvailable !== undefined && isShare && amountIn(minAvailable) >= 100)
    return `its minAvailable is ${minAvailable}`;
  return undefined;
}

/** More pods than now would let one go. */
function blockingCount(budget: PodDisruptionBudget): string | undefined {
  const { minAvailable } = budget.spec;
  const { desiredHealthy = 0, expectedPods = 0 } = budget.status ?? {};
  if (minAvailable === undefined || !isObservedBudget(budget)) return undefined;
  if (expectedPods === 0 || desiredHealthy < expectedPods) return undefined;
  return `it wants ${desiredHealthy} healthy pods of ${expectedPods} (minAvailable: ${minAvailable})`;
}

const amountIn = (value: IntOrString): number => Number.parseInt(String(value), 10);
