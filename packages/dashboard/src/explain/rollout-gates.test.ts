import { hours, instant, minutes, type NodeRolloutPolicySpec } from '@nodewright/apis';
import type { RolloutOutlook } from '@nodewright/operator';
import { seededRandom } from '@nodewright/runtime';
import { SimulatedFleet } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { createGateReader, describeGates } from './rollout-gates.ts';

const aFleet = (policy: NodeRolloutPolicySpec): SimulatedFleet => {
  const fleet = new SimulatedFleet({ random: seededRandom('gates'), policy, pools: [{ name: 'default', nodes: 2 }] });
  fleet.nodes = fleet.nodes.map((node) => ({ ...node, createdAt: fleet.now, initializedAt: fleet.now }));
  fleet.reconcile();
  return fleet;
};

/** What is said of the first node. */
function explainFirst(fleet: SimulatedFleet) {
  const plan = fleet.reconcile();
  const outlook: RolloutOutlook = {
    policy: 'production',
    snapshot: fleet.snapshot(),
    plan,
    waves: [],
    nodeNames: new Map(),
  };
  return describeGates([outlook], [fleet.nodes[0]?.name ?? ''], fleet.now);
}

test('a node tells which newer image its policy does not let in yet, and why', () => {
  const fleet = aFleet({});
  const held = {
    source: 'EC2NodeClass/default',
    image: 'ami-2',
    reason: 'notProvenUpstream',
    because: 'staging has not proven v2 for AL2023/amd64/none',
  } as const;
  fleet.reconcile();
  const { status } = fleet.policy;
  fleet.policy = {
    ...fleet.policy,
    status: {
      ...status,
      heldImages: [
        { ...held, variant: 'AL2023/amd64/none' },
        { ...held, variant: 'AL2023/arm64/none', because: 'another variant' },
      ],
    },
  };
  const [node] = fleet.nodes;
  const outlook = {
    policy: 'production',
    snapshot: fleet.snapshot(),
    plan: fleet.plan,
    waves: [],
    nodeNames: new Map(),
  };
  const { reasons = [] } = describeGates([outlook as RolloutOutlook], [node?.name ?? ''], fleet.now) ?? {};
  expect(reasons.filter((reason) => reason.includes('not let in'))).toEqual([
    'image ami-2 is out and not let in yet, notProvenUpstream: staging has not proven v2 for AL2023/amd64/none',
  ]);
});

test('a node that a halt keeps is where it should be: it has not to move, and nothing holds it', () => {
  const fleet = aFleet({});
  fleet.publish('v2', { neverJoins: true });
  for (let look = 0; look < 20; look += 1) {
    fleet.reconcile();
    fleet.advanceTime(minutes(1));
  }
  expect(fleet.rollouts.at(-1)?.status?.state).toBe('Halted');
  const { answer, reasons = [], changesAt } = explainFirst(fleet) ?? {};
  expect([answer, changesAt]).toEqual(['stays on its image: test-1 has halted', undefined]);
  expect(reasons.some((reason) => reason.startsWith('gate halt: the rollout has halted: 1 failed node'))).toBe(true);
  const outlook = {
    policy: 'production',
    snapshot: fleet.snapshot(),
    plan: fleet.plan,
    waves: [],
    nodeNames: new Map(),
  };
  const { name = '' } = fleet.nodes[0] ?? {};
  expect(createGateReader([outlook as RolloutOutlook], fleet.now)([name])?.blockers).toEqual([]);
});

test('a node that cannot go for its age in time says when it goes by force', () => {
  const fleet = aFleet({ maxAge: { soft: '2h' }, pace: { minInterval: '3h' } });
  fleet.nodes = fleet.nodes.map((node, index) => ({
    ...node,
    expiresAt: instant(fleet.now + hours(3) - minutes(index)),
  }));
  expect(explainFirst(fleet)?.reasons.at(-1)).toBe(
    'it reaches expireAfter at 2026-06-01T03:00:00Z and goes then whatever else holds it: maxAge of NodeRolloutPolicy production cannot let it go before, at its pace and in its windows',
  );
});

test('a node that its age takes before a blackout ends changes at that time', () => {
  const blackouts = [{ from: '2026-06-01T00:00:00', to: '2026-06-03T00:00:00', timeZone: 'UTC', reason: 'audit' }];
  const fleet = aFleet({ maxAge: { soft: '1h', hard: '4h' }, blackouts });
  fleet.nodes = fleet.nodes.map((node) => ({ ...node, createdAt: instant(fleet.now - hours(2)) }));
  fleet.reconcile();
  expect(explainFirst(fleet)).toMatchObject({
    answer: 'has to move and is not let go now: blackout',
    changesAt: '2026-06-01T02:00:00Z',
    change: 'it reaches maxAge.hard and goes',
  });
});

test('a node on the image that a rollout has halted with is not said to be what is asked for', () => {
  const fleet = aFleet({});
  const { now } = fleet;
  fleet.publish('v2');
  fleet.reconcile();
  while (!fleet.nodes.some(({ rollout }) => rollout !== undefined)) {
    fleet.advanceTime(minutes(1));
    fleet.reconcile();
  }
  fleet.requests.push({ kind: 'halt', rollout: 'test-1', value: 'INC-7', by: 'ann', at: now });
  fleet.advanceTime(minutes(5));
  fleet.reconcile();
  const member = fleet.nodes.find(({ rollout }) => rollout === 'test-1')?.name ?? '';
  const outlook = {
    policy: 'test',
    snapshot: fleet.snapshot(),
    plan: fleet.reconcile(),
    waves: [],
    nodeNames: new Map(),
  };
  expect(describeGates([outlook], [member], fleet.now)).toMatchObject({
    answer: 'stays, on the image that test-1 has halted with: nothing moves it until a person leads on',
    isAtRest: true,
  });
  const { nextChangeAt: _nextChangeAt, ...told } = fleet.rollouts[0]?.status ?? {};
  expect(JSON.stringify(told)).not.toMatch(/soakedUntil|expectedEnd/);
});
