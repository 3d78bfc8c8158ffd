import { run } from '@stricli/core';
import { deployments, ec2NodeClasses, nodeClaims, type NodePool, nodePools, pods } from '@nodewright/apis';
import { kubeConfigCluster, type KubernetesClient, kubernetesClient, realTime } from '@nodewright/runtime';
import { sandboxNodeClass } from '@nodewright/testkit/worlds';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApplication } from '../app.ts';
import type { RunningSandbox } from '../world/running-sandbox.ts';
import { startEmbedded } from './sandbox/embedded.ts';

type Answer = { readonly status: number; readonly out: string; readonly err: string };

/** What a command line answers within this process. */
async function type(...args: readonly string[]): Promise<Answer> {
  const texts = { out: '', err: '' };
  const host: { exitCode?: number | string | null } & Record<'stdout' | 'stderr', { write(text: string): void }> = {
    stdout: { write: (text) => void (texts.out += text) },
    stderr: { write: (text) => void (texts.err += text) },
  };
  await run(createApplication, args, { process: host });
  return { ...texts, status: Number(host.exitCode ?? 0) };
}

const nodePool: NodePool = {
  metadata: { name: 'default' },
  spec: {
    disruption: { consolidateAfter: 'Never', budgets: [{ nodes: '1' }] },
    template: {
      spec: {
        nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
        requirements: [{ key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] }],
      },
    },
  },
};
const container = { name: 'app', image: 'pause', resources: { requests: { cpu: '1', memory: '256Mi' } } };
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'default' },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [container] } },
  },
};

let sandbox: RunningSandbox;
let client: KubernetesClient;
let node = '';
let environment: NodeJS.ProcessEnv = {};

beforeAll(async () => {
  sandbox = await startEmbedded({
    speed: 60,
    kubernetesVersion: '1.30',
    kubernetesPort: 0,
    awsPort: 0,
    controller: true,
    withWorkloadControllers: false,
  });
  environment = { ...process.env };
  Object.assign(process.env, sandbox.exported);
  await type('sandbox', 'clock', 'pause');
  const { transport } = await kubeConfigCluster({ file: sandbox.exported['KUBECONFIG'] ?? '' });
  client = kubernetesClient({ transport, gate: realTime().gate, userAgent: 'test' });
  await client.create(ec2NodeClasses, sandboxNodeClass);
  await client.create(nodePools, nodePool);
  await client.create(deployments, deployment);
  await type('sandbox', 'clock', 'advance', '5m');
  const [claim] = (await client.list(nodeClaims)).items;
  node = claim?.status?.nodeName ?? '';
});

afterAll(async () => {
  await sandbox.stop();
  for (const name of Object.keys(sandbox.exported)) delete process.env[name];
  Object.assign(process.env, environment);
});

describe('every command answers people, and programs in JSON and YAML', () => {
  test.each([
    ['images', 'ImageList', 'al2023'],
    ['images --family bottlerocket', 'ImageList', 'Bottlerocket'],
    ['images --nodeclass default --all', 'ImageList', 'selected'],
    ['explain nodeclass default', 'Explanation', 'launches'],
    ['explain nodepool default', 'Explanation', 'launches'],
    ['explain budget default', 'Explanation', 'Drifted 1'],
    ['nodegroup list', 'NodeGroupSummaryList', 'no node groups'],
    ['rollout list', 'NodeRolloutList', 'no rollouts'],
    ['sandbox scenarios', 'ScenarioList', 'managed-node-group'],
    ['sandbox clock', 'Clock', 'paused (speed 60)'],
    ['sandbox calls', 'AwsCallList', 'ec2:CreateFleet'],
    ['sandbox fault', 'FaultList', 'no faults'],
    ['sandbox release --family AL2023', 'ReleaseList', 'published'],
  ])('%s', async (line, kind, words) => {
    const args = line.split(' ');
    const text = await type(...args);
    expect(text).toMatchObject({ status: 0, err: '' });
    expect(text.out).toContain(words);
    const json = await type(...args, '-o', 'json');
    expect(JSON.parse(json.out)).toMatchObject({ apiVersion: 'nodewright.dev/v1alpha1', kind });
    expect((await type(...args, '-o', 'yaml')).out).toMatch(`apiVersion: nodewright.dev/v1alpha1\nkind: ${kind}\n`);
  });

  test('explain node and pod', async () => {
    expect((await type('explain', 'node', node)).out).toMatch(/^node \S+ stays: /i);
    const [pod] = (await client.list(pods)).items.filter(({ metadata }) => metadata.namespace === 'default');
    expect((await type('explain', 'pod', pod?.metadata.name ?? '')).out).toContain(node);
  });
});

test('top prints each view once where there is no terminal', async () => {
  const nodes = await type('top');
  expect(nodes).toMatchObject({ status: 0, err: '' });
  expect(nodes.out).toContain('NodePool/default: 1 ready');
  expect(nodes.out).toContain(node);
  expect((await type('top', '--once', '--view', 'blockers')).out).toContain('nothing is held');
  expect((await type('top', '--once', '--view', 'pods')).out).toContain('no pod waits');
  expect((await type('top', '--once', '--view', 'rollouts')).out).toContain('no rollout');
});

describe('what is asked of objects that are not there is wrong input', () => {
  test.each([
    ['images --nodeclass nope', 'no EC2NodeClass nope; there is default'],
    ['images --family AL3', 'must be one of AL2, AL2023, Bottlerocket'],
    ['images --family AL2 --nodeclass default', 'give one of them'],
    ['explain node nope', 'nope'],
    ['explain nodepool nope', 'nope'],
    ['explain nodeclass nope', 'nope'],
    ['explain budget nope', 'nope'],
    ['explain pod nope', 'nope'],
    ['explain pod kube-system/nope', 'nope'],
    ['nodegroup plan nope', 'nope'],
    ['nodegroup status nope', 'nope'],
    ['nodegroup history nope', 'nope'],
    ['nodegroup upgrade nope', 'nope'],
    ['rollout status', 'there is no rollout yet'],
    ['rollout halt nope --reason INC-7', 'there is no rollout yet'],
    ['rollout history nope', 'there is no NodeRolloutPolicy "nope"'],
    ['pause --reason INC-7', '--for: say how long, such as 2h'],
    ['pause --reason INC-7 --for 2h --nodepool nope', 'there is no NodePool "nope"; there are default'],
    ['resume nope', 'there is no DisruptionPause "nope"'],
    ['sandbox fault add nope', 'nope'],
    ['sandbox fault clear nope', 'nope'],
    ['sandbox release withdraw --family AL2023 --version nope', 'nope'],
  ])('%s', async (line, words) => {
    const answer = await type(...line.split(' '));
    expect(answer).toMatchObject({ status: 2, out: '' });
    expect(answer.err).toContain(words);
    expect(answer.err).not.toMatch(/ {4}at /);
  });
});

describe('values of flags are refused with what would be right', () => {
  test.each([
    ['sandbox clock speed 0', 'must be a number above 0, not "0"'],
    ['sandbox clock advance soon', 'soon'],
    ['sandbox calls --since -1', 'must be a whole number from 0, not "-1"'],
    ['sandbox start --aws-port 70000', 'must be a port from 0 to 65535'],
    ['sandbox start --kubernetes-version 1', 'must be a Kubernetes minor version such as 1.29, not "1"'],
    ['sandbox start --region here', 'must be an AWS region such as us-east-1, not "here"'],
    ['sandbox start --zones us-east-1a,us-east-1a', 'names a zone twice'],
    ['sandbox start --start-time yesterday', 'must be a time such as'],
    ['sandbox start --allowed-hosts http://x', 'must be host names or addresses without ports'],
    ['images -o table', 'table'],
    ['images --nodeclas default', 'did you mean --nodeclass?'],
    ['explain weather today', 'weather'],
  ])('%s', async (line, words) => {
    const answer = await type(...line.split(' '));
    expect(answer.out + answer.err).toContain(words);
    expect(answer.status).not.toBe(0);
  });
});

describe('the control commands', () => {
  test('the clock is moved and shown', async () => {
    const before = JSON.parse((await type('sandbox', 'clock', '-o', 'json')).out) as { now: string };
    const after = JSON.parse((await type('sandbox', 'clock', 'advance', '1h', '-o', 'json')).out) as { now: string };
    expect(Date.parse(after.now) - Date.parse(before.now)).toBe(3_600_000);
    expect((await type('sandbox', 'clock', 'speed', '10')).out).toContain('paused (speed 10)');
  });

  test('a fault is added, listed with its fields, and cleared by its id', async () => {
    const added = await type('sandbox', 'fault', 'add', 'throttle', '--service', 'ec2', '--operation', 'RunInstances');
    expect(added).toMatchObject({ status: 0, err: '' });
    expect(added.out).toContain('service=ec2 operation=RunInstances');
    const { items } = JSON.parse((await type('sandbox', 'fault', '-o', 'json')).out) as { items: { id: string }[] };
    expect((await type('sandbox', 'fault', 'clear', items[0]?.id ?? '')).out).toBe('no faults\n');
  });

  test('a release is published, deprecated and withdrawn', async () => {
    const which = ['--family', 'AL2023', '--version', 'v20991231', '--kubernetes-version', '1.30', '--arch', 'amd64'];
    const stateOf = async (action: string) => (await type('sandbox', 'release', action, ...which)).out;
    expect(await stateOf('publish')).toMatch(/v20991231 .* published/);
    expect(await stateOf('deprecate')).toMatch(/v20991231 .* deprecated/);
    expect(await stateOf('withdraw')).toMatch(/v20991231 .* withdrawn/);
  });

  test('calls after a number', async () => {
    const { items } = JSON.parse((await type('sandbox', 'calls', '-o', 'json')).out) as { items: { number: number }[] };
    const last = items.at(-1)?.number ?? 0;
    const later: unknown = JSON.parse((await type('sandbox', 'calls', '--since', String(last), '-o', 'json')).out);
    expect(later).toMatchObject({ items: [] });
  });
});

test('a pause is stored with its scope and its end, and resume deletes it', async () => {
  const paused = await type('pause', '--nodepool', 'default', '--for', '2h', '--reason', 'INC-7', '-o', 'json');
  const pause: unknown = JSON.parse(paused.out);
  expect(pause).toMatchObject({ kind: 'DisruptionPause', spec: { reason: 'INC-7', inFlight: 'Finish' } });
  const resumed = await type('resume', '--nodepool', 'default');
  expect(resumed.out).toMatch(
    /^DisruptionPause pause-\S+ is deleted: everything voluntary of NodePools default goes on/,
  );
  expect((await type('resume')).out).toBe('nothing is paused\n');
});

test('without a sandbox the control commands say what to export', async () => {
  const { NODEWRIGHT_SANDBOX = '' } = process.env;
  try {
    delete process.env['NODEWRIGHT_SANDBOX'];
    expect((await type('sandbox', 'clock')).err).toContain('NODEWRIGHT_SANDBOX is not set');
    process.env['NODEWRIGHT_SANDBOX'] = 'here';
    expect((await type('sandbox', 'clock')).err).toContain('NODEWRIGHT_SANDBOX is "here", wanted a URL');
    process.env['NODEWRIGHT_SANDBOX'] = 'http://127.0.0.1:1';
    expect(await type('sandbox', 'clock')).toMatchObject({
      status: 2,
      err: expect.stringContaining('is it still running?'),
    });
  } finally {
    process.env['NODEWRIGHT_SANDBOX'] = NODEWRIGHT_SANDBOX;
  }
});

test('the definitions are one stream of YAML', async () => {
  const { out } = await type('crds');
  expect(out.match(/^kind: CustomResourceDefinition$/gm)).toHaveLength(10);
});
