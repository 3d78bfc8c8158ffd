import { parseIntOrPercent, type NodePool } from '@nodewright/apis';
import type { LintProblem, LintRule } from '../lint-rule.ts';
import {
  budgetProblem,
  disruptionReasons,
  hasSchedule,
  joinWords,
  limitsReason,
  printBudget,
  writtenBudgets,
  type WrittenBudget,
} from './budget-places.ts';
import { isReadable } from './readable.ts';

/** The third misreading: a later or more special budget is taken to replace an earlier one. */
export const budgetShadowedRule: LintRule = {
  name: 'budget-without-effect',
  severity: 'warning',
  about:
    'The strictest active budget counts, not the last or the most special one: a wider budget beside a stricter one without a schedule has no effect.',
  check: ({ nodePools }) =>
    nodePools.flatMap((pool) => {
      const budgets = (writtenBudgets(pool) ?? []).filter(isReadable);
      return budgets.flatMap((wide, index) => {
        const strict = budgets.find((each, at) => at !== index && outweighs(each, wide, at < index));
        return strict === undefined ? [] : [shadowProblem(pool, wide, strict)];
      });
    }),
};

const shadowProblem = (pool: NodePool, wide: WrittenBudget, strict: WrittenBudget): LintProblem =>
  budgetProblem(pool, wide, {
    why: `it has no effect: ${printBudget(strict.budget)} is always active and at least as strict`,
    instead: `remove one of them; to allow more at some hours, give ${printBudget(strict.budget)} the schedule of the other hours`,
  });

/** Whether a budget is active whenever the other is, for all of its reasons, and never allows more. */
function outweighs(strict: WrittenBudget, wide: WrittenBudget, isEarlier: boolean): boolean {
  if (hasSchedule(strict)) return false;
  if (!disruptionReasons.every((reason) => !limitsReason(wide, reason) || limitsReason(strict, reason))) return false;
  const [less, more] = [parseIntOrPercent(strict.budget.nodes), parseIntOrPercent(wide.budget.nodes)];
  if (less.amount === 0) return more.amount > 0 || isEarlier;
  if (less.kind !== more.kind) return false;
  return less.amount < more.amount || (less.amount === more.amount && (isEarlier || hasSchedule(wide)));
}

export const budgetClosedRule: LintRule = {
  name: 'budget-always-closed',
  severity: 'warning',
  about:
    'A budget of 0 nodes without a schedule keeps nodes for ever: no new image, no consolidation reaches the pool until they expire.',
  check: ({ nodePools }) => nodePools.flatMap(findClosedBudgets),
};

const findClosedBudgets = (pool: NodePool): readonly LintProblem[] =>
  (writtenBudgets(pool) ?? [])
    .filter(
      (written) => isReadable(written) && !hasSchedule(written) && parseIntOrPercent(written.budget.nodes).amount === 0,
    )
    .map((written) =>
      budgetProblem(pool, written, {
        why: `${joinWords(disruptionReasons.filter((reason) => limitsReason(written, reason)))} never replaces a node of this pool`,
        instead:
          'give it a schedule and a duration, or pause the pool for a time with nodewright pause --nodepool NAME --for 2h',
      }),
    );

export const budgetExpiryRule: LintRule = {
  name: 'expiry-asks-no-budget',
  severity: 'note',
  about: 'Budgets do not hold expiration: nodes born together expire together, in closed hours too.',
  check: ({ nodePools }) =>
    nodePools.flatMap((pool) => {
      const closing = (writtenBudgets(pool) ?? []).find(({ budget }) => /^0%?$/.test(budget.nodes));
      const { expireAfter = '720h' } = pool.spec.template.spec;
      if (closing === undefined || expireAfter === 'Never') return [];
      return [
        {
          object: pool,
          path: ['spec', 'template', 'spec', 'expireAfter'],
          ...(pool.spec.template.spec.expireAfter === undefined ? {} : { value: expireAfter }),
          why: `nodes go after ${expireAfter} although ${printBudget(closing.budget)} allows none at times: expiration asks no budget`,
          instead:
            'use maxAge of a NodeRolloutPolicy, which keeps to windows and pace, with expireAfter as the last limit, or expireAfter: Never',
        },
      ];
    }),
};
