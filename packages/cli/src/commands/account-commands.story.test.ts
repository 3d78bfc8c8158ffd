import { run } from '@stricli/core';
import { ec2NodeClasses, nodeClaims, nodeGroups, nodePools, nodes, type NodeGroup, pods } from '@nodewright/apis';
import { aNode, aNodePool, aPod } from '@nodewright/testkit';
import { aNodeGroupAccount, aServedCluster, aTerminal, type ServedCluster } from '@nodewright/testkit/worlds';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createApplication } from '../app.ts';

const type = aTerminal((args, process) => run(createApplication, args, { process }));

const at = '2024-01-28T16:00:00Z';
const own = (alias: string, status?: NodeGroup['status']): NodeGroup => ({
  metadata: { name: 'own' },
  spec: { eks: { name: 'workers' }, image: { amiSelectorTerms: [{ alias }] } },
  ...(status === undefined ? {} : { status }),
});

/** An account with a managed group of two nodes; a cluster that keeps nothing, and one that keeps the group as `own`. */
let bare: ServedCluster, full: ServedCluster;
beforeAll(async () => {
  const account = await aNodeGroupAccount();
  await account.active();
  bare = await aServedCluster({ at, version: '1.28', aws: account.aws });
  full = await aServedCluster({ at, version: '1.28' });
  await full.store(
    nodeGroups,
    own('al2@latest', {
      phase: 'UpToDate',
      reason: 'every node is on the target',
      nodes: { total: 2, updated: 2, ready: 2 },
      target: { release: '1.28.5-20240117', image: 'ami-0aaaaaaaaaaaaaaa3' },
      history: [{ number: 1, target: '1.28.5-20240117', outcome: 'Successful', startedAt: at, endedAt: at }],
    }),
  );
  const { node, nodeClaim } = aNode('a');
  const byTag = [{ tags: { 'karpenter.sh/discovery': 'my-cluster' } }];
  await full.store(ec2NodeClasses, {
    metadata: { name: 'default' },
    spec: {
      role: 'KarpenterNodeRole-my-cluster',
      amiSelectorTerms: [{ alias: 'bottlerocket@latest' }],
      subnetSelectorTerms: byTag,
      securityGroupSelectorTerms: byTag,
    },
  });
  await full.store(nodePools, aNodePool());
  if (nodeClaim !== undefined) {
    const initialized = { type: 'Initialized', status: 'True', lastTransitionTime: at } as const;
    await full.store(nodeClaims, { ...nodeClaim, status: { ...nodeClaim.status, conditions: [initialized] } });
  }
  if (node !== undefined) await full.store(nodes, node);
  const pod = aPod('web', { nodeName: 'a' });
  await full.store(pods, { ...pod, spec: { ...pod.spec, containers: [{ name: 'main', image: 'web' }] } });
  for (const [name, value] of Object.entries(bare.environment)) vi.stubEnv(name, value);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await bare.close();
  await full.close();
});

const sh = (cluster: ServedCluster, text: string) => type(...text.split(' '), ...cluster.flags);
const refusal = (err: string) => ({ status: 2, out: '', err: `error: ${err}` });

describe('without a NodeGroup', () => {
  test('a group is listed as one that nothing keeps', async () => {
    expect(await sh(bare, 'nodegroup list')).toEqual({
      status: 0,
      out: `GROUP     KIND   NODEGROUP   PHASE     UPDATED   RUNS OR GETS
workers   EKS    -           NotKept   -/2       1.28.5-20240117`,
      err: '',
    });
  });

  test('a plan works, and ends well when nothing is to be done', async () => {
    expect(await sh(bare, 'nodegroup plan workers')).toEqual({
      status: 0,
      out: `group     workers
from      1.28.5-20240117
to        1.28.5-20240117 (ami-0aaaaaaaaaaaaaaa3)
verdict   every node is on the target`,
      err: '',
    });
  });

  const absent = (name: string) =>
    `there is no NodeGroup "${name}"; \`nodewright nodegroup list\` shows all groups, \`nodewright nodegroup plan ${name}\` works without one`;
  test.each<readonly [string, string]>([
    ['nodegroup status workers', absent('workers')],
    ['nodegroup history workers', absent('workers')],
    ['nodegroup plan x', 'there is no NodeGroup, managed node group or Auto Scaling group "x"'],
    ['nodegroup upgrade x', 'there is no NodeGroup, managed node group or Auto Scaling group "x"'],
  ])('is refused: %s', async (command, err) => expect(await sh(bare, command)).toEqual(refusal(err)));

  test('an upgrade stores one that updates on request', async () => {
    const { status, out } = await sh(bare, 'nodegroup upgrade workers -o json');
    expect(status).toBe(0);
    expect(JSON.parse(out)).toEqual({
      apiVersion: 'nodewright.dev/v1alpha1',
      kind: 'NodeGroupUpgrade',
      name: 'workers',
      outcome: 'asked',
      blockedBy: [],
    });
    const stored = await bare.ask((client) => client.get(nodeGroups, { name: 'workers' }));
    expect(stored).toMatchObject({
      metadata: { annotations: { 'nodewright.dev/upgrade-request': '1/2024-01-28T16:00:00.000Z' } },
      spec: {
        eks: { name: 'workers' },
        image: { amiSelectorTerms: [{ alias: 'al2@latest' }] },
        update: { mode: 'OnRequest' },
      },
    });
    await bare.ask((client) => client.delete(nodeGroups, { name: 'workers' }));
  });
});

describe('with a NodeGroup', () => {
  test('the list has what the controller says', async () => {
    expect((await sh(full, 'nodegroup list')).out).toBe(`GROUP     KIND   NODEGROUP   PHASE      UPDATED   RUNS OR GETS
workers   EKS    own         UpToDate   2/2       1.28.5-20240117`);
    expect(JSON.parse((await sh(full, 'nodegroup list -o json')).out)).toMatchObject({
      kind: 'NodeGroupSummaryList',
      items: [{ name: 'workers', kind: 'eks', nodeGroup: 'own', phase: 'UpToDate', updated: 2, nodes: 2 }],
      unlisted: [],
    });
  });

  test.each(['own', 'workers'])('the status is found by the name of either: %s', async (name) => {
    expect(await sh(full, `nodegroup status ${name}`)).toEqual({
      status: 0,
      out: `group    workers (EKS managed)
phase    UpToDate
reason   every node is on the target
target   1.28.5-20240117, ami-0aaaaaaaaaaaaaaa3`,
      err: '',
    });
  });

  test('the history tells how updates ended', async () => {
    expect((await sh(full, 'nodegroup history own')).out).toBe(
      `NUMBER   TARGET            OUTCOME      STARTED                ENDED                  WHY
1        1.28.5-20240117   Successful   2024-01-28T16:00:00Z   2024-01-28T16:00:00Z`,
    );
  });

  test('an image beside the one that it names is refused', async () => {
    const err = '--image: NodeGroup own names its image; change spec.image there';
    expect(await sh(full, 'nodegroup plan own --image al2@latest')).toEqual(refusal(err));
    expect(await sh(full, 'nodegroup upgrade own --image al2@latest')).toEqual(refusal(err));
  });

  const request = 'nodewright.dev/upgrade-request';
  const requestOf = async () =>
    (await full.ask((client) => client.get(nodeGroups, { name: 'own' })))?.metadata.annotations?.[request];

  test.each<readonly [string, string | null, string]>([
    ['from one', null, '1/2024-01-28T16:00:00.000Z'],
    ['on', '7/2024-01-20T00:00:00.000Z', '8/2024-01-28T16:00:00.000Z'],
    ['anew after the text of a person', 'please', '1/2024-01-28T16:00:00.000Z'],
  ])('an upgrade counts its requests %s', async (_, before, after) => {
    const patch = { metadata: { annotations: { [request]: before } } };
    await full.ask((client) => client.patch(nodeGroups, { name: 'own' }, { type: 'merge', patch }));
    expect((await sh(full, 'nodegroup upgrade own')).out).toBe(
      'asked for an update of NodeGroup own; `nodewright nodegroup status own` shows how far it is',
    );
    expect(await requestOf()).toBe(after);
  });

  test('an upgrade that nothing answers runs out of time: status 4', async () => {
    const { status, err } = await sh(full, 'nodegroup upgrade own --wait --timeout 0s');
    expect(status).toBe(4);
    expect(err.split('\n').at(-1)).toBe('error: --timeout ran out: every node is on the target');
  });
});

describe('images', () => {
  test.each<readonly [string, string]>([
    [
      'images --family x',
      '--family: must be one of AL2, AL2023, Bottlerocket, Ubuntu, Windows2019, Windows2022, Windows2025, not "x"',
    ],
    ['images --nodeclass x', '--nodeclass: no EC2NodeClass x; there is default'],
    ['images --nodeclass default --family AL2', '--family and --nodeclass: give one of them'],
  ])('are refused: %s', async (command, err) => expect(await sh(full, command)).toEqual(refusal(err)));

  test('of a cluster without a class point to the families', async () => {
    expect(await sh(bare, 'images')).toEqual({
      status: 0,
      out: 'no EC2NodeClass in this cluster; --family AL2023 shows the releases of a family',
      err: '',
    });
    expect(JSON.parse((await sh(bare, 'images -o json')).out)).toMatchObject({ kind: 'ImageList', nodeClasses: [] });
  });

  test('of a class tell what new nodes get, and when that changes', async () => {
    const { status, out } = await sh(full, 'images --nodeclass default');
    expect(status).toBe(0);
    expect(out.split('\n').slice(0, 3)).toEqual([
      'default: Kubernetes 1.28, alias: bottlerocket@latest',
      '  note: bottlerocket@latest is launched as soon as it is published: set minimumAgeDuration, or pin a release as in bottlerocket@20240117',
      '  changes by itself at 2026-01-01T20:00:00Z: 20240117 is deprecated',
    ]);
    expect(out).toMatch(/ami-0aaaaaaaaaaaaaaa5 +20240117 +standard +amd64 .* selected +0 +this is what new nodes get/);
  });

  test('of a family without a release end with 3', async () => {
    const { status, out, err } = await sh(bare, 'images --family al2023');
    expect([status, err]).toEqual([3, 'error: nothing can be launched for AL2023']);
    expect(out).toContain('no image of al2023 is published for Kubernetes 1.28');
  });
});

describe('explain', () => {
  test.each<readonly [string, string]>([
    ['explain node x', 'no Node or NodeClaim x; there is a'],
    ['explain nodepool x', 'no NodePool x; there is default'],
    ['explain nodeclass x', 'no EC2NodeClass x; there is default'],
    ['explain budget x', 'no NodePool x; there is default'],
    ['explain pod x', 'no pod x in namespace default; -n names another'],
    ['explain pod a/b/c', 'a pod must be named as name or namespace/name, not "a/b/c"'],
  ])('%s', async (command, err) => expect(await sh(full, command)).toEqual(refusal(err)));

  test('tells where a pod runs', async () => {
    expect(await sh(full, 'explain pod web')).toEqual({
      status: 0,
      out: 'Pod default/web: is on node a, Running',
      err: '',
    });
  });

  test('tells what the budgets of a pool allow', async () => {
    expect((await sh(full, 'explain budget default')).out)
      .toBe(`NodePool default: Drifted 1 more, Underutilized 1 more, Empty 1 more
  - nodes that count: 1, of which away or leaving: 0
  - 10% of 1 node is 1, for every reason: always`);
  });

  test('tells programs why a node stays', async () => {
    expect(JSON.parse((await sh(full, 'explain node a-claim -o json')).out)).toMatchObject({
      kind: 'Explanation',
      subject: { kind: 'Node', name: 'a' },
      answer: 'stays: it is what its NodePool and NodeClass ask for',
      changesAt: '2024-02-27T16:00:00Z',
      change: 'the node expires and is replaced',
    });
  });
});

describe('before an upgrade of the control plane', () => {
  test('what stands against it is told, with status 3', async () => {
    const { status, out, err } = await sh(bare, 'preflight --kubernetes-version 1.29');
    expect([status, err]).toEqual([3, 'error: 1 of 5 checks stands against 1.29']);
    expect(out.split('\n')[0]).toBe('1.28 to 1.29: 1 blocked, 0 to look at, 4 in order');
  });

  test('an earlier version is refused as a target', async () => {
    const { status, out } = await sh(bare, 'preflight --kubernetes-version 1.27 -o json');
    expect(status).toBe(3);
    expect(JSON.parse(out)).toMatchObject({
      kind: 'PreflightReport',
      findings: expect.arrayContaining([
        {
          check: 'version',
          about: 'cluster my-cluster',
          verdict: 'blocked',
          says: 'runs 1.28 already',
          instead: '--kubernetes-version 1.29',
        },
      ]) as unknown,
    });
  });

  test('the cluster has to be named', async () => {
    vi.stubEnv('CLUSTER_NAME', '');
    const err = 'which cluster is it? Set CLUSTER_NAME to the name that EKS has for it';
    expect(await sh(bare, 'preflight --kubernetes-version 1.29')).toEqual(refusal(err));
    expect(await sh(bare, 'snapshot')).toEqual(refusal(err));
    vi.stubEnv('CLUSTER_NAME', 'my-cluster');
  });
});

describe('a snapshot', () => {
  test('goes to a file, and its contents are counted', async () => {
    const file = `${bare.directory}/all.json.gz`;
    const { status, out } = await sh(bare, `snapshot -o ${file}`);
    expect(status).toBe(0);
    expect(out).toMatch(
      new RegExp(`^${file}: cluster my-cluster at 2024-01-28T16:00:00Z, Kubernetes 1.28, 0 nodes, 0 pods, \\d+ KiB$`),
    );
  });

  test('that cannot be written is refused', async () => {
    expect(await sh(bare, 'snapshot -o /nowhere/x')).toEqual(
      refusal('--output /nowhere/x: there is no such file or folder'),
    );
  });
});

test('a diff without a change is refused', async () => {
  expect(await sh(full, 'diff')).toEqual(refusal('no change is given: name manifests with -f FILE'));
  expect(await sh(full, 'diff -f /nowhere')).toEqual(refusal('/nowhere: there is no such file or folder'));
});
