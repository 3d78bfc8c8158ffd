import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lintRules } from '@nodewright/lint';
import { aTerminal } from '@nodewright/testkit/worlds';
import { run } from '@stricli/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApplication } from '../../app.ts';

const type = aTerminal((args, process) => run(createApplication, args, { process }));

const nodeClass = `apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {name: default}
spec:
  role: KarpenterNodeRole-my-cluster
  amiSelectorTerms: [{alias: al2023@v20240828}]
  subnetSelectorTerms: [{tags: {karpenter.sh/discovery: my-cluster}}]
  securityGroupSelectorTerms: [{tags: {karpenter.sh/discovery: my-cluster}}]
`;
const poolWith = (budgets: string, more = ''): string => `apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: default}
spec:
  limits: {cpu: 100}
  template:
    spec:
      terminationGracePeriod: 24h
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: ${more === '' ? 'default' : more}}
      requirements: [{key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}]
  disruption:
    consolidateAfter: 1m
    budgets:
    - ${budgets}
`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'linted-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

let written = 0;
/** Puts manifests into a folder of their own. */
function put(files: Readonly<Record<string, string>>): string {
  written += 1;
  const own = join(folder, String(written));
  mkdirSync(own);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(own, name), text);
  return own;
}
const lint = async (path: string, ...flags: readonly string[]) => {
  const { status, out, err } = await type('lint', '-f', path, '--at', '2024-08-20T12:00:00Z', ...flags);
  const plain = (text: string): string => text.replaceAll(path, 'F');
  return { status, out: plain(out), err: plain(err) };
};

describe('nodewright lint', () => {
  test('finds nothing in manifests that do what people expect', async () => {
    const own = put({ 'class.yaml': nodeClass, 'pool.yaml': poolWith("{nodes: '1'}") });
    expect(await lint(own)).toMatchObject({
      status: 0,
      out: expect.stringContaining('0 errors, 0 warnings, 0 notes in 2 objects'),
    });
  });

  test('tells place, rule, reason and remedy of what it finds', async () => {
    const own = put({ 'class.yaml': nodeClass, 'pool.yaml': poolWith("{nodes: '0'}") });
    const { out, status } = await lint(join(own, 'pool.yaml'), '-f', join(own, 'class.yaml'));
    expect(status).toBe(1);
    expect(out).toMatch(
      /^F:14:7: warning: NodePool default spec\.disruption\.budgets\[0\]: \{nodes: "0"\} \[budget-always-closed\]\n {2}\S.*\n {2}\S/m,
    );
    expect(out).toMatch(/\n\n0 errors, 1 warning, 1 note in 2 objects$/);
  });

  test('answers as an object', async () => {
    const own = put({ 'class.yaml': nodeClass, 'pool.yaml': poolWith("{nodes: '0'}") });
    const { out } = await lint(own, '-o', 'json');
    expect(JSON.parse(out)).toMatchObject({
      objects: 2,
      findings: [
        { rule: 'expiry-asks-no-budget', severity: 'note' },
        { rule: 'budget-always-closed', severity: 'warning', object: { kind: 'NodePool', name: 'default' }, line: 14 },
      ],
    });
  });

  test('fails from the severity on that is asked for', async () => {
    const own = put({
      'class.yaml': nodeClass,
      'pool.yaml': poolWith("{nodes: '1'}").replace('  limits: {cpu: 100}\n', ''),
    });
    const { out, status } = await lint(own);
    expect(status).toBe(0);
    expect(out).toMatch(/(note|warning): NodePool default/);
    expect((await lint(own, '--fail-on', 'note')).status).toBe(1);
  });

  test('passes over a rule that a remark names, and counts it', async () => {
    const remark = '# nodewright:ignore budget-always-closed frozen until May';
    const remarked = poolWith("{nodes: '0'}").replace("{nodes: '0'}", `{nodes: '0'} ${remark}`);
    const { out } = await lint(put({ 'class.yaml': nodeClass, 'pool.yaml': remarked }));
    expect(out).not.toContain('[budget-always-closed]');
    expect(out).toMatch(/0 errors, 0 warnings, 1 note in 2 objects; 1 ignored by remarks$/);
  });

  test('lists its rules', async () => {
    const { status, out } = await type('lint', '--rules');
    expect(status).toBe(0);
    for (const { name, severity } of lintRules) expect(out).toMatch(new RegExp(`^${name} +${severity} `, 'm'));
    const { out: json } = await type('lint', '--rules', '-o', 'json');
    expect(JSON.parse(json)).toMatchObject({ kind: 'LintRuleList', items: { length: lintRules.length } });
  });

  test('knows the types that a pool could launch', async () => {
    const impossible = poolWith("{nodes: '1'}").replace(
      'requirements: [',
      'requirements: [{key: node.kubernetes.io/instance-type, operator: In, values: [x9.large]}, ',
    );
    const { status, out } = await lint(put({ 'class.yaml': nodeClass, 'pool.yaml': impossible }));
    expect(status).toBe(1);
    expect(out).toMatch(/pool\.yaml:\d+:\d+: error: NodePool default/);
  });
});

describe('nodewright lint refuses', () => {
  test('no manifests at all', async () => {
    expect(await type('lint')).toMatchObject({
      status: 2,
      err: 'error: nothing to lint: give manifests with -f FILE, -f DIR or -f -',
    });
  });

  test.each<[fact: string, files: Readonly<Record<string, string>>, message: RegExp]>([
    ['a folder without manifests', { 'notes.yaml': 'a: 1\n' }, /there is no manifest in it|is no manifest/],
    ['YAML that is none', { 'pool.yaml': 'a: [\n' }, /pool\.yaml/],
    [
      'what an API server would refuse',
      { 'class.yaml': nodeClass, 'pool.yaml': poolWith("{nodes: 'many'}") },
      /pool\.yaml.*NodePool.*default.*spec\.disruption\.budgets\[0\]\.nodes/s,
    ],
  ])('%s', async (_, files, message) => {
    const { status, err } = await lint(put(files));
    expect(status).toBe(2);
    expect(err).toMatch(message);
  });
});
