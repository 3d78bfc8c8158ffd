import { days, fromTimestamp, hours, minutes, type NodeRolloutPolicySpec, toTimestamp } from '@nodewright/apis';
import { seededRandom } from '@nodewright/runtime';
import { SimulatedFleet } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { planRollouts } from './plan.ts';

const policy: NodeRolloutPolicySpec = {
  waves: [
    { name: 'canary', nodes: 1, soak: '1h' },
    { name: 'all', nodes: '100%' },
  ],
  pace: { minInterval: '1m' },
  blocked: [
    { after: '10m', do: 'Park' },
    { after: '3h', do: 'Force' },
  ],
};

function live(fleet: SimulatedFleet, ms: number): void {
  for (let passed = 0; passed < ms; passed += minutes(5)) {
    fleet.advanceTime(minutes(5));
    fleet.reconcile();
  }
}

/** The first node that goes cannot be drained, and is parked. */
function aFleetWithParkedNode() {
  const fleet = new SimulatedFleet({ random: seededRandom('force'), policy, pools: [{ name: 'default', nodes: 4 }] });
  fleet.reconcile();
  for (const { name } of fleet.nodes) fleet.blockedPods.set(name, { pod: 'shop/db-0', podDisruptionBudget: 'db' });
  fleet.publish('v2');
  live(fleet, minutes(40));
  const [parked] = fleet.policy.status?.parked ?? [];
  const node = parked?.node ?? '';
  for (const name of fleet.blockedPods.keys()) if (name !== node) fleet.blockedPods.delete(name);
  expect(fleet.nodes.map(({ name }) => name)).toContain(node);
  return { fleet, isThere: () => fleet.nodes.some(({ name }) => name === node), node };
}

test('a parked node is drained by force when the policy says so, and its blocker tells from when on', () => {
  const { fleet, isThere, node } = aFleetWithParkedNode();
  const seen = fleet.snapshot();
  const blockedBy = { pod: 'shop/db-0', podDisruptionBudget: 'db' };
  const nodes = seen.nodes.map((each) => (each.name === node ? { ...each, blockedBy } : each));
  const blockers = planRollouts({ ...seen, nodes }).held.find((move) => move.node === node)?.blockers ?? [];
  expect(blockers.find(({ gate }) => gate === 'parked')?.message).toMatch(
    /^it cannot be drained: pod shop\/db-0 keeps it \(PodDisruptionBudget db\), and is drained by force from .* on$/,
  );
  live(fleet, hours(5));
  expect(isThere()).toBe(false);
  expect(fleet.rollouts.at(-1)?.status?.state).toBe('Complete');
});

test('force is held by what holds every other node: a pause, a halt', () => {
  const { fleet, isThere } = aFleetWithParkedNode();
  fleet.pauses = [{ metadata: { name: 'freeze' }, spec: { reason: 'INC-7' } }];
  live(fleet, hours(6));
  const { status } = fleet.rollouts.at(-1) ?? {};
  const paused = status?.conditions?.find(({ type }) => type === 'Paused');
  expect([isThere(), status?.state, status?.expectedEnd]).toEqual([true, 'Paused', undefined]);
  expect(paused).toMatchObject({ status: 'True', message: 'DisruptionPause freeze: INC-7, until it is resumed' });
  fleet.pauses = [];
  fleet.requests.push({ kind: 'halt', rollout: 'test-1', value: 'INC-8', by: 'ann', at: fleet.now });
  live(fleet, days(2));
  expect([isThere(), fleet.rollouts.at(-1)?.status?.state]).toEqual([true, 'Halted']);
  fleet.requests.push({ kind: 'resume', rollout: 'test-1', value: 'it was not the image', by: 'ann', at: fleet.now });
  live(fleet, hours(4));
  expect(isThere()).toBe(false);
});

test('a wave waits for parked nodes that could take its seats: the next one begins when they have soaked', () => {
  const [canary, all] = policy.waves ?? [];
  const waves = [canary, { name: 'half', nodes: '50%', soak: '1h' }, all].flatMap((wave) => wave ?? []);
  const blocked = [{ after: '10m', do: 'Park' }] as const;
  const fleet = new SimulatedFleet({
    random: seededRandom('parked wave'),
    policy: { ...policy, waves, blocked: [...blocked] },
    pools: [{ name: 'default', nodes: 4 }],
  });
  const waveOf = (name: string) => fleet.rollouts.at(-1)?.status?.waves?.find((wave) => wave.name === name);
  fleet.reconcile();
  fleet.publish('v2');
  for (let look = 0; look < 60 && waveOf('canary')?.healthy !== 1; look += 1) live(fleet, minutes(5));
  live(fleet, minutes(15));
  const keeper = { pod: 'shop/db-0', podDisruptionBudget: 'db' };
  const at = toTimestamp(fleet.now);
  const old = fleet.nodes.filter(({ rollout }) => rollout === undefined);
  for (const { name } of old) fleet.blockedPods.set(name, keeper);
  const parked = old.map(({ name, object }) => ({ node: name, object, since: at, firstAt: at, ...keeper }));
  fleet.policy = { ...fleet.policy, status: { ...fleet.policy.status, parked } };
  live(fleet, minutes(50));
  expect(old).toHaveLength(3);
  expect(waveOf('half')).toMatchObject({ seats: 2, taken: 1, startedAt: expect.any(String) as string });
  expect([waveOf('half')?.endedAt, waveOf('all')?.startedAt]).toEqual([undefined, undefined]);
  const freedAt = fleet.now;
  fleet.blockedPods.clear();
  live(fleet, hours(4));
  expect(waveOf('half')).toMatchObject({ seats: 2, taken: 2 });
  expect(fromTimestamp(waveOf('half')?.endedAt ?? '') - freedAt).toBeGreaterThanOrEqual(hours(1));
  expect(fleet.rollouts.at(-1)?.status?.state).toBe('Complete');
});
