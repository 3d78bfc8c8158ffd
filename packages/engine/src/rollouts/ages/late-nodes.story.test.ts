import { fromTimestamp, hours, instant, minutes, type NodeRolloutPolicySpec } from '@nodewright/apis';
import { seededRandom } from '@nodewright/runtime';
import { SimulatedFleet } from '@nodewright/testkit';
import { expect, test } from 'vitest';

/** Nodes that are born together and expire together. */
function anAgingFleet(
  nodes: number,
  expireAfterMs: number,
  policy: NodeRolloutPolicySpec,
  pools: readonly string[] = ['default'],
): SimulatedFleet {
  const share = nodes / pools.length;
  const fleet = new SimulatedFleet({
    random: seededRandom('ages'),
    policy,
    pools: pools.map((name) => ({ name, nodes: share })),
  });
  fleet.nodes = fleet.nodes.map((node) => ({
    ...node,
    createdAt: fleet.now,
    initializedAt: fleet.now,
    expiresAt: instant(fleet.now + expireAfterMs),
  }));
  fleet.reconcile();
  return fleet;
}

const ageCondition = (fleet: SimulatedFleet) =>
  fleet.policy.status?.conditions?.find(({ type }) => type === 'MaxAgeTooTight');

const tight: NodeRolloutPolicySpec = { maxAge: { soft: '45m', jitter: '30m' } };

test('the policy says how many nodes the pace cannot let go before they expire, from the beginning on', () => {
  const fleet = anAgingFleet(100, minutes(50), tight);
  const condition = ageCondition(fleet);
  expect(condition).toMatchObject({ status: 'True', reason: 'PaceTooSlow' });
  const [, late] = /^NodePool\/default: (\d+) of 100 nodes reach expireAfter/.exec(condition?.message ?? '') ?? [];
  // One every two minutes from the fifteenth minute to the fiftieth: 18.
  expect(Number(late)).toBe(82);
  expect(condition?.message).toContain('the first at 2026-06-01T00:50:00Z');
  expect(condition?.message).toMatch(/: lower maxAge\.soft, raise pace or windows, or let nodes live longer$/);
});

test('as many nodes go as were told, and the others are there when they expire', () => {
  const fleet = anAgingFleet(100, minutes(50), tight);
  const born = new Set(fleet.nodes.map(({ name }) => name));
  const told = fleet.plan?.lateNodes.length ?? 0;
  for (let minute = 0; minute < 49; minute += 1) {
    fleet.advanceTime(minutes(1));
    fleet.reconcile();
  }
  const left = fleet.nodes.filter(({ name, leaving }) => born.has(name) && !leaving).length;
  // Three more than told are let go, and their replacements are not there yet.
  expect(left - told).toBeGreaterThanOrEqual(0);
  expect(left - told).toBeLessThanOrEqual(3);
});

test('with enough time between soft and end nothing is told, and every node goes before its end', () => {
  const fleet = anAgingFleet(20, minutes(90), tight);
  const born = new Set(fleet.nodes.map(({ name }) => name));
  expect(ageCondition(fleet)).toMatchObject({ status: 'False', message: '' });
  for (let minute = 0; minute < 85; minute += 1) {
    fleet.advanceTime(minutes(1));
    fleet.reconcile();
    expect(ageCondition(fleet)?.status).toBe('False');
  }
  expect(fleet.nodes.filter(({ name }) => born.has(name))).toEqual([]);
});

test('two pools go side by side, each at its own interval', () => {
  const one = anAgingFleet(40, minutes(60), tight);
  const two = anAgingFleet(40, minutes(60), tight, ['first', 'second']);
  expect(one.plan?.lateNodes.length).toBeGreaterThan(0);
  expect(two.plan?.lateNodes).toEqual([]);
});

test('closed windows count', () => {
  const windows = [{ schedule: '0 22 * * *', duration: '20m', timeZone: 'Etc/UTC' }];
  const fleet = anAgingFleet(20, hours(24), { maxAge: { soft: '12h', hard: '23h' }, windows });
  // Ten beginnings from 22:00 on, one every two minutes.
  expect(fleet.plan?.lateNodes.length).toBe(10);
  expect(new Set(fleet.plan?.lateNodes.map(({ endsBy }) => endsBy))).toEqual(new Set(['maxAge.hard']));
});

test('nodes whose end comes before their soft age are told, too', () => {
  const fleet = anAgingFleet(3, hours(10), { maxAge: { soft: '12h' } });
  expect(fleet.plan?.lateNodes.length).toBe(3);
});

test('nothing is told where nodes have no end', () => {
  const fleet = anAgingFleet(3, Infinity, {
    maxAge: { soft: '12h' },
    windows: [{ schedule: '0 0 30 2 *', duration: '1h' }],
  });
  expect(fleet.plan?.lateNodes).toEqual([]);
});

test('of nodes that are old the one that ends first goes first, however many pods it has', () => {
  const fleet = anAgingFleet(3, hours(10), { maxAge: { soft: '1h' } });
  const [, second] = fleet.nodes;
  fleet.nodes = fleet.nodes.map((node) =>
    node.name === second?.name ? { ...node, pods: 50, expiresAt: instant(fleet.now + hours(2)) } : node,
  );
  fleet.advanceTime(hours(1));
  fleet.reconcile();
  expect(fleet.policy.status?.admitted?.map(({ node }) => node)).toEqual([second?.name]);
});

test('a pause keeps nodes of the hard age, as it keeps those that expire', () => {
  const fleet = anAgingFleet(1, Infinity, { maxAge: { hard: '1h' } });
  fleet.pauses.push({
    metadata: { name: 'incident' },
    spec: { reason: 'INC-7', scope: { reasons: ['Expired'] }, until: '2026-06-01T02:00:00Z' },
  });
  const expiring = () => fleet.plan?.actions.filter(({ kind }) => kind === 'expire') ?? [];
  fleet.advanceTime(minutes(70));
  fleet.reconcile();
  expect(expiring()).toEqual([]);
  expect(fleet.plan?.nextChangeAt).toBe(fromTimestamp('2026-06-01T02:00:00Z'));
  fleet.advanceTime(minutes(50));
  fleet.reconcile();
  expect(expiring().length).toBe(1);
});
