import type { Budget, DisruptionReason, NodePool } from '@nodewright/apis';
import type { ManifestPath, LintProblem } from '../lint-rule.ts';

/** A budget and where it is written. */
export type WrittenBudget = { readonly budget: Budget; readonly path: ManifestPath };

export const disruptionReasons: readonly DisruptionReason[] = ['Empty', 'Drifted', 'Underutilized'];

export const budgetsPath: ManifestPath = ['spec', 'disruption', 'budgets'];

/** The budgets of a pool as written; `undefined` where the default of 10% applies. */
export const writtenBudgets = ({ spec }: NodePool): readonly WrittenBudget[] | undefined =>
  spec.disruption?.budgets?.map((budget, index) => ({ budget, path: [...budgetsPath, index] }));

export const limitsReason = ({ budget: { reasons } }: WrittenBudget, reason: DisruptionReason): boolean =>
  reasons === undefined || reasons.includes(reason);

export const hasSchedule = ({ budget: { schedule, duration } }: WrittenBudget): boolean =>
  schedule !== undefined && duration !== undefined;

/** As it is written, in one line. */
export const printBudget = ({ nodes, schedule, duration, reasons }: Budget): string =>
  `{${[
    `nodes: "${nodes}"`,
    ...(reasons === undefined ? [] : [`reasons: [${reasons.join(', ')}]`]),
    ...(schedule === undefined ? [] : [`schedule: "${schedule}"`]),
    ...(duration === undefined ? [] : [`duration: ${duration}`]),
  ].join(', ')}}`;

export const budgetProblem = (
  object: NodePool,
  { budget, path }: WrittenBudget,
  { why, instead }: Pick<LintProblem, 'why' | 'instead'>,
): LintProblem => ({ object, path, value: printBudget(budget), why, instead });

/** `Drifted`, `Empty and Drifted`, `Empty, Drifted and Underutilized`. */
export const joinWords = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
