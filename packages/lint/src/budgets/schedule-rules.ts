import type { LintRule } from '../lint-rule.ts';
import { budgetProblem, hasSchedule, writtenBudgets, type WrittenBudget } from './budget-places.ts';
import { isAlwaysOpen, nextOpenings, printOpenings } from './openings.ts';
import { isReadable } from './readable.ts';

const scheduled = (budgets: readonly WrittenBudget[] | undefined): readonly WrittenBudget[] =>
  (budgets ?? []).filter((each) => hasSchedule(each) && isReadable(each));

const windowOf = ({ budget: { schedule = '', duration = '' } }: WrittenBudget) => ({ schedule, duration });

export const budgetNeverOpensRule: LintRule = {
  name: 'budget-schedule-never-comes',
  severity: 'warning',
  about: 'A schedule that never comes, such as 31 February, leaves its budget active for good, as in Karpenter.',
  check: ({ nodePools }, { now }) =>
    nodePools.flatMap((pool) =>
      scheduled(writtenBudgets(pool))
        .filter((written) => nextOpenings(windowOf(written), now, 1).length === 0)
        .map((written) =>
          budgetProblem(pool, written, {
            why: 'its schedule has no date within five years, and a budget whose schedule never comes is always active',
            instead: 'write a date that exists; fields are minute, hour, day of month, month, day of week, in UTC',
          }),
        ),
    ),
};

export const budgetNeverClosesRule: LintRule = {
  name: 'budget-window-never-closes',
  severity: 'warning',
  about: 'A window that opens again before it closes is always open.',
  check: ({ nodePools }, { now }) =>
    nodePools.flatMap((pool) =>
      scheduled(writtenBudgets(pool))
        .filter((written) => isAlwaysOpen(windowOf(written), now))
        .map((written) =>
          budgetProblem(pool, written, {
            why: `it is always active: ${printOpenings(nextOpenings(windowOf(written), now))} (UTC) leave no gap`,
            instead: 'shorten the duration, open the window less often, or leave schedule and duration out',
          }),
        ),
    ),
};
