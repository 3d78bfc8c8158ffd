import { fromTimestamp, type Pod } from '@nodewright/apis';
import type { NodeState, PoolSupply } from '@nodewright/engine';
import { aNode, aNodePool, anInstanceType, aPod, somePods } from '@nodewright/testkit';
import { expect, test } from 'vitest';
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

const seen = (pending: readonly Pod[], nodes: readonly NodeState[] = []): RoundSnapshot => ({
  supplies: [supply],
  notReady: [],
  failed: [],
  unevaluated: [],
  nodes,
  launching: [],
  leavingNodes: [],
  pending,
  virtualPods: [],
  ignored: [],
  volumeRequirements: new Map(),
  attachedVolumes: new Map(),
  defaultSpread: new Map(),
  daemonPods: [],
  namespaces: [],
  budgets: [],
  launched: [],
  futile: new Map(),
  poolNames: new Set(),
  nodeClassGenerations: new Map(),
});

/** Time for so many tries: a clock of which each try takes the same. */
function timeFor(tries: number): () => boolean {
  let asked = 0;
  return () => ++asked > tries;
}

/** What the claims of a round are to the next one: launched, without a node. */
const inFlight = ({ create }: RoundPlan, round: number): readonly NodeState[] =>
  create.map(({ newNode }, index) => {
    const [type] = newNode.instanceTypes;
    const cpu = `${type?.allocatable['cpu']}m`;
    const resources = { cpu, memory: `${type?.allocatable['memory']}`, pods: '110' };
    return aNode(`n-${round}-${index}`, { stage: 'inFlight', allocatable: resources });
  });

const placedOnNew = ({ create }: RoundPlan): readonly Pod[] => create.flatMap(({ newNode }) => newNode.pods);

test('a round that has no more time launches what it has found, and says nothing of the others', () => {
  const plan = planRound(seen(manyPods), options, now, timeFor(20));
  const placed = placedOnNew(plan).length;
  expect(placed).toBeGreaterThan(0);
  expect(plan.unreached).toBe(manyPods.length - placed);
  expect(plan.unschedulable).toEqual([]);
});

test('portions get further though no node has joined in between, and every pod has its place in the end', () => {
  const limit = new PortionLimit();
  const perTryMs = 15;
  const nodes: NodeState[] = [];
  const portions: number[] = [];
  let plan: RoundPlan;
  do {
    plan = planRound(seen(manyPods, [...nodes]), options, now, timeFor(limit.ms / perTryMs));
    limit.ended(plan.unreached);
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
  const first = planRound(seen(manyPods), options, now, timeFor(20));
  const late = aPod('late', { requests: { cpu: '3' }, priority: 1_000_000 });
  const next = planRound(seen([...manyPods, late], inFlight(first, 1)), options, now, timeFor(20));
  expect([...placedOnNew(next), ...next.nominate.flatMap(({ pods }) => pods)]).toContain(late);
});

test('rounds take longer while pods are left over, and no longer than a minute', () => {
  const limit = new PortionLimit();
  const limits = [7, 6, 5, 4, 3, 0, 0].map((unreached) => {
    const { ms } = limit;
    limit.ended(unreached);
    return ms;
  });
  expect(limits).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000, 5_000]);
});
