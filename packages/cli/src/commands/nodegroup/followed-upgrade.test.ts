import { nodeGroups, type NodeGroup, nodes } from '@nodewright/apis';
import { CloudError } from '@nodewright/ports';
import { ConnectionError, type KubernetesClient } from '@nodewright/runtime';
import { fakeCloud } from '@nodewright/testkit';
import { aFollowedCluster, anApiError, failFirstReads } from '@nodewright/testkit/worlds';
import { describe, expect, test } from 'vitest';
import { followUpgrade } from './follow-upgrade.ts';

type Status = NonNullable<NodeGroup['status']>;

const request = '1/2024-01-28T16:00:00.000Z';
const asked: NodeGroup = {
  metadata: { name: 'own', annotations: { 'nodewright.dev/upgrade-request': request } },
  spec: { eks: { name: 'workers' }, image: { amiSelectorTerms: [{ alias: 'al2@latest' }] } },
};
const observed = { observedRequest: request };
const served = { ...observed, servedRequest: request };
const ended = (outcome: 'Successful' | 'Failed', number = 1): NonNullable<Status['history']> => [
  { number, target: 'x', outcome, startedAt: '2024-01-28T16:00:00Z', endedAt: '2024-01-28T17:00:00Z' },
];

/** What happens at a second: the controller writes a status, or something else. */
type Act = Status | ((client: KubernetesClient) => Promise<unknown>);
type Stage = {
  readonly before?: Status;
  readonly acts?: Readonly<Record<number, Act>>;
  readonly timeoutMs?: number;
  readonly changeClient?: (client: KubernetesClient) => KubernetesClient;
  readonly answerNodes?: () => CloudError | undefined;
};

async function follow({ before, acts = {}, timeoutMs = 60_000, changeClient, answerNodes }: Stage) {
  const script = Object.entries(acts).map(([second, act]) => [
    second,
    typeof act === 'function' ? act : (to: KubernetesClient) => keep(to, act),
  ]);
  const cluster = aFollowedCluster(Object.fromEntries(script));
  const { client, clock, tell, told } = cluster;
  const cloud = fakeCloud({ now: () => clock.now(), instanceTypes: [], images: () => [] });
  cloud.managedGroups.put({
    name: 'workers',
    status: 'ACTIVE',
    kubernetesVersion: '1.28',
    release: '1.28.0-20240101',
    imageKind: { family: 'al2', arch: 'amd64', variant: 'standard' },
    updateConfig: {},
    issues: [],
  });
  const describeGroup = cloud.managedGroups.describe.bind(cloud.managedGroups);
  let looks = 0;
  cloud.managedGroups.describe = async (name) => {
    looks += 1;
    const failure = answerNodes?.();
    if (failure !== undefined) throw failure;
    return describeGroup(name);
  };
  await cluster.do(client.create(nodeGroups, asked));
  for (const name of ['node-1', 'node-2']) await cluster.do(client.create(nodes, aGroupNode(name)));
  if (before !== undefined) await cluster.do(keep(client, before));
  const world = { client: changeClient?.(client) ?? client, cloud, now: cluster.begun };
  const { nodeGroup, end } = await cluster.do(followUpgrade(world, asked, { clock, timeoutMs, tell }));
  return { nodeGroup, end: end.kind, told, seconds: cluster.countSeconds(), looks };
}

const keep = (client: KubernetesClient, status: Status) =>
  client.patch(nodeGroups, { name: 'own' }, { type: 'merge', patch: { status } }, { subresource: 'status' });

const aGroupNode = (name: string) => ({
  metadata: {
    name,
    labels: { 'eks.amazonaws.com/nodegroup': 'workers', 'eks.amazonaws.com/nodegroup-image': 'ami-1' },
  },
});

describe('an upgrade that is waited for', () => {
  test.each<readonly [fact: string, Readonly<Record<number, Status>>, end: string, told: readonly string[]]>([
    [
      'tells each phase once, and ends when it is done',
      {
        2: { ...observed, phase: 'Updating', nodes: { total: 2, updated: 0, ready: 2 }, reason: 'replaces nodes' },
        5: { ...served, phase: 'UpToDate', nodes: { total: 2, updated: 2, ready: 2 }, history: ended('Successful') },
      },
      'done',
      ['0s Pending', '2s Updating   0/2    replaces nodes', '5s UpToDate   2/2    replaces nodes'],
    ],
    [
      'tells what AWS answered to a call that is made again',
      {
        1: {
          ...observed,
          phase: 'Updating',
          reason: 'starts',
          conditions: [
            {
              type: 'Progressing',
              status: 'False',
              reason: 'Refused',
              message: 'AccessDenied',
              lastTransitionTime: '2024-01-28T16:00:00Z',
            },
          ],
        },
        3: { ...served, phase: 'Failed', history: ended('Failed') },
      },
      'failed',
      ['0s Pending', '1s Updating          starts; AccessDenied', '3s Failed            starts; AccessDenied'],
    ],
    [
      'ends when something is in its way',
      { 1: { ...observed, phase: 'Blocked', reason: 'a budget never yields' } },
      'blocked',
      ['0s Pending', '1s Blocked           a budget never yields'],
    ],
    [
      'prefers the phase of the update under way to that of the group',
      {
        1: {
          ...served,
          phase: 'Updating',
          reason: 'x',
          update: { number: 1, target: 'x', phase: 'Setup', startedAt: '2024-01-28T16:00:00Z' },
        },
        2: { ...served, phase: 'Updating', history: ended('Successful'), update: null as never },
      },
      'done',
      ['0s Pending', '1s Setup             x', '2s Updating          x'],
    ],
  ])('%s', async (_, acts, end, told) => {
    expect(await follow({ acts })).toMatchObject({ end, told });
  });

  test('ends at once when all is over before the first look', async () => {
    const before = { ...served, phase: 'UpToDate', history: ended('Successful') } as const;
    expect(await follow({ before })).toMatchObject({ end: 'done', seconds: 0 });
  });

  test('ends when its NodeGroup is deleted, with what was seen last', async () => {
    const acts = {
      1: { ...observed, phase: 'Updating', reason: 'replaces nodes' } as const,
      3: (client: KubernetesClient) => client.delete(nodeGroups, { name: 'own' }),
    };
    const { end, nodeGroup, seconds } = await follow({ acts });
    expect({ end, seconds, reason: nodeGroup.status?.reason }).toEqual({
      end: 'deleted',
      seconds: 3,
      reason: 'replaces nodes',
    });
  });

  test('says once, after twenty seconds, that no controller has seen the request', async () => {
    expect(await follow({ timeoutMs: 40_000 })).toMatchObject({
      end: 'timedOut',
      seconds: 40,
      told: [
        '0s Pending',
        '21s no controller has seen the request yet; does `nodewright controller` run on this cluster?',
      ],
    });
  });

  test.each([
    [0, 0],
    [1, 1],
    [1_000, 1],
    [1_001, 2],
  ])('of %i ms is given up after %i s', async (timeoutMs, seconds) => {
    expect(await follow({ timeoutMs })).toMatchObject({ end: 'timedOut', seconds });
  });

  test('says nothing of the controller once that has seen the request', async () => {
    const { told } = await follow({ timeoutMs: 30_000, acts: { 1: { ...observed, phase: 'Updating', reason: 'x' } } });
    expect(told).toEqual(['0s Pending', '1s Updating          x']);
  });
});

describe('while an upgrade is waited for', () => {
  const done = { ...served, phase: 'UpToDate', reason: 'x', history: ended('Successful') } as const;
  const changeNode = (name: string, patch: object) => (client: KubernetesClient) =>
    client.patch(nodes, { name }, { type: 'merge', patch });

  test('what becomes of nodes is told, and AWS is asked only then', async () => {
    const { told, looks } = await follow({
      acts: {
        2: changeNode('node-1', { spec: { unschedulable: true } }),
        4: (client) => client.delete(nodes, { name: 'node-1' }),
        6: changeNode('node-2', { metadata: { annotations: { team: 'blue' } } }),
        10: done,
      },
    });
    expect(told).toEqual(['0s Pending', '2s   node-1   cordoned', '4s   node-1   gone', '10s UpToDate          x']);
    expect(looks).toBe(3);
  });

  test('AWS may refuse: the rest is told, and nodes again once it answers', async () => {
    let refusals = 3;
    const answerNodes = (): CloudError | undefined =>
      (refusals -= 1) >= 0 ? new CloudError('not authorized', { code: 'AccessDenied', retry: 'backOff' }) : undefined;
    const { told, end } = await follow({
      answerNodes,
      acts: { 5: changeNode('node-2', { spec: { unschedulable: true } }), 7: done },
    });
    expect({ told, end }).toEqual({
      end: 'done',
      told: [
        '0s Pending',
        '0s nodes are not told of: not authorized',
        '5s   node-2   cordoned',
        '7s UpToDate          x',
      ],
    });
  });

  test.each<readonly [string, () => Error, string]>([
    ['is busy', () => anApiError(429, 'try later'), 'try later'],
    ['starts', () => anApiError(503, 'starting'), 'starting'],
    ['is not reached', () => new ConnectionError('GET /', new Error('refused')), 'GET /: no answer (refused)'],
  ])('an API server that %s ends nothing, and is told of once', async (_, failure, words) => {
    const { told, end } = await follow({
      acts: { 4: done },
      changeClient: (client) => failFirstReads(client, 3, failure),
    });
    expect({ told, end }).toEqual({
      end: 'done',
      told: [`0s no answer for now: ${words}`, '3s Pending', '4s UpToDate          x'],
    });
  });

  test('an API server that refuses the reader ends it', async () => {
    const refusal = () => anApiError(403, 'no right to read NodeGroups');
    await expect(follow({ changeClient: (client) => failFirstReads(client, 1, refusal) })).rejects.toThrow(
      'no right to read NodeGroups',
    );
  });
});
