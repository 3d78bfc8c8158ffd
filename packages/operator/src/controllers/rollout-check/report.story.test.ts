import type { NodeRollout, NodeRolloutStatus } from '@nodewright/apis';
import type { CheckPlace, CheckVerdict } from '@nodewright/engine';
import { printEntries } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';
import { reportVerdict } from './report.ts';

const aRollout = (checks?: NodeRolloutStatus['checks']): NodeRollout => ({
  metadata: { name: 'web-2', uid: 'uid-web-2' },
  spec: { policy: 'web', number: 2, cause: 'NewRelease', from: [], to: [], kubernetesVersion: '1.28', members: 4 },
  ...(checks === undefined ? {} : { status: { checks } }),
});

const known = (state: CheckVerdict['state'], node?: string): NodeRolloutStatus['checks'] => [
  {
    check: 'errors',
    state,
    inARow: 1,
    detail: '',
    at: '2024-03-01T12:00:00Z',
    ...(node === undefined ? {} : { node }),
  },
];

const fails: CheckVerdict = { state: 'Fails', detail: '7 errors' };
const passes: CheckVerdict = { state: 'Passes', detail: 'none' };
const unasked: CheckVerdict = { state: 'CannotBeAsked', detail: 'timeout' };
const errors: CheckPlace = { check: 'errors' };

for (const { fact, checks, place = errors, verdict, lines } of [
  { fact: 'a pass is only counted', verdict: passes, lines: ['checkAnswered "web", "errors", "Passes"'] },
  {
    fact: 'a first failure is told',
    verdict: fails,
    lines: [
      'checkAnswered "web", "errors", "Fails"',
      'Warning CheckFails NodeRollout/web-2: check errors fails: 7 errors ()',
      'warn check errors fails {"NodeRollout":{"name":"web-2"},"reason":"7 errors"}',
    ],
  },
  {
    fact: 'a failure after a failure is only counted',
    checks: known('Fails'),
    verdict: fails,
    lines: ['checkAnswered "web", "errors", "Fails"'],
  },
  {
    fact: 'a failure after a pass is told again',
    checks: known('Passes'),
    verdict: fails,
    lines: [
      'checkAnswered "web", "errors", "Fails"',
      'Warning CheckFails NodeRollout/web-2: check errors fails: 7 errors ()',
      'warn check errors fails {"NodeRollout":{"name":"web-2"},"reason":"7 errors"}',
    ],
  },
  {
    fact: 'a check that cannot be asked says so, and on which node',
    place: { check: 'errors', node: 'ip-1' },
    checks: known('Fails'),
    verdict: unasked,
    lines: [
      'checkAnswered "web", "errors", "CannotBeAsked"',
      'Warning CheckCannotBeAsked NodeRollout/web-2: check errors cannot be asked on ip-1: timeout ()',
      'warn check errors cannot be asked on ip-1 {"NodeRollout":{"name":"web-2"},"reason":"timeout"}',
    ],
  },
  {
    fact: 'the same answer on another node is news',
    place: { check: 'errors', node: 'ip-2' },
    checks: known('Fails', 'ip-1'),
    verdict: fails,
    lines: [
      'checkAnswered "web", "errors", "Fails"',
      'Warning CheckFails NodeRollout/web-2: check errors fails on ip-2: 7 errors ()',
      'warn check errors fails on ip-2 {"NodeRollout":{"name":"web-2"},"reason":"7 errors"}',
    ],
  },
] as readonly {
  fact: string;
  checks?: NodeRolloutStatus['checks'];
  place?: CheckPlace;
  verdict: CheckVerdict;
  lines: readonly string[];
}[]) {
  test(`of a check: ${fact}`, () => {
    expect(printEntries(reportVerdict(aRollout(checks), place, verdict))).toEqual(lines);
  });
}
