import { run } from '@stricli/core';
import {
  nodeRolloutPolicies,
  type NodeRollout,
  type NodeRolloutPolicy,
  nodeRollouts,
  type NodeRolloutStatus,
} from '@nodewright/apis';
import { aServedCluster, aTerminal, type ServedCluster } from '@nodewright/testkit/worlds';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApplication } from '../../app.ts';

const type = aTerminal((args, process) => run(createApplication, args, { process }));

const image = (id: string, release: string) => ({
  source: 'EC2NodeClass/default',
  variant: 'AL2023/amd64/none',
  image: id,
  release,
});
const [old, proven, wanted] = [image('ami-1', 'v20240807'), image('ami-2', 'v20240814'), image('ami-3', 'v20240901')];

const aPolicy = (name: string, status: NodeRolloutPolicy['status'] = {}): NodeRolloutPolicy => ({
  metadata: { name },
  spec: {},
  status,
});

const aRollout = (policy: string, number: number, status: NodeRolloutStatus): NodeRollout => ({
  metadata: { name: `${policy}-${number}` },
  spec: {
    policy,
    number,
    cause: 'NewRelease',
    from: [number === 1 ? old : proven],
    to: [number === 1 ? proven : wanted],
    kubernetesVersion: '1.30',
    members: 12,
  },
  status,
});

const begun = '2024-08-15T10:00:00Z';
const ended = {
  state: 'Complete',
  wave: 'all',
  startedAt: '2024-08-09T00:00:00Z',
  endedAt: '2024-08-10T00:00:00Z',
  total: 12,
  updated: 12,
} as const;
const soaking = {
  state: 'Soaking',
  wave: 'canary',
  startedAt: begun,
  total: 12,
  updated: 1,
  remaining: 11,
} as const;
const policies = [
  aPolicy('batch'),
  aPolicy('web', {
    baseline: [proven],
    history: [{ endedAt: '2024-08-10T00:00:00Z', rollout: 'web-1', images: [old] }],
  }),
];

const clusters = new Map<string, ServedCluster>();
const flagsOf = (name: string): readonly string[] => clusters.get(name)?.flags ?? [];

beforeAll(async () => {
  const full = await aServedCluster();
  await full.store(nodeRolloutPolicies, ...policies);
  await full.store(nodeRollouts, aRollout('web', 1, ended), aRollout('web', 2, soaking));
  clusters.set('full', full);
  clusters.set('empty', await aServedCluster());
  clusters.set('bare', await aServedCluster({ areKindsInstalled: false }));
});
afterAll(() => Promise.all([...clusters.values()].map((cluster) => cluster.close())));

const web1 = `rollout   web-1, of NodeRolloutPolicy web
state     Complete
cause     NewRelease
image     EC2NodeClass/default, AL2023/amd64/none: v20240807 (ami-1) -> v20240814 (ami-2)
nodes     12 of 12 updated, 0 failed, 0 to go
started   2024-08-09T00:00:00Z
ended     2024-08-10T00:00:00Z`;
const web2 = `rollout   web-2, of NodeRolloutPolicy web
state     Soaking, wave canary
cause     NewRelease
image     EC2NodeClass/default, AL2023/amd64/none: v20240814 (ami-2) -> v20240901 (ami-3)
nodes     1 of 12 updated, 0 failed, 11 to go
started   2024-08-15T10:00:00Z`;
const historyOfWeb = `PROVEN FOR             VARIANT             RELEASE     IMAGE
EC2NodeClass/default   AL2023/amd64/none   v20240814   ami-2

PROVEN UNTIL           ROLLOUT   IMAGES
2024-08-10T00:00:00Z   web-1     v20240807

ROLLOUT   TO          CAUSE        STATE      STARTED                ENDED
web-2     v20240901   NewRelease   Soaking    2024-08-15T10:00:00Z   -
web-1     v20240814   NewRelease   Complete   2024-08-09T00:00:00Z   2024-08-10T00:00:00Z`;

describe('of rollouts', () => {
  for (const [fact, command, out] of [
    [
      'the list has the newest of each policy first',
      'list',
      `NAME    POLICY   TO          WAVE     UPDATED   FAILED   STATE      STARTED
web-2   web      v20240901   canary   1/12      0        Soaking    2024-08-15T10:00:00Z
web-1   web      v20240814   all      12/12     0        Complete   2024-08-09T00:00:00Z`,
    ],
    ['the status is that of the one under way', 'status', web2],
    ['the status of an ended one tells when it ended', 'status web-1', web1],
    ['the status of a policy is that of its rollout under way', 'status web', web2],
    ['the history tells what was proven and when', 'history web', historyOfWeb],
    ['the history is found by a rollout of the policy', 'history web-2', historyOfWeb],
    [
      'the history of a policy that has proven nothing says so',
      'history batch',
      'NodeRolloutPolicy batch has proven no images yet',
    ],
    [
      'the plan tells the waves to come, with their earliest times',
      'plan web',
      `web: web-2 is Progressing
WAVE     SEATS   NODES   SOAK   STATE     EARLIEST START         EARLIEST END
canary   1       0       8h     to come   2024-08-15T10:00:00Z   2024-08-15T18:00:00Z
tenth    1       0       -      to come   2024-08-15T18:00:00Z   2024-08-15T18:00:00Z
all      1       0       -      to come   2024-08-15T18:00:00Z   2024-08-15T18:00:00Z
no node is left to move
looked at again at 2024-08-29T10:00:00Z at the latest`,
    ],
    [
      'the plan of a policy at rest says when a rollout begins',
      'plan batch',
      'batch: no rollout is under way; one begins when another image is wanted than the proven one',
    ],
  ] as const) {
    test(fact, async () => {
      expect(await type('rollout', ...command.split(' '), ...flagsOf('full'))).toEqual({ status: 0, out, err: '' });
    });
  }

  test('a cluster without any has an empty list', async () => {
    expect(await type('rollout', 'list', ...flagsOf('empty'))).toEqual({ status: 0, out: 'no rollouts', err: '' });
  });

  test('a watch of one that has ended tells where it stands and is done', async () => {
    const { status, out, err } = await type('rollout', 'watch', 'web-1', ...flagsOf('full'));
    expect({ status, out }).toEqual({ status: 0, out: web1 });
    expect(err).toBe('Complete                     12 of 12 updated, 0 failed, 0 to go');
  });

  test('a watch that runs out of time tells where it stands and ends with 4', async () => {
    const { status, out, err } = await type('rollout', 'watch', '--timeout', '0s', ...flagsOf('full'));
    expect({ status, out }).toEqual({ status: 4, out: web2 });
    expect(err.split('\n').at(-1)).toBe('error: --timeout ran out: Soaking, wave canary');
  });
});

const notInstalled = 'the cluster has no NodeRollouts: `nodewright crds | kubectl apply -f -` installs them';

describe('a question about rollouts that has no answer ends with 2 and says what there is', () => {
  for (const [cluster, command, err] of [
    ['full', 'status x', 'there is no NodeRollout and no NodeRolloutPolicy "x" with one; there are web-2, web-1'],
    ['full', 'watch x', 'there is no NodeRollout and no NodeRolloutPolicy "x" with one; there are web-2, web-1'],
    ['full', 'history', 'name a NodeRolloutPolicy; there are batch, web'],
    ['full', 'history x', 'there is no NodeRolloutPolicy "x"; there are batch, web'],
    ['full', 'plan x', 'there is no NodeRolloutPolicy "x" that governs something; there are batch, web'],
    [
      'empty',
      'status',
      'there is no rollout yet: one begins when a policy governs nodes and another image is wanted for them; `nodewright rollout plan` tells which images a policy does not let in yet',
    ],
    ['empty', 'history', 'name a NodeRolloutPolicy; there are none'],
    ['empty', 'plan', 'there is no NodeRolloutPolicy that governs something'],
    ['empty', 'plan x', 'there is no NodeRolloutPolicy "x" that governs something; there are none'],
    ...['list', 'status', 'watch', 'history', 'plan'].map((command) => ['bare', command, notInstalled] as const),
  ] as const) {
    test(`rollout ${command}, ${cluster} cluster`, async () => {
      expect(await type('rollout', ...command.split(' '), ...flagsOf(cluster))).toEqual({
        status: 2,
        out: '',
        err: `error: ${err}`,
      });
    });
  }
});

describe('for programs', () => {
  const answerOf = async (...command: readonly string[]) => {
    const { out } = await type('rollout', ...command, '-o', 'json', ...flagsOf('full'));
    return JSON.parse(out) as Readonly<Record<string, unknown>>;
  };

  test('the list has whole objects, without who wrote which field', async () => {
    const list = await answerOf('list');
    expect(list).toMatchObject({
      apiVersion: 'nodewright.dev/v1alpha1',
      kind: 'NodeRolloutList',
      items: [
        { kind: 'NodeRollout', metadata: { name: 'web-2' }, status: soaking },
        { kind: 'NodeRollout', metadata: { name: 'web-1' }, status: ended },
      ],
    });
    expect(JSON.stringify(list)).not.toContain('managedFields');
  });

  test('the status is the object', async () => {
    expect(await answerOf('status')).toMatchObject({
      kind: 'NodeRollout',
      metadata: { name: 'web-2' },
      status: soaking,
    });
  });

  test('the history has the proven images and the rollouts of the policy alone', async () => {
    expect(await answerOf('history', 'web')).toMatchObject({
      kind: 'NodeRolloutHistory',
      policy: 'web',
      baseline: [proven],
      rollouts: [{ metadata: { name: 'web-2' } }, { metadata: { name: 'web-1' } }],
    });
  });

  test('the plan has its waves with times, and nothing that is printed for people', async () => {
    expect(await answerOf('plan', 'web')).toMatchObject({
      kind: 'NodeRolloutPlan',
      policies: [
        {
          policy: 'web',
          rollout: 'web-2',
          waves: [{ name: 'canary', state: 'toCome', earliestStart: begun }, { name: 'tenth' }, { name: 'all' }],
          moves: [],
        },
      ],
    });
  });
});

test('commands that show rollouts write nothing', () => {
  const written = clusters.get('full')?.requests.filter((line) => !line.startsWith('GET '));
  expect(written).toEqual([]);
});
