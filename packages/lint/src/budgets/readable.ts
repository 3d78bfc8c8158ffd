import { budgetComplaints } from '@nodewright/engine';
import type { LintRule } from '../lint-rule.ts';
import { budgetProblem, writtenBudgets, type WrittenBudget } from './budget-places.ts';

/** Whether number, schedule and duration can be read. */
export const isReadable = ({ budget }: WrittenBudget): boolean => budgetComplaints([budget]).length === 0;

export const budgetReadableRule: LintRule = {
  name: 'budget-unreadable',
  severity: 'error',
  about:
    'A budget that cannot be read allows nothing, for any reason, as long as it is there. The API server accepts some of them.',
  check: ({ nodePools }) =>
    nodePools.flatMap((pool) =>
      (writtenBudgets(pool) ?? []).flatMap((written) =>
        budgetComplaints([written.budget]).map(({ message }) =>
          budgetProblem(pool, written, {
            why: `it cannot be read, so no node of the pool may be disrupted: ${message}`,
            instead:
              'write a count or percentage, a schedule of five fields in UTC (no time zone) and a duration such as 8h',
          }),
        ),
      ),
    ),
};
