import type { KubernetesObject } from '@nodewright/apis';
import type { LintFinding } from '@nodewright/lint';
import { expect, test } from 'vitest';
import { printEntries } from '@nodewright/testkit/worlds';
import { planManifestLint } from './plan.ts';
import { reportLintFinding } from './report.ts';

const pool = (generation: number): KubernetesObject => ({
  kind: 'NodePool',
  metadata: { name: 'default', uid: 'u1', generation },
});
const finding = (generation: number, more: Partial<LintFinding> = {}): LintFinding => ({
  object: pool(generation),
  rule: 'budget-always-closed',
  severity: 'warning',
  path: ['spec', 'disruption', 'budgets', 0],
  why: 'it keeps nodes for ever',
  instead: 'write a schedule',
  ...more,
});

test('a finding is told once for a generation of its object', () => {
  const first = planManifestLint([finding(1)], new Map());
  const again = planManifestLint([finding(1)], first.told);
  const changed = planManifestLint([finding(2)], again.told);
  expect([first, again, changed].map(({ toTell }) => toTell.length)).toEqual([1, 0, 1]);
});

test('another rule, and another field, are findings of their own', () => {
  const first = planManifestLint([finding(1)], new Map());
  const other = finding(1, { path: ['spec', 'disruption', 'budgets', 1] });
  const unlimited = finding(1, { rule: 'unlimited' });
  expect(planManifestLint([finding(1), other, unlimited], first.told).toTell).toEqual([other, unlimited]);
});

test('notes are not told, and what was found before and is not found now may come again', () => {
  expect(planManifestLint([finding(1, { severity: 'note' })], new Map()).toTell).toEqual([]);
  const first = planManifestLint([finding(1)], new Map());
  expect(planManifestLint([], first.told).told.size).toBe(0);
});

test('the event has the field, the reason, what to write and the rule', () => {
  expect(printEntries(reportLintFinding(finding(1)))).toEqual([
    'Warning ManifestWarning NodePool/default: spec.disruption.budgets[0]: it keeps nodes for ever; write a schedule [budget-always-closed] (u1, 1, budget-always-closed, spec.disruption.budgets.0)',
  ]);
});
