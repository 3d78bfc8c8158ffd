import type { ForecastReport } from './forecast-report.ts';

/** What makes a forecast a failure. */
export type FailOn =
  | { readonly kind: 'blocked' | 'unschedulable' | 'late' }
  | { readonly kind: 'surge'; readonly above: number };

/**
 * `blocked,unschedulable,surge>10,late`.
 * @throws Error naming what is none of them
 */
export const parseFailOn = (text: string): readonly FailOn[] =>
  text.split(',').map((word): FailOn => {
    if (word === 'blocked' || word === 'unschedulable' || word === 'late') return { kind: word };
    const above = /^surge>(\d+)$/.exec(word)?.[1];
    if (above === undefined)
      throw new Error(`must be some of blocked, unschedulable, late and surge>N, separated by commas, not "${word}"`);
    return { kind: 'surge', above: Number(above) };
  });

/** The conditions that hold, each in words. */
export function listFailures(conditions: readonly FailOn[], report: ForecastReport): readonly string[] {
  const { summary, runs } = report;
  return conditions.flatMap((condition) => {
    switch (condition.kind) {
      case 'blocked':
        return summary.blocked > 0 ? [`${summary.blocked} nodes are left at the end`] : [];
      case 'unschedulable':
        return summary.unschedulable.length > 0
          ? [`${summary.unschedulable.length} pods have no place at the end`]
          : [];
      case 'late': {
        const late = summary.nodesReplacedInRuns.most + summary.blocked === 0 ? 0 : runs - (summary.ends?.runs ?? 0);
        return late > 0 ? [`${late} of ${runs} runs are not done by ${report.until}`] : [];
      }
      case 'surge':
        return summary.surge.nodes > condition.above
          ? [`the surge is ${summary.surge.nodes} nodes, more than ${condition.above}`]
          : [];
    }
  });
}
