import { fromTimestamp, type Pod } from '@nodewright/apis';
import type { NodeState, PoolSupply } from '@nodewright/engine';
import { aNode, aNodePool, anInstanceType, aPod, somePods } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { aRound } from '@nodewright/testkit/worlds';
import type { RoundSnapshot } from './observe.ts';
import { planRound, type RoundPlan } from './plan.ts';
import { PortionLimit } from './portion-limit.ts';

const now = fromTimestamp('2024-01-28T16:00:00Z');
const options = { preferencePolicy: 'Respect', minValuesPolicy: 'Strict' } as const;
const supply: PoolSupply = {
  nodePool: aNodePool(),
  instanceTypes: [4, 8, 16].map((cpu) => anInstanceType(`c${cpu}`, { cpu })),
};

/** 3,000 pods of a hundred sizes, the smallest of 100m. */
const manyPods = Array.from({ length: 100 }, (_, size) =>
  somePods(30, `of-size-${size}`, { requests: { cpu: `${100 + 10 * size}m` } }),
).flat();

const seen = (pending: readonly Pod[], nodes: readonly NodeState[] = []): RoundSnapshot =>
  aRound({ supplies: [supply], pending, nodes });

/** A limit that is spent before all pods are placed. */
const firstLimit = 4_000;

const limited = (round: RoundSnapshot, workLimit: number): RoundSnapshot => ({ ...round, workLimit });

/** What the claims of a round are to the next one: launched, without a node. */
const inFlight = ({ create }: RoundPlan, round: number): readonly NodeState[] =>
  create.map(({ newNode }, index) => {
    const [type] = newNode.instanceTypes;
    const cpu = `${type?.allocatable['cpu']}m`;
    const resources = { cpu, memory: `${type?.allocatable['memory']}`, pods: '110' };
    return aNode(`n-${round}-${index}`, { stage: 'inFlight', allocatable: resources });
  });

const placedOnNew = ({ create }: RoundPlan): readonly Pod[] => create.flatMap(({ newNode }) => newNode.pods);

test('a round that reaches its limit launches what it has found, and says nothing of the others', () => {
  const plan = planRound(limited(seen(manyPods), firstLimit), options, now);
  const placed = placedOnNew(plan).length;
  expect(placed).toBeGreaterThan(0);
  expect(plan.unreached).toBe(manyPods.length - placed);
  expect(plan.unschedulable).toEqual([]);
});

test('portions get further though no node has joined in between, and every pod has its place in the end', () => {
  const limit = new PortionLimit();
  const slowness = 250;
  const nodes: NodeState[] = [];
  const portions: number[] = [];
  let plan: RoundPlan;
  do {
    plan = planRound(limited(seen(manyPods, [...nodes]), limit.work / slowness), options, now);
    limit.ended({ unreached: plan.unreached, tookMs: 0 });
    nodes.push(...inFlight(plan, portions.length));
    portions.push(placedOnNew(plan).length);
  } while (plan.unreached > 0 && portions.length < 10);
  expect(plan).toMatchObject({ unreached: 0, unschedulable: [] });
  expect(portions.length).toBeGreaterThan(2);
  expect(portions.length).toBeLessThan(10);
  const atOnce = planRound(seen(manyPods), options, now).create.length;
  expect(nodes.length).toBeLessThanOrEqual(Math.ceil(1.05 * atOnce));
});

test('a pod that comes while a portion is launched is decided on with the next one, in its turn', () => {
  const first = planRound(limited(seen(manyPods), firstLimit), options, now);
  const late = aPod('late', { requests: { cpu: '3' }, priority: 1_000_000 });
  const next = planRound(limited(seen([...manyPods, late], inFlight(first, 1)), firstLimit), options, now);
  expect([...placedOnNew(next), ...next.nominate.flatMap(({ pods }) => pods)]).toContain(late);
});

/** In units of work that the machine does in a millisecond. */
const portions = (pace: number, unreached: readonly number[]): readonly number[] => {
  const limit = new PortionLimit();
  return unreached.map((pods) => {
    const { work } = limit;
    limit.ended({ unreached: pods, tookMs: work / pace });
    return Math.round(work / pace);
  });
};

test('rounds take longer while pods are left over, and no longer than a minute', () => {
  expect(portions(200, [7, 6, 5, 4, 3, 0, 0])).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000, 5_000]);
});

for (const { fact, pace, took } of [
  {
    fact: 'on a slow machine the first portion is too long, and the next ones are as long as they should be',
    pace: 50,
    took: [20_000, 10_000, 20_000, 5_000],
  },
  { fact: 'on a fast machine portions become larger', pace: 1_000, took: [1_000, 10_000, 20_000, 5_000] },
]) {
  test(fact, () => expect(portions(pace, [3, 2, 0, 0])).toEqual(took));
}

test('a clock that stands still says nothing of the machine', () => {
  const limit = new PortionLimit();
  const { work } = limit;
  limit.ended({ unreached: 1, tookMs: 0 });
  expect(limit.work).toBe(2 * work);
});
