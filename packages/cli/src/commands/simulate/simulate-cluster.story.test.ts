import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deployments, ec2NodeClasses, nodePools, nodes, pods, replicaSets } from '@nodewright/apis';
import { aNodePool } from '@nodewright/testkit';
import { aServedCluster, aTerminal, type ServedCluster } from '@nodewright/testkit/worlds';
import { run } from '@stricli/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApplication } from '../../app.ts';

const type = aTerminal((args, process) => run(createApplication, args, { process }));

const containers = (cpu: string) => [{ name: 'main', image: 'x', resources: { requests: { cpu } } }];
const labels = { app: 'web' };
const template = (cpu: string) => ({ metadata: { labels }, spec: { containers: containers(cpu) } });
const aNodeOf = (name: string, cpu: string) => ({
  metadata: {
    name,
    labels: {
      'topology.kubernetes.io/zone': 'us-east-1b',
      'kubernetes.io/arch': 'amd64',
      'kubernetes.io/os': 'linux',
      'kubernetes.io/hostname': name,
    },
  },
  spec: { providerID: `aws:///us-east-1b/i-${name}` },
  status: {
    capacity: { cpu, memory: '8Gi', pods: '29' },
    allocatable: { cpu, memory: '7Gi', pods: '29' },
  },
});

let cluster: ServedCluster, bare: ServedCluster;
beforeAll(async () => {
  cluster = await aServedCluster({ at: '2024-01-28T16:00:00Z', version: '1.28' });
  bare = await aServedCluster({ areKindsInstalled: false });
  const byTag = [{ tags: { 'karpenter.sh/discovery': 'my-cluster' } }];
  await cluster.store(ec2NodeClasses, {
    metadata: { name: 'default' },
    spec: {
      role: 'r',
      amiSelectorTerms: [{ alias: 'al2023@latest' }],
      subnetSelectorTerms: byTag,
      securityGroupSelectorTerms: byTag,
    },
  });
  await cluster.store(nodePools, aNodePool());
  await cluster.store(nodes, aNodeOf('a', '2'), aNodeOf('b', '3'));
  // A new node has the taint not-ready until its controller takes it off.
  const patch = { spec: { taints: null } };
  for (const name of ['a', 'b']) await cluster.ask((client) => client.patch(nodes, { name }, { type: 'merge', patch }));
  const spec = { replicas: 2, selector: { matchLabels: labels }, template: template('1') };
  await cluster.store(deployments, { metadata: { name: 'web', namespace: 'default' }, spec });
  await cluster.store(replicaSets, { metadata: { name: 'web-1', namespace: 'default', labels }, spec });
  for (const [name, node] of [
    ['web-1-x', 'a'],
    ['web-1-y', 'b'],
  ] as const)
    await cluster.store(pods, {
      metadata: { name, namespace: 'default', labels },
      spec: { containers: containers('1'), nodeName: node },
      status: { phase: 'Running' },
    });
});
afterAll(async () => {
  await cluster.close();
  await bare.close();
});

/** A manifest in the directory of the cluster. */
const put = (name: string, object: object): string => {
  const file = join(cluster.directory, name);
  writeFileSync(file, JSON.stringify(object));
  return file;
};
const aWorkload = (name: string, replicas: number, cpu: string) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: { replicas, selector: { matchLabels: labels }, template: template(cpu) },
});
const simulate = (...args: readonly string[]) => type('simulate', ...args, '--kubeconfig', cluster.flags[1] ?? '');
type Solved = {
  readonly newNodes: readonly { readonly pods: readonly string[] }[];
  readonly existing: readonly object[];
};
const solutionOf = async (...args: readonly string[]) => {
  const { status, out, err } = await simulate(...args, '-o', 'json');
  return { status, err, ...(JSON.parse(out) as Solved) };
};

describe('beside a cluster', () => {
  test('what fits into its nodes launches nothing', async () => {
    const solution = await solutionOf('-f', put('small.json', aWorkload('small', 2, '500m')));
    expect(solution).toMatchObject({ status: 0, kind: 'SchedulingSolution', newNodes: [], errors: [] });
    expect(JSON.stringify(solution)).toContain('default/small-2');
  });

  test('what does not is launched from its pools', async () => {
    const { status, newNodes, err } = await solutionOf('-f', put('large.json', aWorkload('large', 1, '2500m')));
    expect({ status, err }).toEqual({ status: 0, err: '' });
    expect(newNodes.map((node) => node.pods)).toEqual([['default/large-1']]);
  });

  test('its own workloads are not placed a second time', async () => {
    const { newNodes, existing } = await solutionOf();
    expect({ newNodes, existing }).toMatchObject({ newNodes: [], existing: [] });
  });

  test('a node that goes away hands its pods to the others', async () => {
    const text = await simulate('--remove-node', 'a');
    expect(text).toMatchObject({ status: 0, err: '' });
    expect(text.out).toContain('default/web-1-x');
    expect((await solutionOf('--remove-node', 'a')).newNodes).toEqual([]);
  });

  test('a node that is not there is refused, with those that are', async () => {
    expect(await simulate('--remove-node', 'x')).toEqual({
      status: 2,
      out: '',
      err: 'error: there is no node x; there are a, b',
    });
  });

  test('a manifest stands for the object of its name', async () => {
    const pool = { ...aNodePool('default', { limits: { cpu: '0' } }), apiVersion: 'karpenter.sh/v1', kind: 'NodePool' };
    const [limited, large] = [put('limited.json', pool), put('large.json', aWorkload('large', 1, '2500m'))];
    const answer = await simulate('-f', limited, '-f', large);
    expect(answer.status).toBe(3);
    expect(answer.err).toBe('error: 1 pod has no place');
    expect(answer.out).toMatch(/default\/large-1/);
  });

  test('the problem is saved as it is solved, and solved again the same', async () => {
    const [large, saved] = [put('large.json', aWorkload('large', 2, '2500m')), join(cluster.directory, 'saved.json')];
    const { newNodes } = await solutionOf('-f', large, '--save-problem', saved);
    const again = await type('simulate', '--problem', saved, '-o', 'json');
    const solved = JSON.parse(again.out) as { readonly newNodes: readonly { readonly pods: readonly string[] }[] };
    expect(solved.newNodes.map((node) => node.pods)).toEqual(newNodes.map((node) => node.pods));
  });

  test('what solving took is written', async () => {
    const stats = join(cluster.directory, 'stats.json');
    await simulate('-f', put('small.json', aWorkload('small', 1, '1m')), '--stats', stats);
    expect(JSON.parse(readFileSync(stats, 'utf8'))).toEqual({
      setupMs: expect.any(Number),
      solveMs: expect.any(Number),
      peakRssBytes: expect.any(Number),
    });
  });

  test('nothing is written, and no clock and no cloud is asked', () => {
    expect(cluster.requests.filter((line) => !line.startsWith('GET '))).toEqual([]);
  });
});

test('a cluster without the kinds of Karpenter has no pools: nothing can be launched', async () => {
  const file = put('alone.json', aWorkload('alone', 1, '1'));
  const { status, out, err } = await type('simulate', '-f', file, '--kubeconfig', bare.flags[1] ?? '');
  expect({ status, err }).toEqual({ status: 3, err: 'error: 1 pod has no place' });
  expect(out).toContain('default/alone-1');
});
