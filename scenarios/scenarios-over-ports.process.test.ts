import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { safetyNetMs } from './support/safety-net.ts';

const launcher = join(import.meta.dirname, '../packages/cli/bin/nodewright.mjs');

const scenario = `
apiVersion: nodewright.dev/v1alpha1
kind: Scenario
metadata: {name: the web gets a node}
spec:
  given: pool.yaml
  steps:
    - waitUntil: nodes.exists(n, n.ready) && pods.all(p, p.ready)
    - expect: nodes.size() == 1 && nodes[0].pool == "default"
`;

const pool = `
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {name: default}
spec:
  role: MyNodeRole
  amiSelectorTerms: [{alias: al2023@latest}]
  subnetSelectorTerms: [{tags: {'karpenter.sh/discovery': my-cluster}}]
  securityGroupSelectorTerms: [{tags: {'karpenter.sh/discovery': my-cluster}}]
---
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: default}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
      requirements: [{key: karpenter.k8s.aws/instance-family, operator: In, values: [m5]}]
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: nginx, resources: {requests: {cpu: '1'}}}]}
`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'scenarios-over-ports-'));
  writeFileSync(join(folder, 'pool.yaml'), pool);
  writeFileSync(join(folder, 'first.yaml'), scenario);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** `nodewright test` as a process of its own. */
const runTest = (...flags: readonly string[]): Promise<{ readonly failed: boolean; readonly text: string }> =>
  new Promise((resolve) => {
    const args = [launcher, 'test', join(folder, 'first.yaml'), ...flags];
    execFile(process.execPath, args, { timeout: safetyNetMs }, (error, stdout, stderr) =>
      resolve({ failed: error !== null, text: stdout + stderr }),
    );
  });

test('a scenario passes over ports, with the controller as a process that follows the clock', async () => {
  const { failed, text } = await runTest('--wire');
  expect(text).toContain('PASS  the web gets a node');
  expect(failed).toBe(false);
});

test('a scenario passes with a controller that a command starts and that has a clock of its own', async () => {
  const command = `"${process.execPath}" "${launcher}" controller --log-level error`;
  const { failed, text } = await runTest('--controller', command, '--speed', '10');
  expect(text).toContain('The clock of the cluster begins now and runs at 10 times the speed of yours');
  expect(text).toContain('PASS  the web gets a node');
  expect(failed).toBe(false);
});

test('a controller that ends before it connects fails the run and names its status', async () => {
  const { failed, text } = await runTest('--controller', 'exit 7');
  expect(text).toContain('the controller ended with status 7 before it watched NodeClaims');
  expect(failed).toBe(true);
});
