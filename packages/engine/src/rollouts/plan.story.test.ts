import { days, hours, instant, minutes, type NodeRolloutPolicySpec, seconds } from '@nodewright/apis';
import { seededRandom } from '@nodewright/runtime';
import { findBrokenInvariants, type SimulatedFleet as Fleet, SimulatedFleet } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { planRollouts } from './plan.ts';

type Pools = readonly { readonly name: string; readonly nodes: number; readonly variant?: string }[];

const aFleet = (policy: NodeRolloutPolicySpec = {}, pools: Pools = [{ name: 'default', nodes: 12 }]): Fleet => {
  const fleet = new SimulatedFleet({ random: seededRandom('plan'), policy, pools });
  fleet.reconcile();
  return fleet;
};

/** Lives on in steps of five minutes, planning at each. */
function live(fleet: Fleet, ms: number, stepMs = minutes(5)): void {
  for (let passed = 0; passed < ms; passed += stepMs) {
    fleet.advanceTime(stepMs);
    fleet.reconcile();
    expect(findBrokenInvariants(fleet, { maxPerHour: 50, maxSurge: 10 })).toEqual([]);
  }
}

const stateOf = (fleet: Fleet) => fleet.rollouts.at(-1)?.status?.state;
const running = (fleet: Fleet, release: string): number =>
  fleet.nodes.filter(({ image, leaving }) => image.startsWith(`ami-${release}-`) && !leaving).length;

test('a release that is good reaches every node, in waves', () => {
  const fleet = aFleet();
  fleet.publish('v2');
  live(fleet, hours(7));
  expect([stateOf(fleet), running(fleet, 'v2')]).toEqual(['Soaking', 1]);
  live(fleet, hours(4));
  expect(running(fleet, 'v2')).toBe(2);
  live(fleet, days(2));
  expect([stateOf(fleet), running(fleet, 'v2'), fleet.nodes.length]).toEqual(['Complete', 12, 12]);
  expect(fleet.policy.status?.baseline?.map(({ release }) => release)).toEqual(['v2']);
  expect(fleet.rollouts.at(-1)?.status?.waves?.map(({ name, seats, outcome }) => [name, seats, outcome])).toEqual([
    ['canary', 1, 'InsufficientEvidence'],
    ['tenth', 2, 'Proven'],
    ['all', 12, 'Proven'],
  ]);
});

for (const writes of [0, 1, 2, 3, 4, 5]) {
  test(`a rollback beyond the release before keeps that one out, too, although the controller dies after write ${writes}`, () => {
    const waves = [
      { name: 'canary', nodes: 1, soak: '10m' },
      { name: 'all', nodes: '100%' },
    ];
    const fleet = aFleet({ waves, pace: { minInterval: '1s' } }, [{ name: 'default', nodes: 3 }]);
    for (const release of ['v2', 'v3']) {
      fleet.publish(release);
      live(fleet, hours(2));
      expect(stateOf(fleet)).toBe('Complete');
    }
    fleet.requests.push({ kind: 'rollback', rollout: 'test-2', value: 'v1=INC-7', by: 'ann', at: fleet.now });
    fleet.reconcile(writes);
    live(fleet, hours(3));
    expect(fleet.rollouts.map(({ metadata, status }) => [metadata.name, status?.state])).toEqual([
      ['test-1', 'Complete'],
      ['test-2', 'Superseded'],
      ['test-3', 'Complete'],
    ]);
    const [answer] = fleet.rollouts[1]?.status?.log ?? [];
    expect(answer).toMatchObject({ request: 'rollback', answer: 'the rollout is taken back' });
    expect(fleet.rules.map(({ metadata }) => metadata.name)).toEqual([
      'halted-al2023-v2-amd64-none',
      'halted-al2023-v3-amd64-none',
    ]);
    expect(running(fleet, '1')).toBe(3);
  });
}

test('a node whose pods have no other place gives its seat to another, and is let go again later', () => {
  const fleet = aFleet();
  const admitted = (): readonly string[] => (fleet.policy.status?.admitted ?? []).map(({ node }) => node);
  fleet.publish('v2');
  while (admitted().length === 0) live(fleet, minutes(1), minutes(1));
  const [first = ''] = admitted();
  const backOff = { until: instant(fleet.now + minutes(30)), because: 'pod web-1 would have no place' };
  fleet.nodes = fleet.nodes.map((node) => (node.name === first ? { ...node, backOff } : node));
  fleet.reconcile();
  expect(admitted()).not.toContain(first);
  live(fleet, minutes(20));
  expect([running(fleet, 'v2'), fleet.nodes.some(({ name }) => name === first)]).toEqual([1, true]);
  expect(fleet.plan?.held.find(({ node }) => node === first)?.blockers).toContainEqual({
    gate: 'backOff',
    message: 'it cannot be replaced: pod web-1 would have no place',
    until: backOff.until,
  });
  live(fleet, days(3));
  expect([stateOf(fleet), running(fleet, 'v2')]).toEqual(['Complete', 12]);
});

test('a halt keeps nodes from the image alone: one that drifts for another reason moves, on the proven image', () => {
  const fleet = aFleet();
  fleet.publish('v2', { neverJoins: true });
  live(fleet, hours(1));
  const drifted = fleet.nodes[3]?.name ?? '';
  const otherDrift = { reason: 'NodePoolDrift', since: fleet.now };
  fleet.nodes = fleet.nodes.map((node) => (node.name === drifted ? { ...node, otherDrift } : node));
  live(fleet, hours(1));
  expect(fleet.nodes.some(({ name }) => name === drifted)).toBe(false);
  expect([stateOf(fleet), running(fleet, '1'), running(fleet, 'v2')]).toEqual(['Halted', 12, 0]);
});

for (const { fact, behaviour, reason } of [
  { fact: 'never join', behaviour: { neverJoins: true }, reason: 'FailureBudgetExceeded' },
  { fact: 'freeze after two hours', behaviour: { freezesAfterMs: hours(2) }, reason: 'FailureBudgetExceeded' },
  { fact: 'freeze after seven hours', behaviour: { freezesAfterMs: hours(7) }, reason: 'FailureBudgetExceeded' },
  { fact: 'break every fifth start', behaviour: { breaksStarts: 0.2 }, reason: 'WorseThanPeers' },
]) {
  test(`a release whose nodes ${fact} takes one node, and is kept out from then on`, () => {
    const fleet = aFleet();
    fleet.publish('v2', behaviour);
    live(fleet, days(3));
    expect(stateOf(fleet)).toBe('Halted');
    expect(fleet.rollouts.at(-1)?.status?.halted?.reason).toBe(reason);
    expect(new Set(fleet.launches.filter(({ image }) => image.startsWith('ami-v2')).map(({ node }) => node)).size).toBe(
      1,
    );
    expect(fleet.rules.map(({ metadata }) => metadata.name)).toEqual(['halted-al2023-v2-amd64-none']);
    expect(running(fleet, '1')).toBeGreaterThanOrEqual(11);
  });
}

test('a newer release after a halt starts from the proven images', () => {
  const fleet = aFleet();
  fleet.publish('v2', { neverJoins: true });
  live(fleet, days(1));
  fleet.publish('v3');
  live(fleet, days(4));
  expect(fleet.rollouts.map(({ status, spec }) => [spec.to[0]?.release, status?.state])).toEqual([
    ['v2', 'Superseded'],
    ['v3', 'Complete'],
  ]);
});

test('a halted rollout is taken back by itself where the policy says so', () => {
  const fleet = aFleet({ onHalt: 'Rollback' });
  fleet.publish('v2', { freezesAfterMs: hours(3) });
  live(fleet, days(2));
  expect(fleet.rollouts.map(({ spec, status }) => [spec.cause, status?.state])).toEqual([
    ['NewRelease', 'Superseded'],
    ['Rollback', 'Complete'],
  ]);
  expect([running(fleet, 'v2'), running(fleet, '1')]).toEqual([0, 12]);
});

test('each architecture has a seat of its own in the canary', () => {
  const fleet = aFleet({}, [
    { name: 'amd', nodes: 10 },
    { name: 'arm', nodes: 2, variant: 'AL2023/arm64/none' },
  ]);
  fleet.publish('v2');
  live(fleet, hours(6));
  expect(
    fleet.nodes
      .filter(({ image }) => image.startsWith('ami-v2'))
      .map(({ variant }) => variant)
      .toSorted(),
  ).toEqual(['AL2023/amd64/none', 'AL2023/arm64/none']);
});

test('with independent variants the healthy one goes on', () => {
  const fleet = aFleet({ preset: 'fast', health: { variants: 'Independent' } }, [
    { name: 'amd', nodes: 6 },
    { name: 'arm', nodes: 3, variant: 'AL2023/arm64/none' },
  ]);
  fleet.publish('v2');
  fleet.behaviours.set('ami-v2-AL2023/arm64/none', { neverJoins: true });
  live(fleet, days(1));
  expect(fleet.rollouts.at(-1)?.status?.halted?.variants).toEqual(['AL2023/arm64/none']);
  expect(fleet.nodes.filter(({ image }) => image.startsWith('ami-v2')).map(({ object }) => object)).toEqual(
    Array.from({ length: 6 }, () => 'NodePool/amd'),
  );
});

test('scale-up gets the proven image until the last wave', () => {
  const fleet = aFleet();
  fleet.publish('v2');
  live(fleet, hours(1));
  fleet.launchOrdinary('NodePool/default');
  expect(fleet.launches.at(-1)).toMatchObject({ because: 'proven' });
});

test('a pool at zero takes its seat with an ordinary launch', () => {
  const fleet = aFleet({}, [{ name: 'default', nodes: 0 }]);
  fleet.publish('v2');
  live(fleet, hours(1));
  fleet.launchOrdinary('NodePool/default');
  fleet.launchOrdinary('NodePool/default');
  expect(fleet.launches.map(({ because }) => because)).toEqual(['seat', 'proven']);
});

test('a node that leaves without a replacement gives its seat to the next ordinary launch, and to no other', () => {
  const fleet = aFleet({}, [{ name: 'default', nodes: 3 }]);
  fleet.publish('v2');
  while (fleet.policy.status?.admitted?.length !== 1) live(fleet, minutes(1), minutes(1));
  const node = fleet.policy.status.admitted[0]?.node ?? '';
  fleet.blockedPods.set(node, { pod: 'default/held', podDisruptionBudget: 'default/held' });
  fleet.removeNode(node);
  fleet.reconcile();
  fleet.launchOrdinary('NodePool/default');
  fleet.launchOrdinary('NodePool/default');
  expect(fleet.launches.map(({ because }) => because)).toEqual(['seat', 'proven']);
});

test('outside of windows nothing begins, and soaking goes on', () => {
  const fleet = aFleet({ preset: 'fast', windows: [{ schedule: '0 22 * * *', duration: '2h' }] });
  fleet.publish('v2');
  live(fleet, hours(21));
  expect([stateOf(fleet), running(fleet, 'v2')]).toEqual(['WaitingForWindow', 0]);
  live(fleet, hours(2));
  expect(running(fleet, 'v2')).toBeGreaterThan(0);
});

test('a person halts, resumes and takes back', () => {
  const fleet = aFleet();
  const ask = (kind: 'halt' | 'resume' | 'rollback', value: string): void => {
    fleet.requests.push({
      rollout: fleet.rollouts.at(-1)?.metadata.name ?? '',
      kind,
      value,
      by: 'kubectl',
      at: fleet.now,
    });
    live(fleet, minutes(5));
  };
  fleet.publish('v2');
  live(fleet, hours(1));
  ask('halt', 'looks odd');
  expect([stateOf(fleet), fleet.requests.length]).toEqual(['Halted', 0]);
  live(fleet, hours(2));
  expect([stateOf(fleet), running(fleet, 'v2')]).toEqual(['Halted', 1]);
  ask('resume', 'was nothing');
  expect([stateOf(fleet), fleet.rules]).toEqual(['Soaking', []]);
  ask('rollback', 'after all');
  live(fleet, days(2));
  expect(fleet.rollouts.map(({ spec, status }) => [spec.cause, status?.state])).toEqual([
    ['NewRelease', 'Superseded'],
    ['Rollback', 'Complete'],
  ]);
  expect(running(fleet, 'v2')).toBe(0);
  expect(fleet.rollouts[0]?.status?.log?.map(({ request, answer }) => [request, answer])).toEqual([
    ['halt', 'the rollout is halted'],
    ['resume', 'the rollout goes on'],
    ['rollback', 'the rollout is taken back'],
  ]);
});

test('a withdrawn release halts, and is kept out for every variant', () => {
  const fleet = aFleet();
  fleet.publish('v2');
  live(fleet, hours(1));
  for (const { image } of fleet.wanted) fleet.withdrawn.add(image);
  live(fleet, minutes(5));
  expect(fleet.rollouts.at(-1)?.status?.halted?.reason).toBe('TargetWithdrawn');
  expect(fleet.rules.map(({ spec }) => spec.match)).toEqual([{ family: 'AL2023', versions: ['v2'] }]);
});

test('a node that cannot be drained gives its slot back, and is named', () => {
  const fleet = aFleet({ preset: 'fast' });
  fleet.publish('v2');
  for (const { name } of fleet.nodes.slice(0, 2))
    fleet.blockedPods.set(name, { pod: 'shop/db-0', podDisruptionBudget: 'db' });
  live(fleet, days(1));
  expect(
    fleet.rollouts.at(-1)?.status?.parked?.map(({ pod, podDisruptionBudget }) => [pod, podDisruptionBudget]),
  ).toEqual([
    ['shop/db-0', 'db'],
    ['shop/db-0', 'db'],
  ]);
  expect(running(fleet, 'v2')).toBeGreaterThanOrEqual(10);
  expect(fleet.rollouts.at(-1)?.status?.expectedEnd).toBeUndefined();
  fleet.blockedPods.clear();
  live(fleet, hours(6));
  expect(stateOf(fleet)).toBe('Complete');
});

test('no end is told while a node that was let go cannot be drained, before it is parked, too', () => {
  const fleet = aFleet({ preset: 'fast' });
  fleet.publish('v2');
  for (const { name } of fleet.nodes) fleet.blockedPods.set(name, { pod: 'shop/db-0', podDisruptionBudget: 'db' });
  while ((fleet.policy.status?.admitted ?? []).length === 0) live(fleet, minutes(1), minutes(1));
  expect(fleet.rollouts.at(-1)?.status?.expectedEnd).toBeDefined();
  live(fleet, minutes(15));
  expect(fleet.rollouts.at(-1)?.status).not.toHaveProperty('expectedEnd');
  expect(fleet.rollouts.at(-1)?.status?.parked).toEqual([]);
});

test('no end is told while a new node runs no pods: its soak does not count', () => {
  const fleet = aFleet();
  fleet.publish('v2');
  live(fleet, minutes(20));
  expect(fleet.rollouts.at(-1)?.status?.expectedEnd).toBeDefined();
  fleet.nodes = fleet.nodes.map((node) => (node.rollout === undefined ? node : { ...node, pods: 0 }));
  live(fleet, minutes(5));
  expect(fleet.rollouts.at(-1)?.status?.seats?.[0]).toHaveProperty('emptySince');
  expect(fleet.rollouts.at(-1)?.status).not.toHaveProperty('expectedEnd');
});

test('a controller that has just begun waits for no other source of a release that it leads to already', () => {
  const fleet = aFleet();
  const settling = () => planRollouts({ ...fleet.snapshot(), wantedSince: fleet.now }).nextChangeAt;
  fleet.publish('v2');
  expect(settling()).toBe(instant(fleet.now + seconds(90)));
  live(fleet, hours(1));
  expect(settling()).toBe(fleet.plan?.nextChangeAt);
});

test('a wave that waits for a person is held by that alone, and no end is told', () => {
  const fleet = aFleet({
    waves: [
      { name: 'canary', nodes: 1, soak: '1h' },
      { name: 'half', nodes: '50%', approval: 'Manual' },
      { name: 'all', nodes: '100%' },
    ],
  });
  fleet.publish('v2');
  live(fleet, hours(3));
  expect(stateOf(fleet)).toBe('WaitingForApproval');
  expect(fleet.rollouts.at(-1)?.status?.expectedEnd).toBeUndefined();
  expect(fleet.plan?.held.map(({ blockers }) => blockers.map(({ gate }) => gate))).toEqual(
    Array.from({ length: 11 }, () => ['approval']),
  );
});

test('a rollout that has ended is taken back to what was proven before it, and its image is kept out', () => {
  const fleet = aFleet({ preset: 'fast' });
  fleet.publish('v2');
  live(fleet, hours(8));
  expect([stateOf(fleet), running(fleet, 'v2')]).toEqual(['Complete', 12]);
  const ask = (value: string): void => {
    const rollout = fleet.rollouts.at(-1)?.metadata.name ?? '';
    fleet.requests.push({ rollout, kind: 'rollback', value, by: 'person', at: fleet.now });
    fleet.reconcile();
  };
  ask('v9=INC-8');
  expect(fleet.rollouts.at(-1)?.status?.log?.at(-1)).toMatchObject({
    refused: true,
    answer: 'release v9 is not what was proven before: before it were proven v1',
  });
  ask('INC-7');
  live(fleet, hours(6));
  expect(fleet.rollouts.map(({ spec, status }) => [spec.cause, status?.state])).toEqual([
    ['NewRelease', 'Superseded'],
    ['Rollback', 'Complete'],
  ]);
  expect([running(fleet, 'v2'), running(fleet, '1')]).toEqual([0, 12]);
  expect(fleet.rules.map(({ metadata }) => metadata.name)).toEqual(['halted-al2023-v2-amd64-none']);
});
