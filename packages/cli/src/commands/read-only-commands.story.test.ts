import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '@stricli/core';
import {
  ec2NodeClasses,
  type KubernetesObject,
  nodeClaims,
  nodePools,
  nodes,
  pods,
  type ResourceType,
} from '@nodewright/apis';
import { builtInReleases, parseIamPolicy } from '@nodewright/aws-endpoints';
import { parseManifests } from '@nodewright/runtime';
import { aNode, aNodePool, aPod } from '@nodewright/testkit';
import { aServedCluster, aTerminal, aTestAccount, type ServedCluster } from '@nodewright/testkit/worlds';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createApplication } from '../app.ts';

const type = aTerminal((args, process) => run(createApplication, args, { process }));

const example = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../../../../examples/real-cluster', name), 'utf8');

const rbac = (kind: string, plural: string): ResourceType => ({
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind,
  plural,
  namespaced: false,
});

const nodeClass = {
  apiVersion: 'karpenter.k8s.aws/v1',
  kind: 'EC2NodeClass',
  metadata: { name: 'default' },
  spec: {
    role: 'KarpenterNodeRole-my-cluster',
    amiSelectorTerms: [{ alias: 'al2@latest' }],
    subnetSelectorTerms: [{ tags: { 'karpenter.sh/discovery': 'my-cluster' } }],
    securityGroupSelectorTerms: [{ tags: { 'karpenter.sh/discovery': 'my-cluster' } }],
  },
};

/** A cluster and an account in which the user of the commands has the rights that the documentation names, and no others. */
let cluster: ServedCluster;
const account = aTestAccount({
  releases: builtInReleases().of('1.28'),
  access: {
    of: 'signed',
    rules: { policy: parseIamPolicy(example('snapshot-iam-policy.json')), mode: 'enforce', onRefusal: () => undefined },
  },
});
const { aws } = account;

beforeAll(async () => {
  cluster = await aServedCluster({
    at: '2024-01-28T16:00:00Z',
    version: '1.28',
    aws: { handle: aws.handleSigned },
    asUser: 'reader',
  });
  const [role] = parseManifests(example('snapshot-rbac.yaml'));
  if (role === undefined) throw new Error('snapshot-rbac.yaml has no role');
  await cluster.store(rbac('ClusterRole', 'clusterroles'), role);
  await cluster.store(rbac('ClusterRoleBinding', 'clusterrolebindings'), {
    metadata: { name: 'reader' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role.metadata.name },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'reader' }],
  } as KubernetesObject);
  const subnets = aws.ec2.network.subnets.map(({ id, zone, zoneId }) => ({ id, zone, zoneID: zoneId }));
  await cluster.store(ec2NodeClasses, { ...nodeClass, status: { subnets } });
  await cluster.store(nodePools, aNodePool());
  const { node, nodeClaim } = aNode('a');
  if (nodeClaim !== undefined) await cluster.store(nodeClaims, nodeClaim);
  if (node !== undefined) await cluster.store(nodes, node);
  const pod = aPod('web', { nodeName: 'a' });
  await cluster.store(pods, { ...pod, spec: { ...pod.spec, containers: [{ name: 'main', image: 'web' }] } });
  writeFileSync(
    join(cluster.directory, 'class.json'),
    JSON.stringify({ ...nodeClass, spec: { ...nodeClass.spec, tags: { team: 'blue' } } }),
  );
  for (const [name, value] of Object.entries(cluster.environment)) vi.stubEnv(name, value);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await cluster.close();
});

const inDirectory = (name: string): string => join(cluster.directory, name);

test.each<readonly [string, () => readonly string[], number]>([
  ['snapshot', () => ['snapshot', '-o', inDirectory('all.json.gz')], 0],
  ['snapshot --redact', () => ['snapshot', '--redact', '-o', inDirectory('redacted.json.gz')], 0],
  ['forecast', () => ['forecast', '-f', inDirectory('class.json'), '--for', '5m', '--seeds', '1'], 0],
  ['preflight', () => ['preflight', '--kubernetes-version', '1.29'], 3],
  ['diff', () => ['diff', '-f', inDirectory('class.json')], 0],
])('%s only reads, and gets along with the rights of the documentation', async (_, words, status) => {
  const [requestsBefore, callsBefore] = [cluster.requests.length, aws.calls().length];
  const filesBefore = readdirSync(cluster.directory);
  const answer = await type(...words(), ...cluster.flags);
  expect(`${answer.out}\n${answer.err}`).not.toMatch(
    /not read|not checked|forbidden|not authorized|could not be read/i,
  );
  expect(answer).toEqual({ ...answer, status });
  const requests = cluster.requests.slice(requestsBefore);
  const calls = aws.calls().slice(callsBefore);
  expect(requests.length).toBeGreaterThan(3);
  expect(calls.length).toBeGreaterThan(3);
  expect(requests.filter((line) => !line.startsWith('GET '))).toEqual([]);
  expect(
    calls.map(({ operation }) => operation).filter((operation) => !/^(Describe|Get|List)/.test(operation)),
  ).toEqual([]);
  const named = words().filter((word) => word.endsWith('.gz'));
  expect(
    readdirSync(cluster.directory)
      .filter((file) => !filesBefore.includes(file))
      .map(inDirectory),
  ).toEqual(named);
});

test('the user of these commands may write nothing', async () => {
  const before = cluster.requests.length;
  const { status, err } = await type(
    'pause',
    '--nodepool',
    'default',
    '--reason',
    'no right',
    '--for',
    '1h',
    ...cluster.flags,
  );
  expect(status).not.toBe(0);
  expect(err).toContain('reader');
  expect(cluster.requests.slice(before).some((line) => !line.startsWith('GET '))).toBe(true);
});
