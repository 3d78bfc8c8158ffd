import {
  aLoosePool,
  anInstanceType,
  aQuietNode,
  aRunningPod,
  aSnapshot,
  fourTypes,
  judgementOfTest,
  refusalsByNode,
  searchTogetherIn,
  somePods,
} from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import { gatherCandidates } from './gather.ts';
import { searchTogether } from './multi-node.ts';

const onDemandOnly = {
  requirements: [{ key: 'karpenter.sh/capacity-type', operator: 'In' as const, values: ['on-demand'] }],
};
const pool = aLoosePool('default', onDemandOnly);

/** So many nodes `n-1`, `n-2`, each with a pod. */
const fleet = (count: number, cpu: number, traits: Parameters<typeof aQuietNode>[1] = {}) =>
  Array.from({ length: count }, (_, index) => {
    const name = `n-${index + 1}`;
    return aQuietNode(name, { pods: [aRunningPod(`web-${index + 1}`, name, cpu)], ...traits });
  });

describe('several nodes', () => {
  test('merge into one that costs less than they do', () => {
    const nodes = fleet(3, 3, { instanceType: 'c8' });
    expect(refusalsByNode(searchTogetherIn(judgementOfTest(aSnapshot(nodes, { pool }))).found)).toBe(
      'n-1, n-2, n-3 -> c16',
    );
  });
  for (const { fact, capacityTypes, spotToSpot, replacement } of [
    { fact: 'on demand', capacityTypes: ['on-demand', 'on-demand', 'on-demand'], spotToSpot: false, replacement: 'm8' },
    { fact: 'spot', capacityTypes: ['spot', 'spot', 'spot'], spotToSpot: true, replacement: 'm8' },
    { fact: 'of both kinds', capacityTypes: ['spot', 'on-demand', 'spot'], spotToSpot: false, replacement: 'm8' },
  ]) {
    test(`merge three into one, ${fact}`, () => {
      // Pods of 2 cores: three fit one m8, and none fits beside another on an old node.
      const old = anInstanceType('old', {
        cpu: 4,
        offerings: ['spot', 'on-demand'].map((kind) => ['zone-a', kind as 'spot', 160_000] as const),
      });
      const m8 = anInstanceType('m8', {
        cpu: 8,
        offerings: ['spot', 'on-demand'].map((kind) => ['zone-a', kind as 'spot', 120_000] as const),
      });
      const nodes = capacityTypes.map((capacityType, index) =>
        aQuietNode(`n-${index}`, {
          instanceType: 'old',
          capacityType,
          pods: [aRunningPod(`web-${index}`, `n-${index}`, '2200m')],
        }),
      );
      const { found } = searchTogetherIn(judgementOfTest(aSnapshot(nodes, { instanceTypes: [old, m8] }), spotToSpot));
      expect(refusalsByNode(found)).toBe(`n-0, n-1, n-2 -> ${replacement}`);
    });
  }
  test('of one type do not merge into one of that type: one of them can stay', () => {
    const nodes = fleet(2, 1);
    const full = judgementOfTest(
      aSnapshot(nodes, { pool, instanceTypes: fourTypes.filter(({ name }) => name === 'c4') }),
    );
    expect(searchTogetherIn(full).found).toBeUndefined();
  });
  test('merge three into one where two cannot', () => {
    const nodes = fleet(3, 2, { instanceType: 'c2', allocatable: { cpu: '2', memory: '8Gi', pods: '110' } });
    const big = anInstanceType('b8', { cpu: 8, offerings: [['zone-a', 'on-demand', 200_000]] });
    const c2 = fourTypes.filter(({ name }) => name === 'c2');
    expect(
      refusalsByNode(searchTogetherIn(judgementOfTest(aSnapshot(nodes, { pool, instanceTypes: [...c2, big] }))).found),
    ).toBe('n-1, n-2, n-3 -> b8');
  });
  test('go without a replacement where their pods fit elsewhere', () => {
    const roomy = aQuietNode('roomy', { managed: false, instanceType: 'c16' });
    expect(refusalsByNode(searchTogetherIn(judgementOfTest(aSnapshot([...fleet(4, 3), roomy], { pool }))).found)).toBe(
      'n-1, n-2, n-3, n-4',
    );
  });
  test('go as many as budgets allow, and the search says so', () => {
    const roomy = aQuietNode('roomy', { managed: false, instanceType: 'c16' });
    const tight = aLoosePool('default', {
      ...onDemandOnly,
      disruption: { consolidateAfter: '0s', budgets: [{ nodes: '3' }] },
    });
    const outcome = searchTogetherIn(judgementOfTest(aSnapshot([...fleet(5, 1), roomy], { pool: tight })));
    expect([refusalsByNode(outcome.found), outcome.isHeldByBudgets]).toEqual(['n-1, n-2, n-3', true]);
  });
  test('go at most a hundred at once', () => {
    const roomy = aQuietNode('roomy', { managed: false, allocatable: { cpu: '500', memory: '900Gi', pods: '900' } });
    const outcome = searchTogetherIn(judgementOfTest(aSnapshot([...fleet(130, 1), roomy], { pool })));
    expect(outcome.found?.move.candidates).toHaveLength(100);
    expect(outcome.isHeldByBudgets).toBe(false);
  });
  test('with the best savings ratio go first', () => {
    const roomy = aQuietNode('roomy', { managed: false, instanceType: 'c8' });
    const busy = aQuietNode('busy', {
      pods: somePods(5, 'little', { nodeName: 'busy', requests: { cpu: '100m' }, ownerKind: 'ReplicaSet' }),
    });
    const tight = aLoosePool('default', {
      ...onDemandOnly,
      disruption: { consolidateAfter: '0s', budgets: [{ nodes: '2' }] },
    });
    const nodes = [busy, ...fleet(2, 1), roomy];
    expect(refusalsByNode(searchTogetherIn(judgementOfTest(aSnapshot(nodes, { pool: tight }))).found)).toBe('n-1, n-2');
  });
});

test('one node alone is left to the other method', () => {
  const outcome = searchTogetherIn(
    judgementOfTest(aSnapshot([...fleet(1, 1), aQuietNode('roomy', { managed: false })], { pool })),
  );
  expect(outcome).toEqual({
    outweighed: [],
    refused: [],
    looked: ['n-1-claim'],
    isHeldByBudgets: false,
    isCutShort: false,
  });
});

test('a search that reaches a limit returns the best it has found', () => {
  const roomy = aQuietNode('roomy', { managed: false, allocatable: { cpu: '64', memory: '128Gi', pods: '900' } });
  const judgement = judgementOfTest(aSnapshot([...fleet(20, 1), roomy], { pool }));
  for (const limits of [{ mostTries: 1 }, { workLimit: 1 }]) {
    const outcome = searchTogether(gatherCandidates(judgement).candidates, judgement, limits);
    expect(outcome.found?.move.candidates).toHaveLength(11);
    expect(outcome.isCutShort).toBe(true);
  }
});

test('a merger that minValues forbids once the like of the candidates is left out is none, and others are tried', () => {
  const wide = aLoosePool('default', {
    requirements: [
      ...onDemandOnly.requirements,
      { key: 'node.kubernetes.io/instance-type', operator: 'Exists', minValues: 3 },
    ],
  });
  const nodes = fleet(2, 2, { instanceType: 'c8' });
  expect(searchTogetherIn(judgementOfTest(aSnapshot(nodes, { pool: wide }))).found).toBeUndefined();
});
