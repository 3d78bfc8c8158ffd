import type { Instant, NodePool } from '@nodewright/apis';
import { allowanceOfBudget, nextBudgetChange } from '@nodewright/engine';

/** With a window a day, those of half a year. */
const mostBudgetChanges = 400;

/**
 * When the budgets of a pool first let a drifted node go, as far as schedules decide that.
 * @param total nodes of the pool
 * @returns `undefined` where no schedule does
 */
export function findBudgetOpening({ spec }: NodePool, total: number, now: Instant): Instant | undefined {
  const budgets = spec.disruption?.budgets;
  let at = nextBudgetChange(budgets, now);
  for (let change = 0; at !== undefined && change < mostBudgetChanges; change += 1) {
    if (allowanceOfBudget(budgets, total, { reason: 'Drifted', now: at }) > 0) return at;
    at = nextBudgetChange(budgets, at);
  }
  return undefined;
}
