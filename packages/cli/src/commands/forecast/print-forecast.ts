import type { ForecastNode, ForecastReport } from '@nodewright/forecast';
import { printTable } from '../../terminal/table.ts';
import { printHeadline, summaryLines } from './summary-lines.ts';

export const nodeHeader = ['NODE', 'NODEPOOL', 'REASON', 'BEGINS', 'GONE', 'REPLACED BY', 'PODS', 'HELD BY'];

export const nodeRow = (node: ForecastNode): readonly string[] => [
  node.node,
  node.nodeGroup === undefined ? node.nodePool : `group ${node.nodeGroup}`,
  node.reason ?? '',
  node.begins ?? '',
  node.gone ?? '',
  node.replacedBy ?? '',
  String(node.podsEvicted),
  node.heldBy ?? '',
];

/** The screen first, then every node that goes or is held, then what is taken for granted. */
export function printForecastTable(report: ForecastReport): string {
  const rows = report.nodes.filter(({ reason }) => reason !== undefined).map(nodeRow);
  return [
    [printHeadline(report), ...summaryLines(report).map((line) => `  ${line}`)].join('\n'),
    ...(rows.length === 0 ? [] : [printTable(nodeHeader, rows)]),
    [
      'taken for granted, with the number of pods that it concerns:',
      ...report.assumptions.map(({ says, pods }) => `  ${pods}: ${says}`),
    ].join('\n'),
  ].join('\n\n');
}
