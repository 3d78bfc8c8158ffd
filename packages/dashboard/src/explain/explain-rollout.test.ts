import { fromTimestamp, minutes, type NodeRollout } from '@nodewright/apis';
import { forecastWaves, planRollouts } from '@nodewright/engine';
import { seededRandom } from '@nodewright/runtime';
import { SimulatedFleet } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { explainRollout } from './explain-rollout.ts';
import { NoSuchObjectError } from './no-such-object.ts';

const now = fromTimestamp('2024-03-01T12:00:00Z');
const at = '2024-03-01T10:00:00Z';

const aRollout = (number: number, status: NonNullable<NodeRollout['status']>): NodeRollout => ({
  metadata: { name: `production-${number}` },
  spec: {
    policy: 'production',
    number,
    cause: 'NewRelease',
    from: [{ source: 'EC2NodeClass/default', variant: 'AL2023/amd64/none', image: 'ami-1', release: 'v1' }],
    to: [{ source: 'EC2NodeClass/default', variant: 'AL2023/amd64/none', image: 'ami-2', release: 'v2' }],
    kubernetesVersion: '1.30',
    members: 12,
  },
  status,
});

const explainAmong = (name: string, ...rollouts: readonly NodeRollout[]) =>
  explainRollout(
    name,
    {
      rollouts: [],
      rolloutObjects: { policies: [{ metadata: { name: 'production' }, spec: {} }], rollouts, pauses: [] },
    },
    now,
  );

test('a halted rollout tells why, which nodes failed, and the commands that lead on', () => {
  const rollout = aRollout(3, {
    state: 'Halted',
    wave: 'canary',
    total: 12,
    updated: 1,
    failed: 1,
    remaining: 10,
    startedAt: at,
    halted: { at, reason: 'FailureBudgetExceeded', message: '1 node failed', variants: [], rules: [] },
    waves: [{ name: 'canary', seats: 1, taken: 1, healthy: 0, failed: 1, startedAt: at }],
    failures: [{ node: 'c-1', nodeName: 'ip-1', variant: 'v', signal: 'lease', evidence: 'silent for 91 s', at }],
    parked: [{ node: 'c-2', object: 'NodePool/default', since: at, firstAt: at, pod: 'shop/web' }],
  });
  expect(explainAmong('production-3', rollout)).toEqual({
    subject: { kind: 'NodeRollout', name: 'production-3' },
    answer: 'is Halted, wave canary: 1 of 12 updated, 1 failed, 10 not moved',
    reasons: [
      `NodeRolloutPolicy production began it at ${at} for NewRelease`,
      'EC2NodeClass/default, AL2023/amd64/none: v1 (ami-1) -> v2 (ami-2)',
      `it halted at ${at}: 1 node failed`,
      'wave canary: 1 of 1 seats, 0 healthy, 1 failed, under way',
      `ip-1 (c-1) failed at ${at}, lease: silent for 91 s`,
      `c-2 is parked since ${at}: pod shop/web keeps it (karpenter.sh/do-not-disrupt)`,
      'what leads on, beside a newer release: nodewright rollout resume production-3 --reason TEXT',
      'what leads on, beside a newer release: nodewright rollout rollback production-3 --reason TEXT',
    ],
    seeAlso:
      'nodewright rollout status production-3 tells what people asked of it, nodewright rollout plan production what comes next',
  });
});

test('one that soaks tells when time alone changes it; one that has ended tells neither window nor commands', () => {
  const soaking = { state: 'Soaking', wave: 'canary', nextChangeAt: '2024-03-01T18:00:00Z', startedAt: at } as const;
  expect(explainAmong('production-3', aRollout(3, soaking))).toMatchObject({
    changesAt: '2024-03-01T18:00:00Z',
    change: 'a soak, a window or the rest between two nodes ends',
  });
  for (const [state, change] of [
    ['Paused', 'the pause ends'],
    ['WaitingForWindow', 'a window opens'],
    ['WaitingForApproval', undefined],
  ] as const)
    expect(explainAmong('production-3', aRollout(3, { ...soaking, state })).change).toBe(change);
  const ended = explainAmong('production-3', aRollout(3, { ...soaking, state: 'Complete', endedAt: at }));
  expect(ended.reasons[0]).toBe(`NodeRolloutPolicy production began it at ${at} for NewRelease, and it ended at ${at}`);
  expect(ended.reasons.join('\n')).not.toMatch(/window|nodewright rollout/);
  expect(ended.changesAt).toBeUndefined();
});

test('the name of a policy stands for its rollout under way, or its last one', () => {
  const [old, going, later] = [
    aRollout(1, { state: 'Complete', endedAt: at }),
    aRollout(2, { state: 'Soaking' }),
    aRollout(3, { state: 'Superseded', endedAt: at }),
  ];
  expect(explainAmong('production', old, going, later).subject.name).toBe('production-2');
  expect(explainAmong('production', old, later).subject.name).toBe('production-3');
  expect(() => explainAmong('staging', old)).toThrow(
    new NoSuchObjectError('no NodeRollout or NodeRolloutPolicy with one staging; there is production-1'),
  );
});

test('a rollout under way counts the nodes that each gate holds, and foresees the waves to come', () => {
  const fleet = new SimulatedFleet({ random: seededRandom('explain'), pools: [{ name: 'default', nodes: 4 }] });
  fleet.reconcile();
  fleet.publish('v2');
  for (let step = 0; step < 6; step += 1) {
    fleet.reconcile();
    fleet.advanceTime(minutes(5));
  }
  const snapshot = fleet.snapshot();
  const policy = fleet.policy.metadata.name;
  const plan = planRollouts(snapshot);
  const outlook = { policy, snapshot, plan, waves: forecastWaves(snapshot), nodeNames: new Map() };
  const rolloutObjects = { policies: [fleet.policy], rollouts: fleet.rollouts, pauses: [] };
  const { reasons } = explainRollout(policy, { rollouts: [outlook], rolloutObjects }, snapshot.now);
  const held = plan.held.filter(({ blockers }) => blockers.some(({ gate }) => gate === 'wave')).length;
  expect(held).toBeGreaterThan(0);
  expect(reasons.filter((reason) => reason.startsWith('gate wave holds '))).toEqual([
    expect.stringContaining(`gate wave holds ${held} nodes: wave `),
  ]);
  expect(reasons.filter((reason) => /^wave .*, begins at .* at the earliest/.test(reason)).length).toBeGreaterThan(0);
});
