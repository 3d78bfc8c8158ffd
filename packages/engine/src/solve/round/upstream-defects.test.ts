import type { NodeSelectorRequirement, Pod, PodSpec } from '@nodewright/apis';
import { anInstanceType, aNode, aNodePool, aPod, aProblem, somePods } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import type { SchedulingProblem } from '../problem.ts';
import { printedReason } from '../why/printed-reasons.ts';
import { schedulePods } from './schedule.ts';

// What Karpenter gets wrong and we do not; docs/compatibility.md lists each.

const zone = 'topology.kubernetes.io/zone';
const capacityType = 'karpenter.sh/capacity-type';
const team = 'example.com/team';
const web = { app: 'web' };

const round = (pods: readonly Pod[], more: Partial<SchedulingProblem> = {}): SchedulingProblem => ({
  ...aProblem(pods, [anInstanceType('c8', { cpu: 8 })]),
  ...more,
});

const required = (...expressions: readonly NodeSelectorRequirement[]): Partial<PodSpec> => ({
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: expressions }] },
    },
  },
});

const preferring = (preference: NodeSelectorRequirement): Partial<PodSpec> => ({
  affinity: {
    nodeAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference: { matchExpressions: [preference] } }],
    },
  },
});

const zoneSpread = (key = zone) => ({
  topologyKey: key,
  maxSkew: 1,
  whenUnsatisfiable: 'DoNotSchedule' as const,
  labelSelector: { matchLabels: web },
});

const zonesOf = ({ newNodes }: ReturnType<typeof schedulePods>) =>
  newNodes.map(({ requirements }) => [...(requirements.get(zone)?.values ?? [])]);

test('a batch of claims does not overshoot a limit on nodes', () => {
  const pods = somePods(3, 'p', { requests: { cpu: 5 } });
  const nodePools = [
    { nodePool: aNodePool('default', { limits: { nodes: '2' } }), instanceTypes: [anInstanceType('c8', { cpu: 8 })] },
  ];
  const { newNodes, unschedulable } = schedulePods(round(pods, { nodePools }));
  expect([newNodes.length, unschedulable.length]).toEqual([2, 1]);
});

test('a preferred absence of a label does not cancel a node selector on it', () => {
  const pod = aPod('p', { nodeSelector: { [zone]: 'zone-b' }, ...preferring({ key: zone, operator: 'DoesNotExist' }) });
  expect(zonesOf(schedulePods(round([pod])))).toEqual([['zone-b']]);
});

test('demands that exclude each other find no node, not even one without the label', () => {
  const pod = aPod('p', {
    nodeSelector: { [team]: 'red' },
    ...required({ key: team, operator: 'In', values: ['blue'] }),
  });
  const { unschedulable } = schedulePods(round([pod], { nodes: [aNode('a')] }));
  expect(unschedulable[0]?.reasons.map(printedReason)).toEqual([
    `NodePool default: what the pod asks of label ${team} excludes itself; fix: ask for one thing only`,
  ]);
});

for (const { fact, nodes } of [
  { fact: 'an existing node', nodes: [aNode('a', { allocatable: { cpu: '4', memory: '8Gi', pods: '10' } })] },
  { fact: 'a new node', nodes: [] },
]) {
  test(`a pod that is content without a label does not make it exist on ${fact}`, () => {
    const without = aPod('without', {
      requests: { cpu: 2 },
      ...required({ key: team, operator: 'NotIn', values: ['red'] }),
    });
    const asking = aPod('asking', { requests: { cpu: 1 }, ...required({ key: team, operator: 'Exists' }) });
    const { unschedulable } = schedulePods(round([without, asking], { nodes }));
    expect(unschedulable.map(({ pod }) => pod.metadata.name)).toEqual(['asking']);
  });
}

test('two spreads on one label choose a domain that suits both', () => {
  // By itself the first would choose zone-a, where the second has no room.
  const busy = aNode('busy', {
    zone: 'zone-a',
    pods: [aPod('other', { nodeName: 'busy', labels: { tier: 'front' } })],
    allocatable: { cpu: '0', memory: '0', pods: '0' },
  });
  const pod = aPod('p', {
    labels: { ...web, tier: 'front' },
    topologySpreadConstraints: [zoneSpread(), { ...zoneSpread(), labelSelector: { matchLabels: { tier: 'front' } } }],
  });
  expect(zonesOf(schedulePods(round([pod], { nodes: [busy] })))).toEqual([['zone-b']]);
});

test('spreads over zones and capacity types choose a pair that can be bought', () => {
  const types = [
    anInstanceType('pairs', {
      cpu: 8,
      offerings: [
        ['zone-a', 'on-demand', 100_000],
        ['zone-b', 'spot', 30_000],
      ],
    }),
  ];
  const pods = somePods(2, 'web', {
    labels: web,
    topologySpreadConstraints: [zoneSpread(), zoneSpread(capacityType)],
  });
  const { newNodes, unschedulable } = schedulePods(
    round(pods, { nodePools: [{ nodePool: aNodePool(), instanceTypes: types }] }),
  );
  expect([newNodes.length, unschedulable.length]).toEqual([2, 0]);
});

test('a group with an affinity to itself begins in one zone', () => {
  const affinity = {
    podAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: zone, labelSelector: { matchLabels: web } }],
    },
  };
  const pods = somePods(20, 'web', { labels: web, affinity, requests: { cpu: 1 } });
  const zones = new Set(zonesOf(schedulePods(round(pods))).map((each) => each.join('|')));
  expect([...zones]).toEqual(['zone-a']);
});

test('giving up a preference does not begin the count of a spread anew', () => {
  const nodePools = [
    {
      nodePool: aNodePool('shy', { taints: [{ key: 'shy', effect: 'PreferNoSchedule' }] }),
      instanceTypes: [anInstanceType('single', { pods: 1 })],
    },
  ];
  const pods = somePods(7, 'web', { labels: web, topologySpreadConstraints: [zoneSpread()] });
  const zones = zonesOf(schedulePods(round(pods, { nodePools }))).map((each) => each.join('|'));
  const perZone = ['zone-a', 'zone-b', 'zone-c'].map((name) => zones.filter((each) => each === name).length);
  expect(perZone).toEqual([3, 2, 2]);
});

test('selectors that list different values are different groups', () => {
  const apart = (...values: string[]) => ({
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        {
          topologyKey: 'kubernetes.io/hostname',
          labelSelector: { matchExpressions: [{ key: 'app', operator: 'In' as const, values }] },
        },
      ],
    },
  });
  const first = aPod('first', { labels: { app: 'a' }, affinity: apart('a', 'f') });
  const second = aPod('second', { labels: { app: 'c' }, affinity: apart('c', 'd') });
  const third = aPod('third', { labels: { app: 'f' } });
  const { newNodes } = schedulePods(round([first, second, third]));
  const together = newNodes.find(({ pods }) => pods.includes(first))?.pods.map(({ metadata }) => metadata.name);
  expect(together).not.toContain('third');
});

test('daemons with alternatives are counted on every type that any alternative admits', () => {
  const alternatives = {
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: ['arm64', 'amd64'].map((arch) => ({
            matchExpressions: [{ key: 'kubernetes.io/arch', operator: 'In' as const, values: [arch] }],
          })),
        },
      },
    },
  };
  const daemon = aPod('agent', { requests: { cpu: 1 }, ownerKind: 'DaemonSet', ...alternatives });
  for (const arch of ['amd64', 'arm64'] as const) {
    const nodePools = [{ nodePool: aNodePool(), instanceTypes: [anInstanceType('c8', { cpu: 8, arch })] }];
    const { newNodes } = schedulePods(
      round([aPod('p', { requests: { cpu: 1 } })], { nodePools, daemonPods: [daemon] }),
    );
    expect(newNodes[0]?.requests['cpu']).toBe(2_000);
  }
});

const apartInZones: Partial<PodSpec> = {
  affinity: {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: zone, labelSelector: { matchLabels: web } }],
    },
  },
};

test('zones behind a PreferNoSchedule taint are known, so pods that keep apart there do keep apart', () => {
  const shy = aNodePool('shy', { taints: [{ key: 'shy', effect: 'PreferNoSchedule' }] });
  const instanceTypes = [anInstanceType('one-zone', { offerings: [['zone-a', 'on-demand', 1]] })];
  const { newNodes, unschedulable } = schedulePods(
    round(somePods(3, 'web', { labels: web, ...apartInZones }), { nodePools: [{ nodePool: shy, instanceTypes }] }),
  );
  expect([newNodes.length, unschedulable.length]).toEqual([1, 2]);
});

const spreadOverZones = (more: object = {}): Partial<PodSpec> => ({
  topologySpreadConstraints: [
    {
      topologyKey: zone,
      maxSkew: 1,
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: { matchLabels: web },
      ...more,
    },
  ],
});

const inZone = (...alternatives: readonly string[]): Partial<PodSpec> => ({
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: alternatives.map((each) => ({
          matchExpressions: [{ key: zone, operator: 'In', values: [each] }],
        })),
      },
    },
  },
});

for (const { fact, pods, placed } of [
  {
    fact: 'a spread is even over the zones of all alternatives, not only of the first',
    pods: somePods(5, 'web', { labels: web, ...spreadOverZones(), ...inZone('zone-a', 'zone-b') }),
    placed: { 'zone-a': 3, 'zone-b': 2 },
  },
  {
    fact: 'a spread that ignores node affinity counts zones in which the pod may not be',
    pods: somePods(5, 'web', {
      labels: web,
      ...spreadOverZones({ nodeAffinityPolicy: 'Ignore' }),
      ...inZone('zone-a'),
    }),
    placed: { 'zone-a': 1 },
  },
]) {
  test(fact, () => {
    const counts: Record<string, number> = {};
    for (const { requirements, pods: there } of schedulePods(round(pods)).newNodes) {
      const [where = ''] = requirements.get(zone)?.values ?? [];
      counts[where] = (counts[where] ?? 0) + there.length;
    }
    expect(counts).toEqual(placed);
  });
}

test('an affinity looks at the zones that its own pod tolerates, whoever stated it first', () => {
  const nodePools = [
    { nodePool: aNodePool('plain', { requirements: [{ key: zone, operator: 'In', values: ['zone-a'] }] }) },
    {
      nodePool: aNodePool('dedicated', {
        taints: [{ key: 'dedicated', effect: 'NoSchedule' }],
        requirements: [{ key: zone, operator: 'In', values: ['zone-b'] }],
      }),
    },
  ].map((pool) => ({ ...pool, instanceTypes: [anInstanceType('single', { pods: 1 })] }));
  const apart = (name: string, more: Partial<PodSpec> = {}) =>
    aPod(name, {
      labels: web,
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: zone, labelSelector: { matchLabels: web } }],
        },
      },
      ...more,
    });
  const tolerant = apart('tolerant', { tolerations: [{ key: 'dedicated', operator: 'Exists' }] });
  const { newNodes } = schedulePods(round([apart('first'), tolerant], { nodePools }));
  expect(newNodes.map(({ nodePool }) => nodePool.metadata.name).toSorted()).toEqual(['dedicated', 'plain']);
});

test('each claim says for itself whether its minValues were lowered', () => {
  const family = 'karpenter.k8s.aws/instance-family';
  const types = [
    anInstanceType('m', { cpu: 4, labels: { [family]: ['m'] } }),
    anInstanceType('c', { cpu: 2, labels: { [family]: ['c'] } }),
  ];
  const nodePool = aNodePool('default', { requirements: [{ key: family, operator: 'Exists', minValues: 2 }] });
  const pods = [
    aPod('large', { requests: { cpu: 3 } }),
    aPod('small', { requests: { cpu: 1 }, nodeSelector: { [zone]: 'zone-b' } }),
  ];
  const apart = pods.map((pod) => ({
    ...pod,
    spec: {
      ...pod.spec,
      containers: pod.spec.containers.map((c) => ({ ...c, ports: [{ containerPort: 1, hostPort: 1 }] })),
    },
  }));
  const { newNodes } = schedulePods(
    round(apart, {
      nodePools: [{ nodePool, instanceTypes: types }],
      options: { preferencePolicy: 'Respect', minValuesPolicy: 'BestEffort' },
    }),
  );
  expect(newNodes.map(({ minValuesRelaxed }) => minValuesRelaxed)).toEqual([true, false]);
});

test('a node without the label of an anti-affinity takes pods whatever other nodes have', () => {
  const rack = 'example.com/rack';
  const apart = {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: rack, labelSelector: { matchLabels: web } }],
    },
  };
  const nodes = [
    aNode('racked', {
      labels: { [rack]: 'r1' },
      allocatable: { cpu: '0', memory: '0', pods: '0' },
      pods: [aPod('other', { nodeName: 'racked', labels: web })],
    }),
    aNode('standing', { allocatable: { cpu: '4', memory: '8Gi', pods: '10' } }),
  ];
  const { existing } = schedulePods(round([aPod('p', { labels: web, affinity: apart })], { nodes }));
  expect(existing.map(({ node }) => node.node?.metadata.name)).toEqual(['standing']);
});

test('a pool whose requirements and labels exclude each other launches nothing, not even for pods that do not care', () => {
  const rack = (value: string): NodeSelectorRequirement => ({ key: 'rack', operator: 'In', values: [value] });
  for (const pool of [
    aNodePool('default', { requirements: [rack('a'), rack('b')] }),
    aNodePool('default', { requirements: [rack('a')], labels: { rack: 'b' } }),
  ]) {
    const nodePools = [{ nodePool: pool, instanceTypes: [anInstanceType('c8', { cpu: 8 })] }];
    const { newNodes, unschedulable } = schedulePods(round([aPod('p')], { nodePools }));
    expect(newNodes).toEqual([]);
    expect(unschedulable[0]?.reasons.map(printedReason).join()).toContain(
      'its requirements and labels exclude each other on rack',
    );
  }
});

test('a cordoned node keeps room for daemons, which come all the same', () => {
  const daemonPods = [aPod('agent', { requests: { cpu: 2 }, ownerKind: 'DaemonSet' })];
  const state = aNode('cordoned');
  const node = state.node && { ...state.node, spec: { ...state.node.spec, unschedulable: true } };
  const nodes = [{ ...state, ...(node === undefined ? {} : { node }) }];
  const placed = (cpu: string) =>
    schedulePods(
      round([aPod('p', { requests: { cpu }, tolerations: [{ operator: 'Exists' }] })], { nodes, daemonPods }),
    ).existing.length;
  expect([placed('2'), placed('2001m')]).toEqual([1, 0]);
});
