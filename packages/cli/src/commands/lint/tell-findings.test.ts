import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { instant } from '@nodewright/apis';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findLintProblems } from './tell-findings.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tell-findings-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const now = instant(Date.parse('2026-03-02T08:00:00Z'));

const pool = `apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: web}
spec:
  limits: {cpu: "10"}
  template:
    spec:
      expireAfter: Never
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: web}
      requirements: []
  disruption:
    consolidateAfter: 1m
    budgets:
    - nodes: "0" # REMARK
`;

test('errors and warnings of files are found, without notes, and without those that a remark silences', () => {
  const file = join(folder, 'pool.yaml');
  writeFileSync(file, pool);
  expect(
    findLintProblems({ paths: [folder, '-', join(folder, 'none')], now }).map(({ rule, line }) => [rule, line]),
  ).toEqual([['budget-always-closed', 14]]);
  writeFileSync(file, pool.replace('REMARK', 'nodewright:ignore budget-always-closed by hand'));
  expect(findLintProblems({ paths: [file], now })).toEqual([]);
});

test('files that cannot be read are left to the command that takes them', () => {
  const file = join(folder, 'broken.yaml');
  writeFileSync(file, 'kind: [');
  expect(findLintProblems({ paths: [file], now })).toEqual([]);
});
