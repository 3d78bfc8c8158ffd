import { fromTimestamp, type Condition, type NodePool } from '@nodewright/apis';
import { aNode, aNodePool, anInstanceType, aPod, aSnapshot } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import { nodeNameOf, type NodeState } from '../../cluster/node-state.ts';
import { printedBlocker } from '../candidates/disruption-blocker.ts';
import { driftMethod } from './drift-method.ts';
import type { DisruptionSnapshot } from '../snapshot.ts';
import { staticDrift } from './static-drift-method.ts';

const now = fromTimestamp('2024-03-01T12:00:00Z');
const drifted = (status: 'True' | 'False' = 'True', since = '2024-03-01T00:00:00Z'): Condition[] => [
  { type: 'Drifted', status, reason: 'AMIDrift', lastTransitionTime: since },
];
type Traits = NonNullable<Parameters<typeof aNode>[1]>;
const driftedNode = (name: string, traits: Traits = {}) => aNode(name, { claimConditions: drifted(), ...traits });
const web = (node: string, traits: NonNullable<Parameters<typeof aPod>[1]> = {}) =>
  aPod('web', { nodeName: node, ownerKind: 'ReplicaSet', ...traits });
const held = { 'karpenter.sh/do-not-disrupt': 'true' };

const aStaticPool = (replicas: number, spec: Partial<NodePool['spec']> = {}, name = 'default') => ({
  nodePool: aNodePool(name, { disruption: { budgets: [{ nodes: '100%' }] }, ...spec, replicas }),
  instanceTypes: [anInstanceType('c4', { cpu: 4 })],
});

const snapshot = (nodes: readonly NodeState[], pools = [aStaticPool(nodes.length)]): DisruptionSnapshot =>
  aSnapshot(nodes, {
    supplies: [],
    staticPools: new Set(pools.map(({ nodePool }) => nodePool.metadata.name)),
    staticSupplies: pools,
  });

const replaced = (seen: DisruptionSnapshot) =>
  staticDrift.plan(seen, now).commands.map(({ candidates }) => candidates.map(({ state }) => nodeNameOf(state)).join());
const blockers = (seen: DisruptionSnapshot) =>
  staticDrift.plan(seen, now).blocked.map(({ node, blocker }) => `${nodeNameOf(node)}: ${printedBlocker(blocker)}`);
const abc = ['a', 'b', 'c'].map((name) => driftedNode(name));

test('every drifted node gets a replacement of its own, whatever its pods need', () => {
  const unplaceable = web('a', { requests: { cpu: 100 } });
  const seen = snapshot([driftedNode('a', { pods: [unplaceable] }), driftedNode('b')]);
  const { commands } = staticDrift.plan(seen, now);
  expect(commands).toHaveLength(2);
  for (const { reason, replacements } of commands) {
    expect(reason).toBe('Drifted');
    expect(replacements).toMatchObject([{ pods: [], requests: {}, nodePool: { spec: { replicas: 2 } } }]);
  }
});

test('those go first that drifted longest ago', () => {
  const old = driftedNode('old', { claimConditions: drifted('True', '2024-02-01T00:00:00Z') });
  const pool = aStaticPool(2, { disruption: { budgets: [{ nodes: '1' }] } });
  expect(replaced(snapshot([driftedNode('new'), old], [pool]))).toEqual(['old']);
});

describe('left as it is', () => {
  for (const { fact, node } of [
    { fact: 'is a node that has not drifted', node: aNode('n') },
    { fact: 'is a node that has drifted no longer', node: aNode('n', { claimConditions: drifted('False') }) },
    { fact: 'is a node that must not be disrupted', node: driftedNode('n', { annotations: held }) },
    {
      fact: 'is a node with a pod that must not be disrupted',
      node: driftedNode('n', { pods: [web('n', { annotations: held })] }),
    },
  ]) {
    test(fact, () => {
      expect(replaced(snapshot([node]))).toEqual([]);
    });
  }
  test('is what belongs to a pool without a number of nodes, and the other way round', () => {
    const seen = { ...snapshot([driftedNode('n')], []), supplies: [aStaticPool(1)] };
    expect(replaced(seen)).toEqual([]);
    expect(driftMethod.plan(snapshot([driftedNode('n')]), now).commands).toEqual([]);
  });
});

test('with a terminationGracePeriod pods hold nothing back', () => {
  const node = driftedNode('n', { pods: [web('n', { annotations: held })], terminationGracePeriod: '1h' });
  expect(replaced(snapshot([node]))).toEqual(['n']);
});

describe('a limit on nodes', () => {
  for (const { nodes, names } of [
    { nodes: '3', names: [] },
    { nodes: '4', names: ['a'] },
    { nodes: '5', names: ['a', 'b'] },
    { nodes: '6', names: ['a', 'b', 'c'] },
  ]) {
    test(`of ${nodes} lets ${names.length} of three be replaced at a time`, () => {
      expect(replaced(snapshot(abc, [aStaticPool(3, { limits: { nodes } })]))).toEqual(names);
    });
  }
  test('counts nodes that are leaving', () => {
    const leaving = aNode('gone', { claimConditions: [{ type: 'InstanceTerminating', status: 'True' }] });
    expect(replaced(snapshot([...abc, leaving], [aStaticPool(3, { limits: { nodes: '5' } })]))).toEqual(['a']);
  });
  test('is told as the reason', () => {
    expect(blockers(snapshot(abc.slice(0, 1), [aStaticPool(1, { limits: { nodes: '1' } })]))).toEqual([
      'a: limits.nodes of NodePool default leaves no room for a replacement: it is 1',
    ]);
  });
});

describe('a pool', () => {
  test('with too many nodes loses those first', () => {
    expect(replaced(snapshot(abc, [aStaticPool(2)]))).toEqual([]);
    expect(blockers(snapshot(abc, [aStaticPool(2)]))[0]).toBe(
      'a: NodePool default has 3 nodes and wants 2: others go first',
    );
  });
  test('with replacements under way waits for them', () => {
    const underWay = driftedNode('a', { markedForDeletion: true });
    expect(replaced(snapshot([underWay, driftedNode('b'), aNode('new')], [aStaticPool(2)]))).toEqual([]);
  });
  test('of zero nodes has none to replace', () => {
    expect(replaced(snapshot([driftedNode('n')], [aStaticPool(0)]))).toEqual([]);
  });
  test('has budgets of its own', () => {
    const pools = [
      aStaticPool(3, { disruption: { budgets: [{ nodes: '2' }] } }),
      aStaticPool(1, { disruption: { budgets: [{ nodes: '0', reasons: ['Drifted'] }] } }, 'closed'),
      aStaticPool(1, {}, 'other'),
    ];
    const nodes = [...abc, driftedNode('d', { nodePool: 'closed' }), driftedNode('e', { nodePool: 'other' })];
    expect(replaced(snapshot(nodes, pools))).toEqual(['a', 'b', 'e']);
  });
});
