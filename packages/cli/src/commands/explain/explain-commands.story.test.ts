import { run } from '@stricli/core';
import {
  disruptionPauses,
  ec2NodeClasses,
  nodeClaims,
  nodeGroups,
  nodePools,
  nodeRolloutPolicies,
  nodeRollouts,
  nodes,
} from '@nodewright/apis';
import { aNode, aNodePool } from '@nodewright/testkit';
import { aServedCluster, aTerminal, aTestAccount, type ServedCluster, x86 } from '@nodewright/testkit/worlds';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createApplication } from '../../app.ts';

const type = aTerminal((args, process) => run(createApplication, args, { process }));
const at = '2024-08-15T10:00:00Z';
const image = (id: string, release: string) => ({
  source: 'EC2NodeClass/default',
  variant: 'AL2/amd64/none',
  image: id,
  release,
});

/** A cluster with a pool, a node of it, a policy with a rollout that is paused, and a NodeGroup that is behind. */
let cluster: ServedCluster;
beforeAll(async () => {
  const { aws } = aTestAccount({ releases: [x86] });
  cluster = await aServedCluster({ at, version: '1.29', aws });
  const byTag = [{ tags: { 'karpenter.sh/discovery': 'my-cluster' } }];
  await cluster.store(ec2NodeClasses, {
    metadata: { name: 'default' },
    spec: {
      role: 'KarpenterNodeRole-my-cluster',
      amiSelectorTerms: [{ alias: 'al2@latest' }],
      subnetSelectorTerms: byTag,
      securityGroupSelectorTerms: byTag,
    },
  });
  await cluster.store(nodePools, aNodePool());
  const { node, nodeClaim } = aNode('a');
  if (nodeClaim !== undefined) await cluster.store(nodeClaims, nodeClaim);
  if (node !== undefined) await cluster.store(nodes, node);
  await cluster.store(nodeRolloutPolicies, { metadata: { name: 'production' }, spec: {} });
  await cluster.store(nodeRollouts, {
    metadata: { name: 'production-1' },
    spec: {
      policy: 'production',
      number: 1,
      cause: 'NewRelease',
      from: [image('ami-1', 'v20240807')],
      to: [image('ami-2', 'v20240814')],
      kubernetesVersion: '1.29',
      members: 4,
    },
    status: {
      state: 'Soaking',
      wave: 'canary',
      startedAt: at,
      total: 4,
      updated: 1,
      ready: 1,
      failed: 0,
      remaining: 3,
    },
  });
  await cluster.store(disruptionPauses, {
    metadata: { name: 'incident' },
    spec: { reason: 'INC-7', scope: { reasons: ['Drifted'] } },
  });
  await cluster.store(nodeGroups, {
    metadata: { name: 'workers' },
    spec: { eks: { name: 'workers' }, image: { amiSelectorTerms: [{ alias: 'al2@latest' }] } },
    status: { phase: 'Outdated', reason: 'an update would begin', nodes: { total: 2, updated: 0, ready: 2 } },
  });
  for (const [name, value] of Object.entries(cluster.environment)) vi.stubEnv(name, value);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await cluster.close();
});

const sh = (text: string) => type(...text.split(' '), ...cluster.flags);

describe('what is there is explained, with the answer first', () => {
  test.each<readonly [command: string, subject: object, answer: RegExp]>([
    ['node a', { kind: 'Node', name: 'a' }, /./],
    ['nodepool default', { kind: 'NodePool', name: 'default' }, /./],
    ['budget default', { kind: 'NodePool', name: 'default' }, /^Drifted 1 more, Underutilized 1 more/],
    ['nodeclass default', { kind: 'EC2NodeClass', name: 'default' }, /ami-0aaaaaaaaaaaaaaa1|AL2|launch/],
    ['rollout production-1', { kind: 'NodeRollout', name: 'production-1' }, /^is Soaking, wave canary: 1 of 4 updated/],
    ['rollout production', { kind: 'NodeRollout', name: 'production-1' }, /^is Soaking/],
    ['nodegroup workers', { kind: 'NodeGroup', name: 'workers' }, /Outdated|update/i],
  ])('explain %s', async (command, subject, answer) => {
    const { status, out, err } = await sh(`explain ${command} -o json`);
    expect([status, err]).toEqual([0, '']);
    const told = JSON.parse(out) as { readonly answer: string };
    expect(told).toMatchObject({ apiVersion: 'nodewright.dev/v1alpha1', kind: 'Explanation', subject });
    expect(told.answer).toMatch(answer);
    const { out: text } = await sh(`explain ${command}`);
    expect(text.split('\n')[0]).toContain(told.answer);
  });
});

describe('what is not there ends with 2 and says what there is', () => {
  test.each([
    ['node x', 'x'],
    ['nodepool x', 'default'],
    ['budget x', 'default'],
    ['nodeclass x', 'default'],
    ['rollout x', 'production-1'],
    ['nodegroup x', 'workers'],
    ['pod web', 'web'],
  ])('explain %s', async (command, known) => {
    const { status, out, err } = await sh(`explain ${command}`);
    expect([status, out]).toEqual([2, '']);
    expect(err).toMatch(/^error: no [A-Za-z ]+/);
    expect(err).toContain(known);
    expect(err.split('\n')).toHaveLength(1);
  });
});

test('a rollout tells how a person can go on, and where to look further', async () => {
  const { out } = await sh('explain rollout production-1 -o json');
  const { reasons, seeAlso } = JSON.parse(out) as { readonly reasons: readonly string[]; readonly seeAlso: string };
  expect(reasons.some((reason) => reason.includes('v20240807 (ami-1) -> v20240814 (ami-2)'))).toBe(true);
  expect(reasons.some((reason) => reason.includes('nodewright rollout halt production-1'))).toBe(true);
  expect(seeAlso).toContain('nodewright rollout plan production');
});

test('the definitions of the cluster are compared with ours, and nothing stands against them', async () => {
  const { status, out, err } = await sh('crds --upgrade-check -o json');
  expect(status).toBe(0);
  const { kind, findings } = JSON.parse(out) as { readonly kind: string; readonly findings: readonly object[] };
  expect(kind).toBe('DefinitionReport');
  expect(findings.filter((finding) => (finding as { readonly state: string }).state === 'blocked')).toEqual([]);
  expect(err).toContain('nodewright crds | kubectl apply --server-side --force-conflicts -f -');
  expect((await sh('crds --upgrade-check')).out.split('\n')[0]).toMatch(/^STATE +DEFINITION +MESSAGE$/);
});

test('commands only read', () => {
  expect(cluster.requests.filter((line) => !line.startsWith('GET '))).toEqual([]);
});
