import { isBlocked, type PreflightFinding, type PreflightReport } from '@nodewright/forecast';
import { printTable } from '../../terminal/table.ts';

const verdictsInOrder = ['blocked', 'attention', 'ok'] as const;

/** What stands against the upgrade first, each with what to do about it. */
export function printPreflight({ from, to, findings, unread }: PreflightReport): string {
  const blocked = findings.filter(isBlocked).length;
  const attention = findings.filter(({ verdict }) => verdict === 'attention').length;
  const sorted = verdictsInOrder.flatMap((rank) => findings.filter(({ verdict }) => verdict === rank));
  return [
    `${from} to ${to}: ${blocked === 0 ? 'nothing stands against it' : `${blocked} blocked`}, ${attention} to look at, ${findings.length - blocked - attention} in order`,
    printTable(
      ['', 'CHECK', 'ABOUT', 'FINDING'],
      sorted.map((finding) => [finding.verdict, finding.check, finding.about, describeFinding(finding)]),
    ),
    ...(unread.length === 0 ? [] : [unread.map(({ what, because }) => `not checked: ${what}: ${because}`).join('\n')]),
  ].join('\n\n');
}

const describeFinding = ({ says, instead }: PreflightFinding): string =>
  instead === undefined ? says : `${says} -> ${instead}`;
