import type { LintSeverity } from '@nodewright/lint';
import type { LintReport, ReportedFinding } from './lint-report.ts';

/** A block for each finding, its first line in the form that editors and CI services recognise, and a summary. */
export function printLintReport(report: LintReport): string {
  return [...report.findings.map(printFinding), printSummary(report)].join('\n\n');
}

const printFinding = (finding: ReportedFinding): string =>
  [printFindingLine(finding), `  ${finding.why}`, `  ${finding.instead}`].join('\n');

/** The place and the rule of a finding, in the form that editors and CI services recognise. */
export function printFindingLine(finding: ReportedFinding): string {
  const { source, line, column, severity, rule, object, field, value } = finding;
  const name = object.namespace === undefined ? object.name : `${object.namespace}/${object.name}`;
  const written = value === undefined ? '' : `: ${typeof value === 'string' ? value : JSON.stringify(value)}`;
  return `${source}:${line}:${column}: ${severity}: ${object.kind} ${name}${field === '' ? '' : ` ${field}`}${written} [${rule}]`;
}

const severities: readonly LintSeverity[] = ['error', 'warning', 'note'];

function printSummary({ findings, ignored, objects }: LintReport): string {
  const counts = severities.map((severity) =>
    countOfFindings(findings.filter((each) => each.severity === severity).length, severity),
  );
  const silenced = ignored.length === 0 ? '' : `; ${ignored.length} ignored by remarks`;
  return `${counts.join(', ')} in ${countOfFindings(objects, 'object')}${silenced}`;
}

const countOfFindings = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;
