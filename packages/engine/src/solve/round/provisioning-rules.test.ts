import { byNumber } from '@nodewright/apis';
import type { NodePool, Pod } from '@nodewright/apis';
import {
  aDaemonPod,
  requiringNodes,
  supplyOfPool,
  anInstanceType,
  aNode,
  aNodePool,
  aPod,
  aProblem,
  somePods,
} from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import { parseRequirements } from '@nodewright/requirements';
import type { InstanceType } from '../../instance-types/instance-type.ts';
import { printedReasons } from '../why/printed-reasons.ts';
import type { SchedulingProblem } from '../problem.ts';
import { schedulePods } from './schedule.ts';

const zone = 'topology.kubernetes.io/zone';
const size = 'example.com/size';
const sizes = [2, 4, 8, 16].map((cpu) => anInstanceType(`c${cpu}`, { cpu }));

const round = (pods: readonly Pod[], more: Partial<SchedulingProblem> = {}): SchedulingProblem => ({
  ...aProblem(pods, sizes),
  ...more,
});
const from = (nodePool: NodePool): Partial<SchedulingProblem> => supplyOfPool(sizes, nodePool);
const cheapest = (problem: SchedulingProblem): readonly string[] =>
  schedulePods(problem).newNodes.map((node) => node.instanceTypes[0]?.name ?? '');
const refused = (problem: SchedulingProblem) => schedulePods(problem).unschedulable.map(({ pod }) => pod.metadata.name);
const cpu = (amount: string | number, more: object = {}) => ({ requests: { cpu: amount }, ...more });

describe('bounds on a number that types carry', () => {
  const numbered = [1, 2, 4, 8].map((n) => anInstanceType(`t${n}`, { cpu: n + 1, labels: { [size]: [String(n)] } }));
  const wellKnownLabels = new Set([size, zone, 'kubernetes.io/arch', 'node.kubernetes.io/instance-type']);
  const options = { preferencePolicy: 'Respect', minValuesPolicy: 'Strict', wellKnownLabels } as const;
  for (const [operator, value, types] of [
    ['Gt', '2', ['t4', 't8']],
    ['Gte', '2', ['t2', 't4', 't8']],
    ['Lt', '4', ['t1', 't2']],
    ['Lte', '4', ['t1', 't2', 't4']],
    ['Gt', '8', []],
  ] as const) {
    test(`${operator} ${value} leaves ${types.join(' ') || 'nothing'}`, () => {
      const pod = aPod('p', requiringNodes({ key: size, operator, values: [value] }));
      const { newNodes } = schedulePods(round([pod], { ...supplyOfPool(numbered), options }));
      expect(newNodes.flatMap((node) => node.instanceTypes.map(({ name }) => name)).toSorted()).toEqual(types);
    });
  }
});

describe('instance types', () => {
  const gpu = anInstanceType('gpu', { cpu: 8, resources: { 'nvidia.com/gpu': 1 } });
  const arm = anInstanceType('arm', { cpu: 4, arch: 'arm64' });
  test('with a device go to pods that ask for it, and the cheapest to those that do not', () => {
    const pods = [aPod('learns', { requests: { cpu: 1, 'nvidia.com/gpu': 1 } }), aPod('serves', cpu(7))];
    expect(cheapest(round(pods, supplyOfPool([...sizes, gpu]))).toSorted()).toEqual(['c8', 'gpu']);
  });
  test('that suit come before types that cost less', () => {
    const dear = anInstanceType('dear', { cpu: 2, arch: 'arm64', offerings: [['zone-a', 'on-demand', 9_000_000]] });
    const pod = aPod('p', { nodeSelector: { 'kubernetes.io/arch': 'arm64' } });
    expect(cheapest(round([pod], supplyOfPool([...sizes, dear])))).toEqual(['dear']);
  });
  test('of two architectures give pods that ask for either a node each', () => {
    const pods = ['amd64', 'arm64'].map((arch) => aPod(arch, cpu(1, { nodeSelector: { 'kubernetes.io/arch': arch } })));
    expect(cheapest(round(pods, supplyOfPool([...sizes, arm]))).toSorted()).toEqual(['arm', 'c2']);
  });
  test('of which none has two resources together leave pods that ask for both without a place', () => {
    const memory = anInstanceType('memory', { cpu: 1, memoryGib: 500 });
    const both = aPod('both', { requests: { cpu: 8, memory: '400Gi' } });
    expect(refused(round([both, aPod('cpu', cpu(8))], supplyOfPool([...sizes, memory])))).toEqual(['both']);
  });
  test('are compared by the price of the capacity type that is asked for', () => {
    const types = [
      anInstanceType('a', {
        offerings: [
          ['zone-a', 'on-demand', 100],
          ['zone-a', 'spot', 90],
        ],
      }),
      anInstanceType('b', {
        offerings: [
          ['zone-a', 'on-demand', 110],
          ['zone-a', 'spot', 10],
        ],
      }),
    ];
    const asking = (capacityType: string) =>
      aPod('p', { nodeSelector: { 'karpenter.sh/capacity-type': capacityType } });
    expect(cheapest(round([asking('on-demand')], supplyOfPool(types)))).toEqual(['a']);
    expect(cheapest(round([asking('spot')], supplyOfPool(types)))).toEqual(['b']);
  });
  test('without an offering where pool and pod agree are no way out', () => {
    const inB = anInstanceType('only-b', { cpu: 32, offerings: [['zone-b', 'on-demand', 1]] });
    const pool = aNodePool('default', { requirements: [{ key: zone, operator: 'In', values: ['zone-a'] }] });
    expect(refused(round([aPod('p', cpu(20))], supplyOfPool([...sizes, inB], pool)))).toEqual(['p']);
  });
  test('are told to a launch the cheapest first, six hundred at most', () => {
    const many = Array.from({ length: 700 }, (_, index) =>
      anInstanceType(`t${String(index).padStart(3, '0')}`, { offerings: [['zone-a', 'on-demand', 1_000 - index]] }),
    );
    const [node] = schedulePods(round([aPod('p')], supplyOfPool(many))).newNodes;
    expect([node?.instanceTypes.length, node?.instanceTypes[0]?.name]).toEqual([600, 't699']);
  });
  test('of the cheapest six hundred must be enough for minValues', () => {
    const many = Array.from({ length: 700 }, (_, index) =>
      anInstanceType(`t${String(index).padStart(3, '0')}`, { offerings: [['zone-a', 'on-demand', 1 + index]] }),
    );
    const counting = aNodePool('default', {
      requirements: [{ key: 'node.kubernetes.io/instance-type', operator: 'Exists', minValues: 650 }],
    });
    expect(refused(round([aPod('p')], supplyOfPool(many, counting)))).toEqual(['p']);
  });
});

describe('minValues', () => {
  const family = 'karpenter.k8s.aws/instance-family';
  const types = [
    anInstanceType('m.large', { cpu: 2, labels: { [family]: ['m'] } }),
    anInstanceType('m.big', { cpu: 16, labels: { [family]: ['m'] } }),
    anInstanceType('c.large', { cpu: 2, labels: { [family]: ['c'] } }),
  ];
  const counting = (minValues: number, weight = 0) =>
    aNodePool(`at-least-${minValues}`, { weight, requirements: [{ key: family, operator: 'Exists', minValues }] });
  const bestEffort = { preferencePolicy: 'Respect', minValuesPolicy: 'BestEffort' } as const;
  test('hold for every pod that comes: one that would leave too few gets a node of its own, or none', () => {
    const pods = [aPod('small', cpu(1)), aPod('large', cpu(10))];
    expect(refused(round(pods, supplyOfPool(types, counting(2))))).toEqual(['large']);
  });
  test('are lowered on the heaviest pool before a lighter one is taken', () => {
    const nodePools = [counting(5, 10), counting(1)].map((nodePool) => ({ nodePool, instanceTypes: types }));
    const { newNodes } = schedulePods(round([aPod('p')], { nodePools, options: bestEffort }));
    expect(newNodes.map((node) => [node.nodePool.metadata.name, node.minValuesRelaxed])).toEqual([
      ['at-least-5', true],
    ]);
    expect(newNodes[0]?.requirements.get(family)?.minValues).toBe(2);
  });
  test('of several keys are lowered together', () => {
    const nodePool = aNodePool('default', {
      requirements: [
        { key: family, operator: 'Exists', minValues: 5 },
        { key: 'node.kubernetes.io/instance-type', operator: 'Exists', minValues: 9 },
      ],
    });
    const { newNodes } = schedulePods(round([aPod('p')], { ...supplyOfPool(types, nodePool), options: bestEffort }));
    expect(
      [...(newNodes[0]?.requirements.values() ?? [])].flatMap(({ minValues }) => minValues ?? []).toSorted(byNumber),
    ).toEqual([2, 3]);
  });
});

describe('limits', () => {
  test('let one of two pods that cannot share a node have one', () => {
    const apart = {
      labels: { app: 'web' },
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'web' } } },
          ],
        },
      },
    };
    const pods = somePods(2, 'web', cpu('1500m', apart));
    const { newNodes } = schedulePods(
      round(pods, supplyOfPool([sizes[0] as InstanceType], aNodePool('default', { limits: { cpu: '3' } }))),
    );
    expect(newNodes).toHaveLength(1);
  });
  test('on a resource that a type has too much of exclude that type', () => {
    const problem = round([aPod('p', cpu(1))], from(aNodePool('default', { limits: { memory: '10Gi' } })));
    expect(schedulePods(problem).newNodes[0]?.instanceTypes.map(({ name }) => name)).toEqual(['c2', 'c4']);
  });
  test('that are exceeded already admit nothing', () => {
    const nodes = [aNode('a', { allocatable: { cpu: '4', memory: '8Gi', pods: '0' } })];
    expect(refused(round([aPod('p')], { ...from(aNodePool('default', { limits: { cpu: '3' } })), nodes }))).toEqual([
      'p',
    ]);
  });
});

describe('volumes', () => {
  const inZone = (at: string) => [parseRequirements([{ key: zone, operator: 'In', values: [at] }])];
  test('keep their zone when every preference has been given up', () => {
    const preferring = aPod('p', {
      affinity: {
        nodeAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 1, preference: { matchExpressions: [{ key: zone, operator: 'In', values: ['zone-a'] }] } },
          ],
        },
      },
    });
    const { newNodes } = schedulePods(
      round([preferring], { volumeRequirements: new Map([['default/p', inZone('zone-b')]]) }),
    );
    expect(newNodes.map(({ requirements }) => [...(requirements.get(zone)?.values ?? [])])).toEqual([['zone-b']]);
  });
  test('in a zone that the pod does not want leave it without a place', () => {
    const pod = aPod('p', { nodeSelector: { [zone]: 'zone-a' } });
    expect(refused(round([pod], { volumeRequirements: new Map([['default/p', inZone('zone-b')]]) }))).toEqual(['p']);
  });
});

describe('host ports', () => {
  const portOf = (name: string, hostIP?: string, protocol?: string): Pod => {
    const port = { containerPort: 80, hostPort: 80, ...(hostIP && { hostIP }), ...(protocol && { protocol }) };
    const pod = aPod(name);
    return { ...pod, spec: { containers: [{ name: 'm', ports: [port] }] } };
  };
  for (const { fact, a, b, nodes } of [
    { fact: 'equal ones exclude each other', a: portOf('a'), b: portOf('b'), nodes: 2 },
    { fact: 'of two addresses go together', a: portOf('a', '10.0.0.1'), b: portOf('b', '10.0.0.2'), nodes: 1 },
    { fact: 'of all IPv4 addresses exclude one', a: portOf('a', '0.0.0.0'), b: portOf('b', '10.0.0.2'), nodes: 2 },
    { fact: 'of all IPv6 addresses exclude one', a: portOf('a', '::'), b: portOf('b', '10.0.0.2'), nodes: 2 },
    { fact: 'of two protocols go together', a: portOf('a'), b: portOf('b', undefined, 'UDP'), nodes: 1 },
  ]) {
    test(fact, () => {
      expect(schedulePods(round([a, b])).newNodes).toHaveLength(nodes);
    });
  }
  test('are all ports of a pod on the network of its host', () => {
    const pods = [true, true, false, false].map((hostNetwork, index): Pod => {
      const pod = aPod(`p${index}`);
      return { ...pod, spec: { hostNetwork, containers: [{ name: 'm', ports: [{ containerPort: 80 }] }] } };
    });
    expect(schedulePods(round(pods)).newNodes.map((node) => node.pods.length)).toEqual([2, 2]);
  });
});

describe('nodes that are on their way', () => {
  const claimed = (more: Parameters<typeof aNode>[1] = {}) =>
    aNode('going', { stage: 'inFlight', allocatable: { cpu: '4', memory: '8Gi', pods: '10' }, ...more });
  test('take the pods of the next round', () => {
    const { newNodes, existing } = schedulePods(round([aPod('p', cpu(1))], { nodes: [claimed()] }));
    expect([newNodes.length, existing.length]).toEqual([0, 1]);
  });
  for (const { fact, pod, node } of [
    { fact: 'that are too small', pod: aPod('p', cpu(6)), node: claimed() },
    { fact: 'in another zone', pod: aPod('p', { nodeSelector: { [zone]: 'zone-c' } }), node: claimed() },
    { fact: 'that are leaving', pod: aPod('p'), node: claimed({ markedForDeletion: true }) },
  ]) {
    test(`${fact} do not`, () => {
      expect(schedulePods(round([pod], { nodes: [node] })).newNodes).toHaveLength(1);
    });
  }
  test('count for a spread over zones and hosts', () => {
    const spread = ['topology.kubernetes.io/zone', 'kubernetes.io/hostname'].map((topologyKey) => ({
      topologyKey,
      maxSkew: 1,
      whenUnsatisfiable: 'DoNotSchedule' as const,
      labelSelector: { matchLabels: { app: 'web' } },
    }));
    const pods = somePods(3, 'web', { labels: { app: 'web' }, topologySpreadConstraints: spread });
    const { newNodes, existing } = schedulePods(round(pods, { nodes: [claimed({ zone: 'zone-a' })] }));
    expect([newNodes.length, existing.length]).toEqual([2, 1]);
  });
  test('with more daemons than were expected have no less than nothing', () => {
    const surprise = aPod('surprise', { nodeName: 'going', requests: { cpu: 2 }, ownerKind: 'DaemonSet' });
    const node = aNode('going', { allocatable: { cpu: '4', memory: '8Gi', pods: '10' }, pods: [surprise] });
    const { existing } = schedulePods(round([aPod('p', cpu(1))], { nodes: [node], daemonPods: [aDaemonPod('d')] }));
    expect(existing).toHaveLength(1);
  });
  test('of nobody keep no room for daemons that do not fit their labels', () => {
    const node = aNode('theirs', { managed: false, allocatable: { cpu: '1', memory: '8Gi', pods: '10' } });
    const elsewhere = aDaemonPod('d', { nodeSelector: { 'karpenter.sh/nodepool': 'default' } });
    const { existing } = schedulePods(round([aPod('p', cpu(1))], { nodes: [node], daemonPods: [elsewhere] }));
    expect(existing).toHaveLength(1);
  });
});

describe('resource claims', () => {
  const claims = [{ name: 'gpu' }];
  const inContainer = { ...aPod('p'), spec: { containers: [{ name: 'm', resources: { claims } }] } };
  const inInit = {
    ...aPod('p'),
    spec: { containers: [{ name: 'm' }], initContainers: [{ name: 'i', resources: { claims } }] },
  };
  const ofPod = aPod('p', { resourceClaims: claims });
  for (const [fact, pod] of Object.entries({ inContainer, inInit, ofPod })) {
    test(`${fact}: the pod is refused and hears why, others are not touched`, () => {
      const { newNodes, unschedulable } = schedulePods(round([pod, aPod('plain')]));
      expect(newNodes.flatMap(({ pods }) => pods.map(({ metadata }) => metadata.name))).toEqual(['plain']);
      expect(unschedulable.flatMap(({ reasons }) => printedReasons(reasons)).join()).toContain('resourceClaims');
    });
  }
  test('of a daemon: it is not counted', () => {
    const { newNodes } = schedulePods(
      round([aPod('p', cpu(1))], { daemonPods: [aDaemonPod('d', { resourceClaims: claims })] }),
    );
    expect(newNodes[0]?.requests['cpu']).toBe(1_000);
  });
});
