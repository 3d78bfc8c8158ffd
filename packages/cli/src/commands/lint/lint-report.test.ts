import { instant } from '@nodewright/apis';
import { lintManifests } from '@nodewright/lint';
import { expect, test } from 'vitest';
import { reportFindings } from './lint-report.ts';
import { locateManifests } from './located-manifests.ts';
import { printLintReport } from './print-report.ts';

const now = instant(Date.parse('2026-01-15T12:00:00Z'));

function reported(text: string) {
  const manifests = locateManifests({ source: 'pool.yaml', text });
  return reportFindings(
    manifests,
    lintManifests(
      manifests.map(({ object }) => object),
      { now },
    ),
  );
}

const poolWith = (budgets: string, before = '') => `${before}apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: web}
spec:
  limits: {cpu: "10"}
  template:
    spec:
      terminationGracePeriod: 24h
      expireAfter: Never
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: web}
      requirements: []
  disruption:
    consolidateAfter: 1m
    budgets:
${budgets}`;

test('a finding has the place of its field', () => {
  const { findings } = reported(poolWith('    - nodes: "10%"\n    - nodes: "20%"\n'));
  expect(findings).toMatchObject([
    { rule: 'budget-without-effect', line: 16, column: 7, field: 'spec.disruption.budgets[1]' },
  ]);
});

test('where the field is not written, it has the place of what would hold it', () => {
  const { findings } = reported(poolWith('    - nodes: "10%"\n').replace('  limits: {cpu: "10"}\n', ''));
  expect(findings).toMatchObject([{ rule: 'pool-without-limits', line: 4, column: 1, field: 'spec.limits' }]);
});

for (const { fact, text } of [
  {
    fact: 'behind the field',
    text: poolWith('    - nodes: "10%"\n    - nodes: "20%" # nodewright:ignore budget-without-effect kept for June\n'),
  },
  {
    fact: 'above the field',
    text: poolWith(
      '    - nodes: "10%"\n    # nodewright:ignore budget-without-effect kept for June\n    - nodes: "20%"\n',
    ),
  },
  {
    fact: 'above the object',
    text: poolWith(
      '    - nodes: "10%"\n    - nodes: "20%"\n',
      '# nodewright:ignore budget-without-effect kept for June\n',
    ),
  },
])
  test(`a remark ${fact} silences its rule, with the reason`, () => {
    const { findings, ignored } = reported(text);
    expect(findings).toEqual([]);
    expect(ignored).toMatchObject([{ rule: 'budget-without-effect', reason: 'kept for June' }]);
  });

test('a remark of another document silences nothing, and is told', () => {
  const other = 'apiVersion: v1\nkind: Namespace\nmetadata: {name: web}\n---\n';
  const { findings } = reported(
    `# nodewright:ignore budget-without-effect kept\n${other}${poolWith('    - nodes: "10%"\n    - nodes: "20%"\n')}`,
  );
  expect(findings.map(({ rule, severity }) => `${rule} ${severity}`)).toEqual([
    'ignore-remark note',
    'budget-without-effect warning',
  ]);
});

test('a remark without a reason, and one for a rule that there is not, are errors', () => {
  const { findings } = reported(
    poolWith(
      '    - nodes: "10%"\n    # nodewright:ignore budget-without-effect\n    - nodes: "20%"\n    # nodewright:ignore no-such-rule because\n',
    ),
  );
  expect(findings.map(({ rule, severity, why }) => `${rule} ${severity} ${why}`)).toEqual([
    'ignore-remark error it gives no reason, so it silences nothing',
    expect.stringMatching(/^budget-without-effect warning /),
    'ignore-remark error there is no rule "no-such-rule"',
  ]);
});

test('objects of a list and of v1beta1 have places too', () => {
  const item = poolWith('    - nodes: "10%"\n    - nodes: "20%"\n')
    .replaceAll(/^/gm, '  ')
    .replace('  apiVersion', '- apiVersion');
  const { findings } = reported(`apiVersion: v1\nkind: List\nitems:\n${item}`);
  expect(findings).toMatchObject([{ line: 19, object: { kind: 'NodePool', name: 'web' } }]);
});

test('the text begins each finding as compilers do, and ends with a summary', () => {
  const text = printLintReport(reported(poolWith('    - nodes: "10%"\n    - nodes: "20%"\n')));
  expect(text).toMatch(
    /^pool\.yaml:16:7: warning: NodePool web spec\.disruption\.budgets\[1\]: \{nodes: "20%"\} \[budget-without-effect\]\n {2}\w/,
  );
  expect(text).toMatch(/\n\n0 errors, 1 warning, 0 notes in 1 object$/);
});
