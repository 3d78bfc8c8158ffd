import { fromTimestamp, type NodePool, type Pod } from '@nodewright/apis';
import { aNode, aNodePool, anInstanceType, aPod, reservedOffering, somePods } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import { parseRequirements } from '@nodewright/requirements';
import type { InstanceType, Shortage } from '../../instance-types/instance-type.ts';
import type { SchedulingProblem } from '../problem.ts';
import { schedulePods } from '../round/schedule.ts';
import { printedReasons, printedTogether } from './printed-reasons.ts';

const zone = 'topology.kubernetes.io/zone';
const arch = 'kubernetes.io/arch';
const instanceType = 'node.kubernetes.io/instance-type';
const capacityType = 'karpenter.sh/capacity-type';

const someTypes = [anInstanceType('c4', { cpu: 4 }), anInstanceType('g8', { cpu: 8, arch: 'arm64' })];

type Question = Partial<Omit<SchedulingProblem, 'nodePools'>> & {
  readonly pool?: NodePool;
  readonly pools?: readonly NodePool[];
  readonly types?: readonly InstanceType[];
};

const reasonsOf = ({ pool = aNodePool(), pools = [pool], types = someTypes, ...others }: Question) =>
  schedulePods({
    nodePools: pools.map((nodePool) => ({ nodePool, instanceTypes: types })),
    nodes: [],
    pods: [],
    daemonPods: [],
    namespaces: [],
    options: { preferencePolicy: 'Respect', minValuesPolicy: 'Strict' },
    ...others,
  }).unschedulable.at(-1)?.reasons ?? [];

const linesOf = (question: Question): readonly string[] => printedReasons(reasonsOf(question));

const required = (rule: 'podAffinity' | 'podAntiAffinity', topologyKey: string, app: string): Partial<Pod['spec']> => ({
  affinity: {
    [rule]: {
      requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey, labelSelector: { matchLabels: { app } } }],
    },
  },
});

const requiring = (
  ...terms: readonly (readonly {
    readonly key: string;
    readonly operator: 'In' | 'Gt';
    readonly values: readonly string[];
  }[])[]
): Partial<Pod['spec']> => ({
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: terms.map((matchExpressions) => ({ matchExpressions })),
      },
    },
  },
});

const spread = (app: string, more: object = {}): Partial<Pod['spec']> => ({
  topologySpreadConstraints: [
    {
      topologyKey: zone,
      maxSkew: 1,
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: { matchLabels: { app } },
      ...more,
    },
  ],
});

const inZone = (name: string) => ({ nodeSelector: { [zone]: name } });
const onHost = (node: string, app: string) => aPod(`on-${node}`, { nodeName: node, labels: { app } });
const fullNode = (name: string, at: string, app: string) =>
  aNode(name, { zone: at, allocatable: { cpu: '1', pods: '0' }, pods: [onHost(name, app)] });

const until = fromTimestamp('2024-06-01T12:03:00Z');
const short = (type: InstanceType, shortage?: Shortage): InstanceType => ({
  ...type,
  offerings: type.offerings.map((offering) => ({
    ...offering,
    available: false,
    ...(shortage === undefined ? { unpriced: true } : { shortage }),
  })),
});
const outOfCapacity = { cause: 'out of capacity', fix: 'allow other types', until };
const soldOutSpot = anInstanceType('s4', {
  offerings: [
    ['zone-a', 'on-demand', 100],
    ['zone-b', 'spot', 50],
  ],
});

describe('one pod and one NodePool: the first constraint that leaves nothing, with counts, and what would help', () => {
  const ofType = (value: string) => ({ nodeSelector: { [instanceType]: value } });
  const table: readonly (Question & { readonly of: string; readonly says: string })[] = [
    {
      of: 'more than any type has',
      pods: [aPod('p', { requests: { cpu: 4 }, nodeSelector: { [arch]: 'amd64' } })],
      says: 'no instance type meets the requirements together with the resource requests: 2 types; 1 after kubernetes.io/arch In [amd64]; 0 after cpu 4 (the most is 3900m); fix: ask for cpu 3900m at most',
    },
    {
      of: 'a resource that no type has',
      pods: [aPod('p', { requests: { 'nvidia.com/gpu': 1 } })],
      says: 'no instance type meets the resource requests: 2 types; 0 after nvidia.com/gpu 1 (there is none); fix: have a NodePool with types that have nvidia.com/gpu',
    },
    {
      of: 'cores where millicores were meant',
      pods: [aPod('p', { requests: { cpu: 1_000_000 } })],
      says: 'no instance type meets the resource requests: 2 types; 0 after cpu 1M (the most is 7900m, did you mean 1000000m?); fix: ask for cpu 7900m at most',
    },
    {
      of: 'what daemons leave no room for',
      pods: [aPod('p', { requests: { cpu: 6 } })],
      daemonPods: [aPod('agent', { requests: { cpu: 2 }, ownerKind: 'DaemonSet' })],
      says: 'no instance type meets the resource requests: 2 types; 0 after cpu 6 (the most is 5900m, daemons take 2); fix: ask for cpu 5900m at most',
    },
    {
      of: 'daemons that fit no type',
      pods: [aPod('p')],
      daemonPods: [aPod('agent', { requests: { cpu: 20 }, ownerKind: 'DaemonSet' })],
      says: 'no instance type meets the resource requests: 2 types; 0 after cpu of daemons (there is none, daemons take 20)',
    },
    {
      of: 'a host port that a daemon has',
      pods: [aPod('p', { hostPort: 9100 })],
      daemonPods: [aPod('agent', { hostPort: 9100, ownerKind: 'DaemonSet' })],
      says: 'no instance type is left: 2 types; 0 after host port 9100/TCP (a daemon has it); fix: do without host port 9100/TCP',
    },
    {
      of: 'more volumes than a node may have attached',
      types: [anInstanceType('c4', { attachLimits: { 'ebs.csi.aws.com': 1 } })],
      pods: [aPod('p')],
      attachedVolumes: new Map([
        [
          'default/p',
          [
            { driver: 'ebs.csi.aws.com', claim: 'default/a' },
            { driver: 'ebs.csi.aws.com', claim: 'default/b' },
          ],
        ],
      ]),
      says: 'no instance type is left: 1 type; 0 after 2 volumes of ebs.csi.aws.com (the most is 1); fix: use 1 volume of ebs.csi.aws.com at most',
    },
    {
      of: 'a zone that no type is in',
      pods: [aPod('p', inZone('zone-q'))],
      says: 'no instance type meets the requirements: 2 types; 0 after topology.kubernetes.io/zone In [zone-q] (there is zone-a, zone-b, zone-c); fix: ask for what there is, or have a NodePool with what is asked',
    },
    {
      of: 'a zone and a capacity type that do not go together',
      types: [soldOutSpot],
      pods: [aPod('p', { nodeSelector: { [zone]: 'zone-a', [capacityType]: 'spot' } })],
      says: 'no instance type meets the need for an available offering: 1 type; 0 after what can be bought there now (s4 is not sold that way); fix: ask for what there is, or have a NodePool with what is asked',
    },
    {
      of: 'a type that is out of capacity',
      types: [...someTypes, short(anInstanceType('c16', { cpu: 16 }), outOfCapacity)],
      pods: [aPod('p', { requests: { cpu: 9 } })],
      says: 'no instance type meets the resource requests together with the need for an available offering: 3 types; 1 after cpu 9; 0 after what can be bought there now (out of capacity in zone-a, zone-b, zone-c until 2024-06-01T12:03:00Z: allow other types)',
    },
    {
      of: 'a type whose zones have no subnet',
      types: [...someTypes, short(anInstanceType('c16', { cpu: 16 }), { cause: 'no subnet', ofZone: true })],
      pods: [aPod('p', { ...ofType('c16') })],
      says: 'no instance type meets the requirements together with the need for an available offering: 3 types; 1 after node.kubernetes.io/instance-type In [c16]; 0 after what can be bought there now (no subnet in zone-a, zone-b, zone-c)',
    },
    {
      of: 'a type of which nobody knows the price',
      types: [...someTypes, short(anInstanceType('c16', { cpu: 16 }))],
      pods: [aPod('p', { ...ofType('c16') })],
      says: 'no instance type meets the requirements together with the need for an available offering: 3 types; 1 after node.kubernetes.io/instance-type In [c16]; 0 after what can be bought there now (no price is known)',
    },
    {
      of: 'a reservation that is used up',
      types: [
        anInstanceType('r4', {
          offerings: [['zone-a', 'on-demand', 100], reservedOffering('cr-1', 0)],
        }),
      ],
      pods: [aPod('p', { nodeSelector: { [capacityType]: 'reserved' } })],
      says: 'no instance type meets the need for an available offering: 1 type; 0 after what can be bought there now (r4 is not sold that way); fix: ask for what there is, or have a NodePool with what is asked',
    },
    {
      of: 'a taint that it does not tolerate',
      pool: aNodePool('default', { taints: [{ key: 'team', value: 'a', effect: 'NoSchedule' }] }),
      pods: [aPod('p')],
      says: 'the pod does not tolerate taint team=a:NoSchedule, which alone keeps it away; fix: tolerate it',
    },
    {
      of: 'a taint beside other things',
      pool: aNodePool('default', { taints: [{ key: 'team', effect: 'NoExecute' }] }),
      pods: [aPod('p', { requests: { cpu: 100 } })],
      says: 'the pod does not tolerate taint team:NoExecute; fix: tolerate it',
    },
    {
      of: 'what the NodePool is not',
      pool: aNodePool('default', { requirements: [{ key: arch, operator: 'In', values: ['amd64'] }] }),
      pods: [aPod('p', { nodeSelector: { [arch]: 'arm64' } })],
      says: 'the pod asks kubernetes.io/arch In [arm64], the NodePool has kubernetes.io/arch In [amd64]; fix: ask for what there is, or have a NodePool with what is asked',
    },
    {
      of: 'a label that its nodes do not carry',
      pods: [aPod('p', { nodeSelector: { 'topology.kubernetes.io/zones': 'zone-a' } })],
      says: 'the pod asks for the label "topology.kubernetes.io/zones", which no node of the NodePool carries (did you mean "topology.kubernetes.io/zone"?); fix: give it to spec.template.metadata.labels of the NodePool, or do without it',
    },
    {
      of: 'two things of one label',
      pods: [
        aPod('p', {
          ...inZone('zone-a'),
          affinity: {
            nodeAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: {
                nodeSelectorTerms: [{ matchExpressions: [{ key: zone, operator: 'In', values: ['zone-b'] }] }],
              },
            },
          },
        }),
      ],
      says: 'what the pod asks of label topology.kubernetes.io/zone excludes itself; fix: ask for one thing only',
    },
    {
      of: 'a volume in a zone that the NodePool leaves out',
      pool: aNodePool('default', { requirements: [{ key: zone, operator: 'In', values: ['zone-a'] }] }),
      pods: [aPod('p')],
      volumeRequirements: new Map([
        ['default/p', [parseRequirements([{ key: zone, operator: 'In', values: ['zone-b'] }])]],
      ]),
      says: 'a volume of the pod asks topology.kubernetes.io/zone In [zone-b], the NodePool has topology.kubernetes.io/zone In [zone-a]; fix: widen topology.kubernetes.io/zone in spec.template.spec.requirements of the NodePool',
    },
    {
      of: 'a volume in a zone that no type is in',
      pods: [aPod('p')],
      volumeRequirements: new Map([
        ['default/p', [parseRequirements([{ key: zone, operator: 'In', values: ['zone-q'] }])]],
      ]),
      says: 'no instance type meets the requirements: 2 types; 0 after topology.kubernetes.io/zone In [zone-q] of its volumes (there is zone-a, zone-b, zone-c); fix: have a NodePool, and a subnet of its NodeClass, with that topology.kubernetes.io/zone',
    },
    {
      of: 'more than a number',
      types: [2, 4, 8, 16].map((cpu) => anInstanceType(`c${cpu}`, { cpu, labels: { cores: [String(cpu)] } })),
      pods: [aPod('p', requiring([{ key: 'cores', operator: 'Gt', values: ['32'] }]))],
      options: { preferencePolicy: 'Respect', minValuesPolicy: 'Strict', wellKnownLabels: new Set(['cores']) },
      says: 'no instance type meets the requirements: 4 types; 0 after cores >=33 (there is 2 to 16); fix: ask for what there is, or have a NodePool with what is asked',
    },
    {
      of: 'one of two things, of which it came nearer to the first',
      pods: [
        aPod('p', {
          ...requiring(
            [{ key: arch, operator: 'In', values: ['amd64'] }],
            [{ key: 'rack', operator: 'In', values: ['1'] }],
          ),
          requests: { cpu: 5 },
        }),
      ],
      says: 'no instance type meets the requirements together with the resource requests: 2 types; 1 after kubernetes.io/arch In [amd64]; 0 after cpu 5 (the most is 3900m); fix: ask for cpu 3900m at most (the nearest of the 2 terms of its node affinity)',
    },
    {
      of: 'an affinity to nobody',
      pods: [aPod('p', required('podAffinity', zone, 'db'))],
      says: 'pod affinity over topology.kubernetes.io/zone: there are no pods with app=db on any node; fix: start such a pod, or prefer the affinity instead of requiring it',
    },
    {
      of: 'an affinity to pods in another zone',
      nodes: [fullNode('n', 'zone-b', 'db')],
      pods: [aPod('p', { ...inZone('zone-a'), ...required('podAffinity', zone, 'db') })],
      says: 'pod affinity over topology.kubernetes.io/zone: pods with app=db are in zone-b, and another node of the NodePool is not; fix: start such a pod, or prefer the affinity instead of requiring it',
    },
    {
      of: 'an affinity to pods on a full node',
      nodes: [fullNode('n', 'zone-b', 'db')],
      pods: [aPod('p', required('podAffinity', 'kubernetes.io/hostname', 'db'))],
      says: 'pod affinity over kubernetes.io/hostname: pods with app=db are on n, and another node of the NodePool is not; fix: start such a pod, or prefer the affinity instead of requiring it',
    },
    {
      of: 'an anti-affinity to pods that are everywhere',
      nodes: ['zone-a', 'zone-b', 'zone-c'].map((at) => fullNode(at, at, 'db')),
      pods: [aPod('p', required('podAntiAffinity', zone, 'db'))],
      says: 'pod anti-affinity over topology.kubernetes.io/zone to pods with app=db: they are in zone-a, zone-b, zone-c, and there is no other; fix: prefer the anti-affinity instead of requiring it',
    },
    {
      of: 'an anti-affinity to pods whose node is not there yet',
      pods: somePods(2, 'p', { labels: { app: 'p' }, ...required('podAntiAffinity', zone, 'p') }),
      says: 'pod anti-affinity over topology.kubernetes.io/zone to pods with app=p: they may come to be in zone-a, zone-b, zone-c, and there is no other; fix: wait until the new nodes are there, which decides it',
    },
    {
      of: 'a spread that would be too uneven',
      nodes: [fullNode('n', 'zone-a', 'p')],
      pools: [
        aNodePool('default', { requirements: [{ key: zone, operator: 'In', values: ['zone-a'] }] }),
        aNodePool('other', { taints: [{ key: 'x', effect: 'NoSchedule' }] }),
      ],
      pods: [aPod('p', { labels: { app: 'p' }, ...spread('p') })],
      says: 'topology spread over topology.kubernetes.io/zone of pods with app=p: zone-a has 1, the minimum anywhere is 0, and maxSkew is 1; fix: allow a maxSkew of 2',
    },
    {
      of: 'a spread over more domains than there are',
      pods: somePods(4, 'p', { labels: { app: 'p' }, ...spread('p', { minDomains: 4 }) }),
      says: 'topology spread over topology.kubernetes.io/zone of pods with app=p: zone-a has 1, zone-b has 1, zone-c has 1, of minDomains 4 there are 3 that it may use, so the minimum counts as 0, and maxSkew is 1; fix: ask for minDomains of 3 at most',
    },
    {
      of: 'a spread over a label that no node has',
      pods: [aPod('p', { labels: { app: 'p' }, ...spread('p', { topologyKey: 'rack' }) })],
      says: 'topology spread over rack of pods with app=p: nodes of the NodePool do not have that label; fix: give it to spec.template.metadata.labels of the NodePool, or do without it',
    },
    {
      of: 'minValues that too few types meet',
      pool: aNodePool('default', { requirements: [{ key: instanceType, operator: 'Exists', minValues: 3 }] }),
      pods: [aPod('p')],
      says: 'minValues not met: node.kubernetes.io/instance-type has 2 of 3; fix: ask for minValues of 2 at most',
    },
    {
      of: 'limits that are used up',
      pool: aNodePool('default', { limits: { cpu: '10', memory: '12Gi', nodes: '5' } }),
      nodes: [aNode('n', { allocatable: { cpu: '8', memory: '1Gi', pods: '0' } })],
      pods: [aPod('p', { requests: { memory: '10Gi' } })],
      says: 'spec.limits: cpu 10, of which 8 in use or planned; memory 12Gi, of which 1Gi in use or planned; g8, the cheapest type that fits, adds cpu 8, memory 16Gi; fix: raise spec.limits to cpu 16, memory 17Gi or more',
    },
    {
      of: 'requirements of the NodePool that no type meets',
      pool: aNodePool('default', {
        requirements: [
          { key: arch, operator: 'In', values: ['amd64'] },
          { key: instanceType, operator: 'In', values: ['z9'] },
        ],
      }),
      pods: [aPod('p')],
      says: 'no instance type of its NodeClass meets the requirements of the NodePool: 2 types; 1 after kubernetes.io/arch In [amd64]; 0 after node.kubernetes.io/instance-type In [z9] (there is c4); fix: widen node.kubernetes.io/instance-type in spec.template.spec.requirements of the NodePool',
    },
    {
      of: 'types of the NodePool that are all short',
      types: [short(anInstanceType('c8', { cpu: 8 }), outOfCapacity)],
      pods: [aPod('p')],
      says: 'no instance type of the NodePool can be bought now: 1 type; 0 after what can be bought there now (out of capacity in zone-a, zone-b, zone-c until 2024-06-01T12:03:00Z: allow other types)',
    },
    {
      of: 'a NodeClass without types',
      types: [],
      pods: [aPod('p')],
      says: 'its NodeClass has no instance types',
    },
  ];
  test.each(table)('$of', ({ says, ...question }) => {
    expect(linesOf(question)).toContain(`NodePool default: ${says}`);
  });
});

test('without any NodePool that is said', () => {
  expect(linesOf({ pools: [], pods: [aPod('p')] })).toEqual(['there is no NodePool to launch from']);
});

test('pools that nothing is launched from are told with their reason', () => {
  const passedOver = [{ nodePool: 'broken', why: 'NodeClassReady is False, SubnetsNotFound' }];
  expect(linesOf({ pools: [], passedOver, pods: [aPod('p')] })).toEqual([
    'NodePool broken: launches nothing now: NodeClassReady is False, SubnetsNotFound',
  ]);
});

test('a type that would not do anyway is not told as short', () => {
  const pods = [aPod('p', { requests: { cpu: 9 } })];
  const small = short(anInstanceType('c2', { cpu: 2 }), outOfCapacity);
  expect(linesOf({ pods, types: [...someTypes, small] })).toEqual(linesOf({ pods }));
});

const forty = (make: (index: number) => NodePool) => Array.from({ length: 40 }, (_, index) => make(index));

describe('forty pools', () => {
  const pods = [aPod('p', { requests: { cpu: 100 } })];
  test('that refuse alike are one line', () => {
    expect(linesOf({ pods, pools: forty((index) => aNodePool(`pool-${index}`)) })).toHaveLength(1);
  });
  const different = forty((index) =>
    aNodePool(`pool-${index}`, { taints: [{ key: `team-${index}`, effect: 'NoSchedule' }] }),
  );
  test('that each refuse for a reason of their own fit on a screen', () => {
    const lines = linesOf({ pods, pools: different });
    expect(lines).toHaveLength(21);
    expect(lines.at(-1)).toBe('and 20 more NodePools with other reasons');
  });
  test('are told from the one that the pod came nearest to', () => {
    const pools = [...different, aNodePool('aaa', { labels: { team: 'z' } })];
    expect(linesOf({ pods, pools })[0]).toContain('NodePool aaa: no instance type meets the resource requests');
  });
});

test('reasons in one paragraph are sentences', () => {
  const pools = [aNodePool('a', { taints: [{ key: 'x', effect: 'NoSchedule' }] }), aNodePool('b')];
  expect(printedTogether(reasonsOf({ pools, pods: [aPod('p', { nodeSelector: { rack: '1' } })] }))).toBe(
    'NodePool b: the pod asks for the label "rack", which no node of the NodePool carries; fix: give it to spec.template.metadata.labels of the NodePool, or do without it. NodePool a: the pod does not tolerate taint x:NoSchedule; fix: tolerate it',
  );
});
