import type { NodePool, NodeSelectorTerm, Pod } from '@nodewright/apis';
import { anInstanceType, aNode, aNodePool, aPod, aProblem, somePods } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import type { SchedulingProblem } from '../problem.ts';
import { printedReason, printedReasons } from '../why/printed-reasons.ts';
import { schedulePods } from './schedule.ts';

const sizes = [2, 4, 8, 16].map((cpu) => anInstanceType(`c${cpu}`, { cpu, labels: { size: [String(cpu)] } }));

const round = (pods: readonly Pod[], more: Partial<SchedulingProblem> = {}): SchedulingProblem => ({
  ...aProblem(pods, sizes),
  ...more,
});

const from = (nodePool: NodePool): Partial<SchedulingProblem> => ({ nodePools: [{ nodePool, instanceTypes: sizes }] });
const cheapestOf = (problem: SchedulingProblem) =>
  schedulePods(problem).newNodes.map((node) => node.instanceTypes[0]?.name);
const whyNot = (problem: SchedulingProblem) =>
  schedulePods(problem).unschedulable[0]?.reasons.map(printedReason).join('; ');

describe('sizes', () => {
  for (const { fact, pods, types } of [
    { fact: 'one small pod gets the smallest type', pods: [aPod('p', { requests: { cpu: 1 } })], types: ['c2'] },
    { fact: 'two pods share a node', pods: somePods(2, 'p', { requests: { cpu: '900m' } }), types: ['c2'] },
    {
      fact: 'what is kept back for the system is not given to pods',
      pods: somePods(2, 'p', { requests: { cpu: 1 } }),
      types: ['c4'],
    },
    {
      fact: 'a pod that fills the largest type leaves no room',
      pods: somePods(2, 'p', { requests: { cpu: 12 } }),
      types: ['c16', 'c16'],
    },
    { fact: 'pods without requests take a place only', pods: somePods(3, 'p'), types: ['c2'] },
  ]) {
    test(fact, () => {
      expect(cheapestOf(round(pods))).toEqual(types);
    });
  }
  test('a pod too large for every type has no place, and the reason says so', () => {
    expect(whyNot(round([aPod('p', { requests: { cpu: 100 } })]))).toContain(
      'no instance type meets the resource requests',
    );
  });
  test('a pod limit per node opens further nodes', () => {
    const single = [anInstanceType('single', { pods: 1 })];
    const { newNodes } = schedulePods(
      round(somePods(3, 'p'), { nodePools: [{ nodePool: aNodePool(), instanceTypes: single }] }),
    );
    expect(newNodes).toHaveLength(3);
  });
});

describe('requirements', () => {
  const onKey = (operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist', key: string, ...values: string[]) => ({
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key, operator, values }] }],
        },
      },
    },
  });
  for (const { fact, operator, values, onLabelled, onPlain } of [
    { fact: 'In', operator: 'In', values: ['blue'], onLabelled: 1, onPlain: 0 },
    { fact: 'In of another value', operator: 'In', values: ['red'], onLabelled: 0, onPlain: 0 },
    { fact: 'NotIn', operator: 'NotIn', values: ['blue'], onLabelled: 0, onPlain: 1 },
    { fact: 'NotIn of another value', operator: 'NotIn', values: ['red'], onLabelled: 1, onPlain: 1 },
    { fact: 'Exists', operator: 'Exists', values: [], onLabelled: 1, onPlain: 0 },
    { fact: 'DoesNotExist', operator: 'DoesNotExist', values: [], onLabelled: 0, onPlain: 1 },
  ] as const) {
    test(`${fact} on a custom label is held against the pool's labels`, () => {
      const pods = [aPod('p', onKey(operator, 'team', ...values))];
      expect(schedulePods(round(pods, from(aNodePool('default', { labels: { team: 'blue' } })))).newNodes).toHaveLength(
        onLabelled,
      );
      expect(schedulePods(round(pods)).newNodes).toHaveLength(onPlain);
    });
  }
  test('a zone selector leaves types and zones that can be had there', () => {
    const [node] = schedulePods(
      round([aPod('p', { nodeSelector: { 'topology.kubernetes.io/zone': 'zone-b' } })]),
    ).newNodes;
    expect([...(node?.requirements.get('topology.kubernetes.io/zone')?.values ?? [])]).toEqual(['zone-b']);
  });
  test('pods with selectors that exclude each other get nodes of their own', () => {
    const pods = ['zone-a', 'zone-b'].map((zone) =>
      aPod(zone, { nodeSelector: { 'topology.kubernetes.io/zone': zone } }),
    );
    expect(schedulePods(round(pods)).newNodes).toHaveLength(2);
  });
  test('a host name never fits a new node', () => {
    expect(
      schedulePods(round([aPod('p', { nodeSelector: { 'kubernetes.io/hostname': 'x' } })])).unschedulable,
    ).toHaveLength(1);
  });
  test('a type that is sold out everywhere is not offered', () => {
    const types = [anInstanceType('gone', { cpu: 2, offerings: [['zone-a', 'spot', 1, 'soldOut']] }), ...sizes];
    expect(cheapestOf(round([aPod('p')], { nodePools: [{ nodePool: aNodePool(), instanceTypes: types }] }))).toEqual([
      'c2',
    ]);
  });
  test('of alternatives, the first that fits is taken', () => {
    const terms = ['mars', 'zone-c'].map((zone) => ({
      matchExpressions: [{ key: 'topology.kubernetes.io/zone', operator: 'In' as const, values: [zone] }],
    }));
    const pod = aPod('p', {
      affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } } },
    });
    const [node] = schedulePods(round([pod])).newNodes;
    expect([...(node?.requirements.get('topology.kubernetes.io/zone')?.values ?? [])]).toEqual(['zone-c']);
  });
  const withTerms = (...nodeSelectorTerms: readonly NodeSelectorTerm[]) =>
    aPod('p', {
      affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } },
    });
  const named = { matchFields: [{ key: 'metadata.name', operator: 'In' as const, values: ['there'] }] };
  for (const { fact, term } of [
    { fact: 'that is empty', term: {} },
    { fact: 'that names a node', term: named },
  ] as const) {
    test(`an alternative ${fact} is no way to any node`, () => {
      const { newNodes, unschedulable } = schedulePods(round([withTerms(term)], { nodes: [aNode('there')] }));
      expect(newNodes).toEqual([]);
      expect(unschedulable.flatMap(({ reasons }) => printedReasons(reasons))).toEqual([
        expect.stringContaining('no term of its required node affinity can be met'),
      ]);
    });
    test(`an alternative ${fact} leaves the others`, () => {
      const other = {
        matchExpressions: [{ key: 'topology.kubernetes.io/zone', operator: 'In' as const, values: ['zone-b'] }],
      };
      const [node] = schedulePods(round([withTerms(term, other)])).newNodes;
      expect([...(node?.requirements.get('topology.kubernetes.io/zone')?.values ?? [])]).toEqual(['zone-b']);
    });
  }
  test('a preference narrows when it can be had and is dropped when not', () => {
    const preferring = (zone: string) =>
      aPod(zone, {
        affinity: {
          nodeAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [
              {
                weight: 1,
                preference: {
                  matchExpressions: [{ key: 'topology.kubernetes.io/zone', operator: 'In', values: [zone] }],
                },
              },
            ],
          },
        },
      });
    const zonesFor = (zone: string) =>
      schedulePods(round([preferring(zone)])).newNodes[0]?.requirements.get('topology.kubernetes.io/zone')?.values;
    expect([...(zonesFor('zone-b') ?? [])]).toEqual(['zone-b']);
    expect(zonesFor('mars')).toBeUndefined();
  });
});

describe('taints', () => {
  const tainted = (effect: 'NoSchedule' | 'PreferNoSchedule') =>
    aNodePool('default', { taints: [{ key: 'gpu', effect }] });
  for (const { fact, effect, tolerations, placed } of [
    { fact: 'an untolerated taint keeps pods away', effect: 'NoSchedule', tolerations: [], placed: 0 },
    {
      fact: 'a tolerated one does not',
      effect: 'NoSchedule',
      tolerations: [{ key: 'gpu', operator: 'Exists' }],
      placed: 1,
    },
    {
      fact: 'a preference to stay away is given up in the end',
      effect: 'PreferNoSchedule',
      tolerations: [],
      placed: 1,
    },
  ] as const) {
    test(fact, () => {
      expect(schedulePods(round([aPod('p', { tolerations })], from(tainted(effect)))).newNodes).toHaveLength(placed);
    });
  }
  test('startup taints of a pool do not matter', () => {
    const pool = aNodePool('default', { startupTaints: [{ key: 'cilium', effect: 'NoSchedule' }] });
    expect(schedulePods(round([aPod('p')], from(pool))).newNodes).toHaveLength(1);
  });
});

describe('several pools', () => {
  const pools = (...nodePools: NodePool[]) => ({
    nodePools: nodePools.map((nodePool) => ({ nodePool, instanceTypes: sizes })),
  });
  const poolFor = (pod: Pod, ...nodePools: NodePool[]) =>
    schedulePods(round([pod], pools(...nodePools))).newNodes[0]?.nodePool.metadata.name;
  test('the heaviest is chosen', () => {
    expect(poolFor(aPod('p'), aNodePool('light', { weight: 1 }), aNodePool('heavy', { weight: 50 }))).toBe('heavy');
  });
  test('the greater name is chosen among equals', () => {
    expect(poolFor(aPod('p'), aNodePool('a'), aNodePool('b'))).toBe('b');
  });
  test('naming a pool beats weight', () => {
    const pod = aPod('p', { nodeSelector: { 'karpenter.sh/nodepool': 'light' } });
    expect(poolFor(pod, aNodePool('light'), aNodePool('heavy', { weight: 50 }))).toBe('light');
  });
  test('a pool one would rather avoid is avoided while another matches', () => {
    const avoided = aNodePool('avoided', { weight: 50, taints: [{ key: 'x', effect: 'PreferNoSchedule' }] });
    expect(poolFor(aPod('p'), avoided, aNodePool('plain'))).toBe('plain');
  });
  test('without any pool the reason says so', () => {
    expect(whyNot(round([aPod('p')], { nodePools: [] }))).toBe('there is no NodePool to launch from');
  });
});

describe('limits', () => {
  const antiAffine = {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'kubernetes.io/hostname', labelSelector: {} }],
    },
  };
  for (const { fact, cpu, requests, count, placed } of [
    { fact: 'an exact fit is used', cpu: '2', requests: '1750m', count: 1, placed: 1 },
    { fact: 'what exceeds it is refused', cpu: '1', requests: '1500m', count: 1, placed: 0 },
    { fact: 'room for one of two nodes gives one', cpu: '3', requests: '1500m', count: 2, placed: 1 },
  ]) {
    test(fact, () => {
      const pods = somePods(count, 'p', { requests: { cpu: requests }, affinity: antiAffine });
      expect(schedulePods(round(pods, from(aNodePool('default', { limits: { cpu } })))).newNodes).toHaveLength(placed);
    });
  }
  test('the number of nodes counts within a round too', () => {
    const pods = somePods(3, 'p', { affinity: antiAffine });
    const result = schedulePods(round(pods, from(aNodePool('default', { limits: { nodes: '2' } }))));
    expect(result.newNodes).toHaveLength(2);
    expect(result.unschedulable[0]?.reasons.map(printedReason)).toEqual([
      'NodePool default: spec.limits: nodes 2, of which 2 in use or planned; c2, the cheapest type that fits, adds nodes 1; fix: raise spec.limits to nodes 3 or more',
    ]);
  });
  test('nodes that are there count against it', () => {
    const nodes = [aNode('n', { allocatable: { cpu: '4', pods: '0' } })];
    const result = schedulePods(round([aPod('p')], { ...from(aNodePool('default', { limits: { cpu: '5' } })), nodes }));
    expect(result.unschedulable).toHaveLength(1);
  });
});

describe('daemons', () => {
  const daemon = aPod('agent', { requests: { cpu: '500m' }, ownerKind: 'DaemonSet' });
  test('take their part of every new node, once', () => {
    const [node] = schedulePods(
      round(somePods(2, 'p', { requests: { cpu: '700m' } }), { daemonPods: [daemon] }),
    ).newNodes;
    expect(node?.instanceTypes[0]?.name).toBe('c2');
    expect(node?.requests).toEqual({ cpu: 1900, pods: 3 });
  });
  test('that no type has room for leave nothing for pods', () => {
    const huge = aPod('agent', { requests: { cpu: '100' }, ownerKind: 'DaemonSet' });
    expect(schedulePods(round([aPod('p')], { daemonPods: [huge] })).unschedulable).toHaveLength(1);
  });
  test('that run on some types only count on those', () => {
    const picky = { ...daemon, spec: { ...daemon.spec, nodeSelector: { 'node.kubernetes.io/instance-type': 'c2' } } };
    const [node] = schedulePods(round([aPod('p', { requests: { cpu: '1500m' } })], { daemonPods: [picky] })).newNodes;
    expect(node?.instanceTypes[0]?.name).toBe('c4');
  });
  test('that do not tolerate the pool are not counted', () => {
    const pool = aNodePool('default', { taints: [{ key: 'x', effect: 'NoSchedule' }] });
    const pod = aPod('p', { requests: { cpu: '1500m' }, tolerations: [{ operator: 'Exists' }] });
    expect(cheapestOf(round([pod], { ...from(pool), daemonPods: [daemon] }))).toEqual(['c2']);
  });
});

describe('nodes that are there', () => {
  for (const { fact, node, used } of [
    { fact: 'an initialized node is used first', node: aNode('n'), used: 'n' },
    { fact: 'a claim in flight is used', node: aNode('n', { stage: 'inFlight' }), used: 'n-claim' },
    {
      fact: 'a registered node with taints that go away is used',
      node: aNode('n', {
        stage: 'registered',
        taints: [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }],
      }),
      used: 'n',
    },
    { fact: 'an unmanaged node is used', node: aNode('n', { managed: false }), used: 'n' },
    { fact: 'a node marked for deletion is not', node: aNode('n', { markedForDeletion: true }), used: undefined },
    {
      fact: 'a tainted node is not',
      node: aNode('n', { taints: [{ key: 'x', effect: 'NoSchedule' }] }),
      used: undefined,
    },
    { fact: 'a node in another zone is not', node: aNode('n', { zone: 'zone-b' }), used: undefined },
    {
      fact: 'a full node is not',
      node: aNode('n', { pods: [aPod('full', { nodeName: 'n', requests: { cpu: 4 } })] }),
      used: undefined,
    },
  ]) {
    test(fact, () => {
      const pod = aPod('p', { requests: { cpu: 1 }, nodeSelector: { 'topology.kubernetes.io/zone': 'zone-a' } });
      const { existing, newNodes } = schedulePods(round([pod], { nodes: [node] }));
      expect(existing.map(({ node: at }) => at.nodeClaim?.metadata.name ?? at.node?.metadata.name)).toEqual(
        used === undefined ? [] : [used === 'n' && node.nodeClaim ? 'n-claim' : used],
      );
      expect(newNodes).toHaveLength(used === undefined ? 1 : 0);
    });
  }
  test('room is kept for daemons that have not come yet', () => {
    const daemonPods = [aPod('agent', { requests: { cpu: 2 }, ownerKind: 'DaemonSet' })];
    const { newNodes } = schedulePods(
      round([aPod('p', { requests: { cpu: 3 } })], { nodes: [aNode('n')], daemonPods }),
    );
    expect(newNodes).toHaveLength(1);
  });
  test('initialized nodes come before others, then names decide', () => {
    const nodes = [aNode('b'), aNode('a', { stage: 'registered' }), aNode('c')];
    const { existing } = schedulePods(round([aPod('p')], { nodes }));
    expect(existing.map(({ node }) => node.node?.metadata.name)).toEqual(['b']);
  });
});

test('pods that want the same host port get different nodes', () => {
  expect(schedulePods(round(somePods(2, 'p', { hostPort: 8080 }))).newNodes).toHaveLength(2);
});

describe('minValues', () => {
  const wanting = (minValues: number) =>
    from(
      aNodePool('default', {
        requirements: [{ key: 'node.kubernetes.io/instance-type', operator: 'Exists', minValues }],
      }),
    );
  const big = aPod('p', { requests: { cpu: 6 } });
  test('that can be met keep enough types', () => {
    expect(schedulePods(round([big], wanting(2))).newNodes[0]?.instanceTypes).toHaveLength(2);
  });
  test('that cannot be met fail the pod', () => {
    expect(whyNot(round([big], wanting(3)))).toContain(
      'minValues not met: node.kubernetes.io/instance-type has 2 of 3',
    );
  });
  test('that cannot be met are lowered under BestEffort, and the node says so', () => {
    const options = { preferencePolicy: 'Respect', minValuesPolicy: 'BestEffort' } as const;
    const [node] = schedulePods(round([big], { ...wanting(3), options })).newNodes;
    expect(node?.minValuesRelaxed).toBe(true);
    expect(node?.requirements.get('node.kubernetes.io/instance-type')?.minValues).toBe(2);
  });
});

test('when the work limit is spent, what is placed stays and the others are told apart', () => {
  const pods = [5, 4, 3, 2, 1].map((cpu) => aPod(`p${cpu}`, { requests: { cpu } }));
  const { newNodes, unschedulable, unreached } = schedulePods(round(pods, { workLimit: 28 }));
  expect(newNodes.flatMap((node) => node.pods)).toHaveLength(2);
  expect([unschedulable.length, unreached.length]).toEqual([0, 3]);
});
