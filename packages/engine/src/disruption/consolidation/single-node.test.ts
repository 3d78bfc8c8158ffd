import {
  aLoosePool,
  anInstanceType,
  aNode,
  aPod,
  aQuietNode,
  aRunningPod,
  aSnapshot,
  fourTypes,
  judgementOfTest,
  refusalsByNode,
  searchSinglyIn,
} from '@nodewright/testkit';
import type { Pod, PodDisruptionBudget } from '@nodewright/apis';
import { describe, expect, test } from 'vitest';
import { nodeNameOf } from '../../cluster/node-state.ts';
import { gatherCandidates } from './gather.ts';
import { takePoolsInTurns } from './order.ts';
import { printedRefusal } from '../moves/refusal.ts';
import { searchSingly } from './single-node.ts';

const onDemand = { key: 'karpenter.sh/capacity-type', operator: 'In' as const, values: ['on-demand'] };
const pool = aLoosePool('default', { requirements: [onDemand] });
const busy = (name: string, traits: Parameters<typeof aQuietNode>[1] = {}, pod: Parameters<typeof aPod>[1] = {}) =>
  aQuietNode(name, { pods: [aRunningPod(`on-${name}`, name, 2, pod)], ...traits });
const budgetFor = (
  app: string,
  namespace: string,
  more: Partial<PodDisruptionBudget['spec']> = {},
): PodDisruptionBudget => ({
  metadata: { name: 'guard', namespace },
  spec: { selector: { matchLabels: { app } }, ...more },
  status: { disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 },
});

describe('which node goes', () => {
  test('the one with the best savings ratio', () => {
    const nodes = [busy('a', { instanceType: 'c8' }), busy('b', { instanceType: 'c16' })];
    expect(refusalsByNode(searchSinglyIn(judgementOfTest(aSnapshot(nodes, { pool }))).found)).toBe('b');
  });
  test('another one while a pod must not be disrupted', () => {
    const held = { 'karpenter.sh/do-not-disrupt': 'true' };
    const pods = [aRunningPod('held', 'a', 1, { annotations: held })];
    expect(
      refusalsByNode(searchSinglyIn(judgementOfTest(aSnapshot([busy('a', { pods }), busy('b')], { pool }))).found),
    ).toBe('b');
    expect(
      refusalsByNode(
        searchSinglyIn(judgementOfTest(aSnapshot([busy('a', { annotations: held }), busy('b')], { pool }))).found,
      ),
    ).toBe('b');
  });
  test('a terminationGracePeriod does not let it pass over pods that must not be disrupted', () => {
    const pods = [aRunningPod('held', 'a', 1, { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } })];
    const nodes = [busy('a', { pods, terminationGracePeriod: '1h' }), aQuietNode('roomy', { managed: false })];
    expect(searchSinglyIn(judgementOfTest(aSnapshot(nodes, { pool }))).found).toBeUndefined();
  });
  test('another one while a PodDisruptionBudget allows no eviction, if it is of the same namespace', () => {
    const nodes = [busy('a', {}, { labels: { app: 'web' } }), busy('b')];
    const around = (namespace: string) => ({ pool, podDisruptionBudgets: [budgetFor('web', namespace)] });
    expect(refusalsByNode(searchSinglyIn(judgementOfTest(aSnapshot(nodes, around('default')))).found)).toBe('b');
    expect(refusalsByNode(searchSinglyIn(judgementOfTest(aSnapshot(nodes, around('elsewhere')))).found)).toBe('a');
  });
  test('one whose PodDisruptionBudget lets unhealthy pods go', () => {
    const unready = (pod: Pod): Pod => ({
      ...pod,
      status: { ...pod.status, conditions: [{ type: 'Ready', status: 'False' }] },
    });
    const a = aQuietNode('a', { pods: [unready(aRunningPod('web', 'a', 2, { labels: { app: 'web' } }))] });
    const podDisruptionBudgets = [budgetFor('web', 'default', { unhealthyPodEvictionPolicy: 'AlwaysAllow' })];
    expect(
      refusalsByNode(searchSinglyIn(judgementOfTest(aSnapshot([a, busy('b')], { pool, podDisruptionBudgets }))).found),
    ).toBe('a');
  });
  test('one in another pool where the first has no fourTypes or cannot be launched from', () => {
    const nodes = [busy('a', { nodePool: 'bare' }), busy('b'), busy('c')];
    const supplies = [
      { nodePool: aLoosePool('bare'), instanceTypes: [] },
      { nodePool: pool, instanceTypes: fourTypes },
    ];
    expect(refusalsByNode(searchSinglyIn(judgementOfTest(aSnapshot(nodes, { supplies }))).found)).toBe('b');
    expect(refusalsByNode(searchSinglyIn(judgementOfTest(aSnapshot(nodes, { pool }))).found)).toBe('b');
  });
  test('one whose pods belong to nobody as well', () => {
    const a = aQuietNode('a', { pods: [aPod('alone', { nodeName: 'a', requests: { cpu: 1 } })] });
    expect(
      refusalsByNode(
        searchSinglyIn(judgementOfTest(aSnapshot([a, aQuietNode('roomy', { managed: false })], { pool }))).found,
      ),
    ).toBe('a');
  });
  test('none whose pods would wait for a node that may never get ready', () => {
    const nodes = [busy('a'), aQuietNode('starting', { stage: 'registered' })];
    const { found, refused } = searchSinglyIn(
      judgementOfTest(aSnapshot(nodes, { pool, instanceTypes: fourTypes.slice(1) })),
    );
    expect(found).toBeUndefined();
    expect(refused.map(({ refusal }) => printedRefusal(refusal)).join()).toContain(
      'node starting, which is not initialized',
    );
  });
  test('one whose pods fit beside an initialized node rather than one that starts', () => {
    const nodes = [busy('a'), aQuietNode('starting', { stage: 'registered' }), aQuietNode('there', { managed: false })];
    const { found } = searchSinglyIn(judgementOfTest(aSnapshot(nodes, { pool })));
    expect(found?.move.destinations.map(({ node }) => nodeNameOf(node))).toEqual(['there']);
  });
  test('none whose pods keep apart', () => {
    const apart = {
      labels: { app: 'db' },
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'db' } } },
          ],
        },
      },
    };
    const nodes = ['a', 'b'].map((name) => busy(name, {}, apart));
    expect(
      searchSinglyIn(judgementOfTest(aSnapshot(nodes, { pool, instanceTypes: fourTypes.slice(1) }))).found,
    ).toBeUndefined();
  });
  test('one that is replaced where the spread of its pods wants the replacement', () => {
    const spread = {
      labels: { app: 'web' },
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: 'topology.kubernetes.io/zone',
          whenUnsatisfiable: 'DoNotSchedule' as const,
          labelSelector: { matchLabels: { app: 'web' } },
        },
      ],
    };
    const nodes = ['zone-a', 'zone-b', 'zone-c'].map((zone, index) =>
      busy(`n-${index}`, { zone, instanceType: index === 1 ? 'c16' : 'c4' }, spread),
    );
    const { found } = searchSinglyIn(judgementOfTest(aSnapshot(nodes, { pool })));
    expect(refusalsByNode(found)).toBe('n-1 -> c4, c8');
    const zones = found?.move.replacements[0]?.requirements.get('topology.kubernetes.io/zone');
    expect([...(zones?.values ?? [])]).toEqual(['zone-b']);
  });
  test('none whose pods would go to a node within its consolidateAfter, which would wait anew', () => {
    const unquiet = (nodePool: string) => busy('unquiet', { claimConditions: [], nodePool });
    const alone = fourTypes.filter(({ name }) => name === 'c4');
    const supplies = [
      pool,
      aLoosePool('still', { requirements: [onDemand], disruption: { consolidateAfter: 'Never' } }),
    ].map((nodePool) => ({
      nodePool,
      instanceTypes: alone,
    }));
    const found = (nodePool: string) =>
      refusalsByNode(searchSinglyIn(judgementOfTest(aSnapshot([busy('a'), unquiet(nodePool)], { supplies }))).found);
    expect(found('default')).toBeUndefined();
    expect(found('still')).toBe('a');
  });
  test('one that is replaced by a cheaper node, although others are within their consolidateAfter', () => {
    const nodes = [busy('a', { instanceType: 'c16' }), busy('unquiet', { claimConditions: [] })];
    expect(refusalsByNode(searchSinglyIn(judgementOfTest(aSnapshot(nodes, { pool }))).found)).toBe('a -> c4, c8');
  });
  test('one although pods that wait go to a node within its consolidateAfter', () => {
    const pendingPods = [aPod('waits', { requests: { cpu: '1500m' } })];
    const nodes = [busy('a'), aQuietNode('roomy', { managed: false }), busy('unquiet', { claimConditions: [] })];
    expect(refusalsByNode(searchSinglyIn(judgementOfTest(aSnapshot(nodes, { pool, pendingPods }))).found)).toBe('a');
  });
  test('one although some pods can never be placed', () => {
    const pendingPods = [aPod('stuck', { nodeSelector: { rack: '7' } })];
    expect(
      refusalsByNode(searchSinglyIn(judgementOfTest(aSnapshot([busy('a'), busy('b')], { pool, pendingPods }))).found),
    ).toBe('a');
  });
  test('none from which a pod would be left without a place', () => {
    const nodes = [busy('a', {}, { nodeSelector: { rack: '7' } }), aQuietNode('roomy', { managed: false })];
    const { found, refused } = searchSinglyIn(judgementOfTest(aSnapshot(nodes, { pool })));
    expect(found).toBeUndefined();
    expect(refused.map(({ refusal }) => printedRefusal(refusal)).join()).toContain(
      'pod default/on-a would have no place',
    );
  });
  test('none that waits for pods of a node that leaves', () => {
    const leaving = busy('leaving', { markedForDeletion: true }, {});
    const nodes = [leaving, busy('a')];
    const around = { pool, instanceTypes: fourTypes.filter(({ name }) => name === 'c4') };
    expect(searchSinglyIn(judgementOfTest(aSnapshot(nodes, around))).found).toBeUndefined();
  });
  test('one that pods merely prefer, when preferences are ignored', () => {
    const preference = {
      affinity: {
        nodeAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            {
              weight: 1,
              preference: {
                matchExpressions: [
                  { key: 'node.kubernetes.io/instance-type', operator: 'In' as const, values: ['c16'] },
                ],
              },
            },
          ],
        },
      },
    };
    const nodes = [busy('a', { instanceType: 'c16' }, preference)];
    const options = (preferencePolicy: 'Respect' | 'Ignore') => ({
      options: { preferencePolicy, minValuesPolicy: 'Strict' as const },
    });
    expect(searchSinglyIn(judgementOfTest(aSnapshot(nodes, { pool, ...options('Respect') }))).found).toBeUndefined();
    expect(
      refusalsByNode(searchSinglyIn(judgementOfTest(aSnapshot(nodes, { pool, ...options('Ignore') }))).found),
    ).toBe('a -> c4, c8');
  });
  test('one in a full pool whose limits leave no room beside it', () => {
    const limited = aLoosePool('default', { requirements: [onDemand], limits: { nodes: '1' } });
    expect(
      refusalsByNode(
        searchSinglyIn(judgementOfTest(aSnapshot([busy('a', { instanceType: 'c16' })], { pool: limited }))).found,
      ),
    ).toBe('a -> c4, c8');
  });
});

describe('the turns of pools', () => {
  const nodes = [
    ...[3, 2, 1].map((rank) =>
      busy(`big-${rank}`, { nodePool: 'big', instanceType: ['c4', 'c8', 'c16'][rank - 1] ?? 'c4' }),
    ),
    busy('small-1', { nodePool: 'small' }),
  ];
  const supplies = ['small', 'big'].map((name) => ({
    nodePool: aLoosePool(name, { requirements: [onDemand] }),
    instanceTypes: fourTypes,
  }));
  const judgement = judgementOfTest(aSnapshot(nodes, { supplies }));
  const { candidates } = gatherCandidates(judgement);
  const names = (looked?: readonly string[]) =>
    takePoolsInTurns(candidates, new Set(looked)).map(({ state }) => nodeNameOf(state));

  test('each pool gives its best in turn', () => {
    expect(names()).toEqual(['big-3', 'small-1', 'big-2', 'big-1']);
  });
  test('after an interruption the others follow, of untouched pools first', () => {
    expect(names(['big-3-claim'])).toEqual(['small-1', 'big-2', 'big-1']);
  });
  test('an interrupted search finds nothing, and tells what it has come to', () => {
    const kept = judgementOfTest(
      aSnapshot(
        nodes.map((node) => ({
          ...node,
          pods: node.pods.map((pod) => ({ ...pod, spec: { ...pod.spec, nodeSelector: { rack: '7' } } })),
        })),
        { supplies },
      ),
    );
    const { found, looked, isCutShort } = searchSingly(gatherCandidates(kept).candidates, kept, {
      limits: { mostTries: 2 },
    });
    expect([found, looked, isCutShort]).toEqual([undefined, ['big-3-claim', 'small-1-claim'], true]);
  });
});

test('nodes of a pool whose budgets are used up are passed over, and the search says so', () => {
  const closed = aLoosePool('default', { disruption: { consolidateAfter: '0s', budgets: [{ nodes: '0' }] } });
  const { found, isHeldByBudgets } = searchSinglyIn(
    judgementOfTest(aSnapshot([busy('a'), busy('b')], { pool: closed })),
  );
  expect([found, isHeldByBudgets]).toEqual([undefined, true]);
});

test('nothing is looked at again after everything was', () => {
  const alone = anInstanceType('c4', { cpu: 4, offerings: [['zone-a', 'on-demand', 160_000]] });
  const { found, looked, refused } = searchSinglyIn(
    judgementOfTest(
      aSnapshot(
        [busy('a'), aNode('unmanaged', { managed: false, allocatable: { cpu: '1', memory: '1Gi', pods: '9' } })],
        { instanceTypes: [alone] },
      ),
    ),
  );
  expect([found, looked, refused.length]).toEqual([undefined, ['a-claim'], 1]);
});
