import type { Pod, TopologySpreadConstraint } from '@nodewright/apis';
import { anInstanceType, aNode, aNodePool, aPod, somePods, topologyRounds } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import { nodeLabelsOf } from '../../cluster/node-state.ts';
import { schedulePods } from '../round/schedule.ts';

const { zone, hostname, web, selectsWeb, roomy, round, counts, zonesOf, from, running, required, onRoomy } =
  topologyRounds;

const capacityType = 'karpenter.sh/capacity-type';

const spread = (topologyKey: string, more: Partial<TopologySpreadConstraint> = {}): TopologySpreadConstraint => ({
  topologyKey,
  maxSkew: 1,
  whenUnsatisfiable: 'DoNotSchedule',
  labelSelector: selectsWeb,
  ...more,
});

const spreading = (count: number, constraints: readonly TopologySpreadConstraint[], more: object = {}) =>
  somePods(count, 'web', { labels: web, topologySpreadConstraints: constraints, ...more });

describe('spread over zones', () => {
  for (const { fact, problem, expected } of [
    { fact: 'four pods in three zones', problem: round(spreading(4, [spread(zone)])), expected: [1, 1, 2] },
    {
      fact: 'expressions select like labels',
      problem: round(
        spreading(4, [
          spread(zone, { labelSelector: { matchExpressions: [{ key: 'app', operator: 'In', values: ['web'] }] } }),
        ]),
      ),
      expected: [1, 1, 2],
    },
    {
      fact: 'a pool of two zones',
      problem: round(spreading(4, [spread(zone)]), zonesOf('zone-a', 'zone-b')),
      expected: [2, 2],
    },
    {
      fact: 'a pool of one zone by label',
      problem: round(spreading(4, [spread(zone)]), from(aNodePool('default', { labels: { [zone]: 'zone-a' } }))),
      expected: [4],
    },
    {
      fact: 'two pools of a zone each',
      problem: round(
        spreading(4, [spread(zone)]),
        from(aNodePool('a', { labels: { [zone]: 'zone-a' } }), aNodePool('b', { labels: { [zone]: 'zone-b' } })),
      ),
      expected: [2, 2],
    },
    {
      fact: 'a pod that runs already counts',
      problem: round(spreading(4, [spread(zone)]), { nodes: [running('n', 'zone-a')] }),
      expected: [1, 1, 2],
    },
    {
      fact: 'fewer domains than minDomains count as empty ones',
      problem: round(spreading(3, [spread(zone, { minDomains: 3 })]), zonesOf('zone-a', 'zone-b')),
      expected: [1, 1],
    },
    {
      fact: 'minDomains that is met changes nothing',
      problem: round(spreading(11, [spread(zone, { minDomains: 3 })])),
      expected: [3, 4, 4],
    },
    {
      fact: 'a node selector limits the domains that are compared',
      problem: round(spreading(5, [spread(zone)], { nodeSelector: { [zone]: 'zone-b' } })),
      expected: [5],
    },
    { fact: 'an unknown key keeps pods pending', problem: round(spreading(2, [spread('rack')])), expected: [] },
  ]) {
    test(`${fact}: ${expected.join(', ')}`, () => {
      expect(counts(schedulePods(problem), zone)).toEqual(expected);
    });
  }
  test('pods that run count, pods that have ended, are ending, are elsewhere or are of others do not', () => {
    const nodes = [
      running('counted', 'zone-a'),
      running('ended', 'zone-b', {}, { phase: 'Succeeded' }),
      running('ending', 'zone-b', {}, { deleting: true }),
      running('namespace', 'zone-b', {}, { namespace: 'other' }),
      running('label', 'zone-b', {}, { labels: { app: 'db' } }),
    ];
    const { newNodes, existing } = schedulePods(round(spreading(2, [spread(zone)]), { nodes }));
    const zones = [
      ...newNodes.map(({ requirements }) => [...(requirements.get(zone)?.values ?? [])].join()),
      ...existing.map(({ node }) => nodeLabelsOf(node)[zone] ?? ''),
    ];
    expect(zones.toSorted()).toEqual(['zone-b', 'zone-c']);
  });
  test('a selector that misses the pod itself adds no count', () => {
    const pods = somePods(5, 'p', { topologySpreadConstraints: [spread(hostname)] });
    const { newNodes } = schedulePods(round(pods, { nodePools: [{ nodePool: aNodePool(), instanceTypes: roomy }] }));
    expect(newNodes).toHaveLength(1);
  });
  test('a pod that its own selector misses may join where a pod that counts is, as long as the skew holds', () => {
    const nodes = [running('n', 'zone-a', { allocatable: { cpu: '4', memory: '8Gi', pods: '2' } })];
    const beside = (topologyKey: string, maxSkew: number) =>
      schedulePods(
        round(
          [
            aPod('p', {
              nodeSelector: { [hostname]: 'n' },
              topologySpreadConstraints: [spread(topologyKey, { maxSkew, nodeAffinityPolicy: 'Ignore' })],
            }),
          ],
          { nodes },
        ),
      ).existing.length;
    expect([beside(hostname, 1), beside(zone, 1)]).toEqual([1, 1]);
    const two = running('n', 'zone-a', { allocatable: { cpu: '4', memory: '8Gi', pods: '3' } });
    const crowded = [{ ...two, pods: [...two.pods, aPod('second', { nodeName: 'n', labels: web })] }];
    const pod = aPod('p', { nodeSelector: { [hostname]: 'n' }, topologySpreadConstraints: [spread(hostname)] });
    expect(schedulePods(round([pod], { nodes: crowded })).existing).toEqual([]);
  });
  test('pods on new nodes that the pod would not be admitted to do not count', () => {
    const types = [anInstanceType('x', { pods: 1 }), anInstanceType('g', { pods: 1, arch: 'arm64' })];
    const on = (arch: string) => ({ nodeSelector: { 'kubernetes.io/arch': arch, [zone]: 'zone-a' } });
    const others = somePods(2, 'other', { labels: web, requests: { cpu: 1 }, ...on('arm64') });
    const constraint = spread(zone, { minDomains: 2 }); // of one zone the least count is zero
    const pod = aPod('p', { labels: web, ...on('amd64'), topologySpreadConstraints: [constraint] });
    const nodePools = [{ nodePool: aNodePool(), instanceTypes: types }];
    expect(schedulePods(round([...others, pod], { nodePools })).unschedulable).toEqual([]);
  });
  test('a pod that is about to move does not count where it is', () => {
    const leaving = running('n', 'zone-a');
    const [moving] = leaving.pods;
    const pods = [moving as Pod].map((pod) => ({
      ...pod,
      spec: {
        ...pod.spec,
        nodeSelector: { [zone]: 'zone-a' },
        topologySpreadConstraints: [spread(zone, { nodeAffinityPolicy: 'Ignore' })],
      },
    }));
    expect(schedulePods(round(pods, { nodes: [], leavingNodes: [leaving] })).newNodes).toHaveLength(1);
  });
  test('an absent selector spreads nothing', () => {
    const { labelSelector: _, ...unselective } = spread(zone);
    const result = schedulePods(
      round(spreading(2, [unselective]), { nodePools: [{ nodePool: aNodePool(), instanceTypes: roomy }] }),
    );
    expect(result.newNodes).toHaveLength(1);
  });
  test('what cannot be kept is given up when it only should', () => {
    const loose = spread(zone, { whenUnsatisfiable: 'ScheduleAnyway' });
    const pods = spreading(3, [loose]);
    const nodes = [running('n', 'zone-a'), running('m', 'zone-a')];
    expect(schedulePods(round(pods, { ...zonesOf('zone-a'), nodes })).unschedulable).toEqual([]);
  });
  test('revisions are spread apart by matchLabelKeys; a key that no pod carries says nothing', () => {
    const nodePools = [{ nodePool: aNodePool(), instanceTypes: roomy }];
    const pods = (key: string) =>
      ['a', 'b'].flatMap((rev) => {
        const topologySpreadConstraints = [spread(hostname, { matchLabelKeys: [key] })];
        return somePods(2, rev, { labels: { ...web, rev }, topologySpreadConstraints });
      });
    expect(counts(schedulePods(round(pods('rev'), { nodePools })), hostname)).toEqual([2, 2]);
    expect(counts(schedulePods(round(pods('unknown'), { nodePools })), hostname)).toEqual([1, 1, 1, 1]);
  });
});

describe('spread over other keys', () => {
  test('hosts: one pod each', () => {
    expect(
      counts(
        schedulePods(
          round(spreading(3, [spread(hostname)]), { nodePools: [{ nodePool: aNodePool(), instanceTypes: roomy }] }),
        ),
        hostname,
      ),
    ).toEqual([1, 1, 1]);
  });
  test('hosts with a wider skew share', () => {
    expect(
      counts(
        schedulePods(
          round(spreading(4, [spread(hostname, { maxSkew: 4 })]), {
            nodePools: [{ nodePool: aNodePool(), instanceTypes: roomy }],
          }),
        ),
        hostname,
      ),
    ).toEqual([4]);
  });
  test('capacity types', () => {
    expect(counts(schedulePods(round(spreading(4, [spread(capacityType)]))), capacityType)).toEqual([2, 2]);
  });
  for (const [count, expected] of [
    [2, [1, 1]],
    [5, [1, 2, 2]],
    [10, [3, 3, 4]],
    [21, [7, 7, 7]],
  ] as const) {
    test(`hosts and zones together: ${count} pods give ${expected.join(', ')}`, () => {
      expect(counts(schedulePods(round(spreading(count, [spread(zone), spread(hostname)]))), zone)).toEqual(expected);
    });
  }
});

describe('which nodes a spread counts', () => {
  const tainted = aNodePool('tainted', { labels: { rack: 'b' }, taints: [{ key: 'x', effect: 'NoSchedule' }] });
  const plain = aNodePool('plain', { labels: { rack: 'a' } });
  for (const { policy, placed } of [
    { policy: 'Ignore', placed: 1 },
    { policy: 'Honor', placed: 2 },
  ] as const) {
    test(`domains behind taints with nodeTaintsPolicy ${policy}: ${placed} of two pods are placed`, () => {
      const result = schedulePods(
        round(spreading(2, [spread('rack', { nodeTaintsPolicy: policy })]), from(plain, tainted)),
      );
      expect(counts(result, 'rack').reduce((sum, n) => sum + n, 0)).toBe(placed);
    });
  }
});

describe('a node in a domain of its own that the pods cannot use', () => {
  const full = { cpu: '0', memory: '0', pods: '0' };
  const taints = [{ key: 'x', effect: 'NoSchedule' as const }];
  const onRack = from(aNodePool('default', { labels: { rack: 'b', team: 'ours' } }));
  for (const { fact, node, constraint, selector, placed } of [
    { fact: 'tainted', node: { taints }, constraint: { nodeTaintsPolicy: 'Ignore' }, selector: {}, placed: 1 },
    { fact: 'tainted', node: { taints }, constraint: { nodeTaintsPolicy: 'Honor' }, selector: {}, placed: 5 },
    {
      fact: 'of others',
      node: {},
      constraint: { nodeAffinityPolicy: 'Ignore' },
      selector: { team: 'ours' },
      placed: 1,
    },
    { fact: 'of others', node: {}, constraint: { nodeAffinityPolicy: 'Honor' }, selector: { team: 'ours' }, placed: 5 },
  ] as const) {
    test(`because it is ${fact} lets ${placed} of five be placed under ${JSON.stringify(constraint)}`, () => {
      const nodes = [aNode('other', { allocatable: full, labels: { rack: 'a', team: 'theirs' }, ...node })];
      const pods = spreading(5, [spread('rack', constraint)], { nodeSelector: selector });
      expect(schedulePods(round(pods, { ...onRack, nodes })).unschedulable).toHaveLength(5 - placed);
    });
  }
});

test('under policy Ignore preferences have no effect', () => {
  const pods = spreading(4, [spread(hostname, { whenUnsatisfiable: 'ScheduleAnyway' })]);
  const options = { preferencePolicy: 'Ignore', minValuesPolicy: 'Strict' } as const;
  expect(schedulePods(round(pods, { ...onRoomy, options })).newNodes).toHaveLength(1);
  expect(schedulePods(round(pods, onRoomy)).newNodes).toHaveLength(4);
});

test('a spread chooses among the domains that other rules leave', () => {
  // zone-a is the emptiest, but its pod keeps others away.
  const guard = aPod('guard', { nodeName: 'n', affinity: required('podAntiAffinity', zone) });
  const nodes = [
    aNode('n', { zone: 'zone-a', allocatable: { cpu: '1', pods: '1' }, pods: [guard] }),
    running('m', 'zone-b'),
  ];
  const [node] = schedulePods(
    round(spreading(1, [spread(zone, { maxSkew: 2 })]), { ...zonesOf('zone-a', 'zone-b'), nodes }),
  ).newNodes;
  expect([...(node?.requirements.get(zone)?.values ?? [])]).toEqual(['zone-b']);
});
