import type { CommandAnswer } from '../../terminal/output.ts';
import { printTable } from '../../terminal/table.ts';
import type { TakeoverFinding } from './takeover-finding.ts';

/** The findings as an answer of the command. */
export function answerWithFindings(findings: readonly TakeoverFinding[]): CommandAnswer {
  const object = { kind: 'TakeoverReport', findings };
  return { object, text: printFindings(findings) };
}

const printFindings = (findings: readonly TakeoverFinding[]): string =>
  printTable(
    ['STATE', 'CHECK', 'SUBJECT', 'MESSAGE'],
    findings.map(({ state, check, subject, message }) => [state, check, subject, message]),
  );

export const listBlocked = (findings: readonly TakeoverFinding[]): readonly TakeoverFinding[] =>
  findings.filter(({ state }) => state === 'blocked');
