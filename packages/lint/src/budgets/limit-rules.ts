import type { DisruptionReason, Instant, NodePool } from '@nodewright/apis';
import type { LintProblem, LintRule } from '../lint-rule.ts';
import {
  budgetProblem,
  budgetsPath,
  disruptionReasons,
  hasSchedule,
  joinWords,
  limitsReason,
  writtenBudgets,
  type WrittenBudget,
} from './budget-places.ts';
import { hoursLeftOut } from './complement.ts';
import { isAlwaysOpen, nextOpenings, printOpenings } from './openings.ts';
import { isReadable } from './readable.ts';

/** The first misreading: a budget for one reason is taken for a limit of all. */
export const budgetReasonsRule: LintRule = {
  name: 'budget-reasons-unlimited',
  severity: 'warning',
  about:
    'Budgets that name reasons leave the other reasons without any limit: the default of 10% counts only where a pool has no budgets at all.',
  check: ({ nodePools }) => nodePools.flatMap(findUnlimitedReasons),
};

function findUnlimitedReasons(pool: NodePool): readonly LintProblem[] {
  const budgets = writtenBudgets(pool);
  const unlimited = disruptionReasons.filter((reason) => !budgets?.some((each) => limitsReason(each, reason)));
  if (budgets === undefined || unlimited.length === 0) return [];
  return [
    {
      object: pool,
      path: budgetsPath,
      why: `no budget limits ${joinWords(unlimited)}: all nodes may go at once for ${unlimited.length === 1 ? 'it' : 'them'}`,
      instead: 'add {nodes: "10%"}, or whatever share may go at once, without reasons',
    },
  ];
}

/** The second misreading: a budget with a schedule is taken for a maintenance window. */
export const budgetWindowRule: LintRule = {
  name: 'budget-is-no-window',
  severity: 'warning',
  about:
    'A budget with a schedule limits only while its window is open. Where no other budget counts, nothing limits outside of it.',
  check: ({ nodePools }, { now }) =>
    nodePools.flatMap((pool) => {
      const readable = (writtenBudgets(pool) ?? []).filter(isReadable);
      const isConstant = (each: WrittenBudget) => !hasSchedule(each) || isAlwaysOpen(windowOf(each), now);
      const loose = disruptionReasons.filter((reason) => isLimitedAtTimesOnly(readable, reason, isConstant));
      const first = readable.find((each) => loose.some((reason) => limitsReason(each, reason)));
      return first === undefined ? [] : [windowProblem(pool, first, loose, printNext(first, now))];
    }),
};

const isLimitedAtTimesOnly = (
  budgets: readonly WrittenBudget[],
  reason: DisruptionReason,
  isConstant: (budget: WrittenBudget) => boolean,
): boolean => {
  const limiting = budgets.filter((each) => limitsReason(each, reason));
  return limiting.length > 0 && !limiting.some(isConstant);
};

const windowOf = ({ budget: { schedule = '', duration = '' } }: WrittenBudget) => ({ schedule, duration });

const printNext = (budget: WrittenBudget, now: Instant): string => printOpenings(nextOpenings(windowOf(budget), now));

function windowProblem(
  pool: NodePool,
  written: WrittenBudget,
  reasons: readonly DisruptionReason[],
  next: string,
): LintProblem {
  const { budget } = written;
  const rest = hoursLeftOut(budget) ?? 'the schedule and duration of all other hours';
  const isClosed = /^0%?$/.test(budget.nodes);
  return budgetProblem(pool, written, {
    why: `outside of its windows (next: ${next}, UTC) nothing limits ${joinWords(reasons)}: all nodes may go at once`,
    instead: isClosed
      ? 'add {nodes: "10%"} without a schedule; the strictest budget that is active counts'
      : `if nodes should go in these hours only, close the others: {nodes: "0", ${rest}}, and add {nodes: "${budget.nodes}"} without a schedule`,
  });
}
