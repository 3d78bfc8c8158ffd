import {
  aLoosePool,
  anInstanceType,
  aQuietNode,
  aRunningPod,
  aSnapshot,
  judgementOfTest,
  refusalsByNode,
  searchSinglyIn,
  searchTogetherIn,
} from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import type { DisruptionCandidate } from '../candidates/candidate.ts';
import { isApproved, mayBeApproved, poolTotals, scoresOf, type PoolTotals } from './balance.ts';
import { gatherCandidates } from '../consolidation/gather.ts';
import { printedRefusal } from './refusal.ts';

const balanced = (name = 'default', more: Parameters<typeof aLoosePool>[1] = {}) =>
  aLoosePool(name, {
    requirements: [{ key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] }],
    ...more,
    disruption: {
      consolidateAfter: '0s',
      consolidationPolicy: 'Balanced',
      budgets: [{ nodes: '100%' }],
      ...more.disruption,
    },
  });

/** A candidate of a pool that costs so many millionths of a dollar, and so much to move. */
const aCandidate = (
  priceMicroUsdPerHour: number,
  rescheduleCost: number,
  nodePool = balanced(),
): DisruptionCandidate => ({
  state: aQuietNode('n'),
  nodePool,
  reschedulable: [],
  priceMicroUsdPerHour,
  rescheduleCost,
});

const totalsOf = (totals: PoolTotals, name = 'default') => new Map([[name, totals]]);

const scoreOf = (candidates: readonly DisruptionCandidate[], totals: ReadonlyMap<string, PoolTotals>, k?: number) =>
  scoresOf({ candidates, replacements: [] }, totals, k);

describe('the score of a move', () => {
  const tenAlike = totalsOf({ cost: 10_000_000, disruption: 20 });
  test('sets its part of the savings against its part of the disruption', () => {
    expect(scoreOf([aCandidate(1_000_000, 2)], tenAlike)).toEqual([
      { nodePool: 'default', savingsShare: 0.1, disruptionShare: 0.1, score: 1, threshold: 0.5, isApproved: true },
    ]);
  });
  for (const { fact, candidates, totals = tenAlike, score, approved } of [
    {
      fact: 'half as much saved as disturbed is just enough',
      candidates: [aCandidate(500_000, 2)],
      score: 0.5,
      approved: true,
    },
    { fact: 'two fifths are not', candidates: [aCandidate(400_000, 2)], score: 0.4, approved: false },
    { fact: 'nodes without a price save nothing', candidates: [aCandidate(0, 2)], score: 0, approved: false },
    {
      fact: 'a node without a price adds its disruption',
      candidates: [aCandidate(1_000_000, 2), aCandidate(0, 8)],
      score: 0.2,
      approved: false,
    },
    {
      fact: 'without totals there is no score',
      candidates: [aCandidate(1_000_000, 2)],
      totals: new Map<string, PoolTotals>(),
      score: 0,
      approved: false,
    },
    {
      fact: 'a pool whose cost is not known costs what the candidates do',
      candidates: [aCandidate(1_000_000, 2)],
      totals: totalsOf({ cost: 0, disruption: 20 }),
      score: 10,
      approved: true,
    },
    {
      fact: 'a pool that costs nothing has no score',
      candidates: [aCandidate(0, 2)],
      totals: totalsOf({ cost: 0, disruption: 20 }),
      score: 0,
      approved: false,
    },
    {
      fact: 'savings that disturb nothing are without limit',
      candidates: [aCandidate(1_000_000, 0)],
      score: Infinity,
      approved: true,
    },
    {
      fact: 'at the scale of real prices',
      candidates: [aCandidate(4_840_000, 4)],
      totals: totalsOf({ cost: 48_400_000, disruption: 90 }),
      score: 2.25,
      approved: true,
    },
  ]) {
    test(fact, () => {
      const scores = scoreOf(candidates, totals);
      expect(scores.map((each) => each.score)[0]).toBeCloseTo(score, 10);
      expect(isApproved(scores)).toBe(approved);
    });
  }
  test('of a busy node in a pricier pool depends on how much disruption is tolerated', () => {
    const move = [aCandidate(2_420_000, 9)];
    const approvals = [1, 2, 3].map((k) =>
      isApproved(scoreOf(move, totalsOf({ cost: 60_000_000, disruption: 90 }), k)),
    );
    expect(approvals).toEqual([false, false, true]);
    const [uniform] = scoreOf(move, totalsOf({ cost: 48_400_000, disruption: 90 }));
    expect([uniform?.score, uniform?.isApproved]).toEqual([0.5, true]);
  });
  test('does not depend on the scale of prices', () => {
    const [small] = scoreOf([aCandidate(1_000, 3)], totalsOf({ cost: 10_000, disruption: 17 }));
    const [large] = scoreOf([aCandidate(1_000_000, 3)], totalsOf({ cost: 10_000_000, disruption: 17 }));
    expect(small?.score).toBeCloseTo(large?.score ?? 0, 12);
  });
  test('over several pools divides what is saved by what their nodes cost, and each pool has a say', () => {
    const [a, b] = [balanced('a'), balanced('b')];
    const totals = new Map([
      ['a', { cost: 10_000_000, disruption: 20 }],
      ['b', { cost: 10_000_000, disruption: 4 }],
    ]);
    const scores = scoreOf([aCandidate(3_000_000, 2, a), aCandidate(1_000_000, 2, b)], totals);
    expect(scores.map(({ nodePool, score, isApproved: is }) => [nodePool, Number(score.toFixed(3)), is])).toEqual([
      ['a', 3, true],
      ['b', 0.2, false],
    ]);
    expect(isApproved(scores)).toBe(false);
  });
  test('is asked of pools with the Balanced policy alone', () => {
    const scores = scoreOf([aCandidate(1, 9, aLoosePool('greedy')), aCandidate(1_000_000, 2)], tenAlike);
    expect(scores.map(({ nodePool }) => nodePool)).toEqual(['default']);
    expect(isApproved(scoreOf([aCandidate(1, 9, aLoosePool('greedy'))], tenAlike))).toBe(true);
  });
  test('is spared where not even the whole price of a node would do', () => {
    expect(mayBeApproved(aCandidate(400_000, 2), tenAlike)).toBe(false);
    expect(mayBeApproved(aCandidate(500_000, 2), tenAlike)).toBe(true);
    expect(mayBeApproved(aCandidate(1, 9), new Map())).toBe(true);
    expect(mayBeApproved(aCandidate(1, 9), totalsOf({ cost: 0, disruption: 5 }))).toBe(true);
    expect(mayBeApproved(aCandidate(1, 9, aLoosePool()), tenAlike)).toBe(true);
  });
});

test('the totals of a pool are those of all its nodes, whether they may go or not', () => {
  const nodes = [
    aQuietNode('a', { pods: [aRunningPod('web', 'a', 1)] }),
    aQuietNode('held', { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } }),
    aQuietNode('priceless', {
      instanceType: 'old',
      pods: [aRunningPod('x', 'priceless', 1), aRunningPod('y', 'priceless', 1)],
    }),
    aQuietNode('unmanaged', { managed: false }),
  ];
  expect(poolTotals(judgementOfTest(aSnapshot(nodes, { pool: balanced() })).seen)).toEqual(
    new Map([['default', { cost: 320_000, disruption: 6 }]]),
  );
});

describe('with the Balanced policy', () => {
  const pods = (node: string, count: number, cpu: string) =>
    Array.from({ length: count }, (_, index) => aRunningPod(`${node}-${index}`, node, cpu));
  test('an oversized node is replaced', () => {
    const nodes = [aQuietNode('n', { instanceType: 'c16', pods: pods('n', 1, '1') })];
    expect(refusalsByNode(searchSinglyIn(judgementOfTest(aSnapshot(nodes, { pool: balanced() }))).found)).toBe(
      'n -> c2, c4, c8',
    );
  });
  test('a well-packed node stays where a little cheaper one would do', () => {
    const nodes = [aQuietNode('n', { instanceType: 'c16', pods: pods('n', 14, '1') })];
    const instanceTypes = [640_000, 500_000].map((price, index) =>
      anInstanceType(index === 0 ? 'c16' : 'd16', { cpu: 16, offerings: [['zone-a', 'on-demand', price]] }),
    );
    const judgement = judgementOfTest(aSnapshot(nodes, { pool: balanced(), instanceTypes }));
    const { found, outweighed } = searchSinglyIn(judgement);
    expect(found).toBeUndefined();
    expect(outweighed.map(({ scores }) => printedRefusal({ kind: 'unbalanced', scores }))).toEqual([
      "the Balanced policy of NodePool default finds it not worth the disruption: it saves 21.9% of the pool's cost for 100% of its disruption, score 0.22 of at least 0.50",
    ]);
    expect(
      refusalsByNode(searchSinglyIn(judgementOfTest(aSnapshot(nodes, { pool: aLoosePool(), instanceTypes }))).found),
    ).toBe('n -> d16');
  });
  test('several underutilized nodes merge', () => {
    const nodes = ['a', 'b', 'c', 'd'].map((name) =>
      aQuietNode(name, { instanceType: 'c8', pods: pods(name, 1, '1') }),
    );
    expect(refusalsByNode(searchTogetherIn(judgementOfTest(aSnapshot(nodes, { pool: balanced() }))).found)).toBe(
      'a, b, c',
    );
  });
  test('a budget of zero holds all', () => {
    const nodes = ['a', 'b'].map((name) => aQuietNode(name, { pods: pods(name, 1, '1') }));
    const pool = balanced('default', {
      disruption: { consolidateAfter: '0s', consolidationPolicy: 'Balanced', budgets: [{ nodes: '0' }] },
    });
    expect(gatherCandidates(judgementOfTest(aSnapshot(nodes, { pool }))).candidates).toHaveLength(2);
    expect([
      searchTogetherIn(judgementOfTest(aSnapshot(nodes, { pool }))).found,
      searchSinglyIn(judgementOfTest(aSnapshot(nodes, { pool }))).found,
    ]).toEqual([undefined, undefined]);
  });
});
