import type { ForecastReport } from '@nodewright/forecast';
import { nodeHeader, nodeRow } from './print-forecast.ts';
import { printHeadline, summaryLines } from './summary-lines.ts';

/** For the comment of a pull request: the answer, and the rest folded. */
export function printForecastMarkdown(report: ForecastReport): string {
  const rows = report.nodes.filter(({ reason }) => reason !== undefined).map(nodeRow);
  return [
    `**${escapeCell(printHeadline(report))}**`,
    summaryLines(report)
      .map((line) => (line.startsWith('  ') ? `  - ${escapeCell(line.trim())}` : `- ${escapeCell(line)}`))
      .join('\n'),
    ...(rows.length === 0
      ? []
      : [foldMarkdown(rows.length === 1 ? '1 node' : `${rows.length} nodes`, markdownTable(nodeHeader, rows))]),
    foldMarkdown(
      'Taken for granted',
      markdownTable(
        ['PODS', 'WHAT'],
        report.assumptions.map(({ says, pods }) => [String(pods), says]),
      ),
    ),
  ].join('\n\n');
}

const foldMarkdown = (title: string, body: string): string =>
  `<details><summary>${title}</summary>\n\n${body}\n\n</details>`;

const markdownTable = (header: readonly string[], rows: readonly (readonly string[])[]): string =>
  [header, header.map(() => '---'), ...rows].map((row) => `| ${row.map(escapeCell).join(' | ')} |`).join('\n');

const escapeCell = (text: string): string => text.replaceAll(/[\\|<>*_`]/g, (sign) => `\\${sign}`);
