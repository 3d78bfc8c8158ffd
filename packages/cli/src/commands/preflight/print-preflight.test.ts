import type { PreflightFinding, PreflightReport } from '@nodewright/forecast';
import { expect, test } from 'vitest';
import { printPreflight } from './print-preflight.ts';

const finding = (verdict: PreflightFinding['verdict'], more: Partial<PreflightFinding> = {}): PreflightFinding => ({
  check: 'image',
  about: `EC2NodeClass ${verdict}`,
  verdict,
  says: 'has an image',
  ...more,
});
const report = (findings: readonly PreflightFinding[], unread: PreflightReport['unread'] = []): PreflightReport => ({
  from: '1.28',
  to: '1.29',
  findings,
  unread,
});

test('what stands against an upgrade comes first, with what to do about it', () => {
  const findings = [finding('ok'), finding('blocked', { instead: 'take al2023' }), finding('attention')];
  expect(printPreflight(report(findings))).toBe(`1.28 to 1.29: 1 blocked, 1 to look at, 1 in order

            CHECK   ABOUT                    FINDING
blocked     image   EC2NodeClass blocked     has an image -> take al2023
attention   image   EC2NodeClass attention   has an image
ok          image   EC2NodeClass ok          has an image`);
});

test('findings of one verdict keep their order', () => {
  const findings = ['b', 'a', 'c'].map((about) => finding('ok', { about }));
  const lines = printPreflight(report(findings)).split('\n').slice(-3);
  expect(lines.map((line) => line.split(/ {2,}/)[2])).toEqual(['b', 'a', 'c']);
});

test('a cluster that is in order says so, and what was not checked is named', () => {
  const unread = [
    { what: 'quotas', because: 'AccessDenied' },
    { what: 'subnets', because: 'no answer' },
  ];
  const text = printPreflight(report([finding('ok')], unread));
  expect(text.split('\n')[0]).toBe('1.28 to 1.29: nothing stands against it, 0 to look at, 1 in order');
  expect(text.split('\n\n').at(-1)).toBe('not checked: quotas: AccessDenied\nnot checked: subnets: no answer');
});
