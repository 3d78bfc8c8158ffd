import * as fc from 'fast-check';
import type { NodePool, Pod, PodSpec } from '@nodewright/apis';
import type { SchedulingProblem } from '@nodewright/engine';
import { aNodePool } from './a-node-pool.ts';
import { aNode } from './a-node.ts';
import { aPod } from './a-pod.ts';
import { anInstanceType, reservedOffering } from './an-instance-type.ts';

const zone = 'topology.kubernetes.io/zone';
const hostname = 'kubernetes.io/hostname';
const capacityType = 'karpenter.sh/capacity-type';
const team = 'example.com/team';

const types = [
  anInstanceType('c2', { cpu: 2, pods: 8 }),
  anInstanceType('c4', { cpu: 4, pods: 16 }),
  anInstanceType('c8', { cpu: 8, pods: 30 }),
  anInstanceType('g4', { cpu: 4, arch: 'arm64', pods: 16 }),
  anInstanceType('one-zone', { cpu: 16, offerings: [['zone-a', 'on-demand', 500_000]] }),
  anInstanceType('spot-only', {
    cpu: 8,
    offerings: [
      ['zone-b', 'spot', 60_000],
      ['zone-c', 'spot', 61_000, 'soldOut'],
    ],
  }),
];

type Wish = (labels: Readonly<Record<string, string>>) => Partial<PodSpec>;
type Term = {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  readonly values?: readonly string[];
};

const required = (...terms: readonly Term[]): Partial<PodSpec> => ({
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: terms.map((term) => ({ matchExpressions: [term] })),
      },
    },
  },
});

const preferring = (term: Term, spec: Partial<PodSpec>): Partial<PodSpec> => ({
  ...spec,
  affinity: {
    nodeAffinity: {
      ...spec.affinity?.nodeAffinity,
      preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference: { matchExpressions: [term] } }],
    },
  },
});

const spread =
  (topologyKey: string, maxSkew: number, more: readonly string[] = []): Wish =>
  (labels) => ({
    topologySpreadConstraints: [topologyKey, ...more].map((key) => ({
      topologyKey: key,
      maxSkew,
      whenUnsatisfiable: 'DoNotSchedule' as const,
      labelSelector: { matchLabels: labels },
    })),
  });

const towards =
  (rule: 'podAffinity' | 'podAntiAffinity', topologyKey: string, other?: string): Wish =>
  (labels) => ({
    affinity: {
      [rule]: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { topologyKey, labelSelector: { matchLabels: other === undefined ? labels : { app: other } } },
        ],
      },
    },
  });

const wishes: readonly Wish[] = [
  () => ({}),
  () => ({ nodeSelector: { [zone]: 'zone-b' } }),
  () => ({ nodeSelector: { 'kubernetes.io/arch': 'arm64' } }),
  () => ({ nodeSelector: { [team]: 'red' } }),
  () => required({ key: team, operator: 'NotIn', values: ['red'] }),
  () => required({ key: team, operator: 'Exists' }),
  () => required({ key: zone, operator: 'In', values: ['zone-x'] }, { key: zone, operator: 'In', values: ['zone-c'] }),
  () => preferring({ key: zone, operator: 'In', values: ['zone-x'] }, {}),
  () => preferring({ key: zone, operator: 'DoesNotExist' }, { nodeSelector: { [zone]: 'zone-a' } }),
  () => ({ tolerations: [{ key: 'dedicated', operator: 'Exists' }] }),
  spread(zone, 1),
  spread(zone, 2),
  spread(hostname, 1),
  spread(capacityType, 1),
  spread(zone, 1, [hostname]),
  spread(zone, 1, [capacityType]),
  towards('podAffinity', zone),
  towards('podAffinity', hostname),
  towards('podAffinity', zone, 'app0'),
  towards('podAntiAffinity', hostname),
  towards('podAntiAffinity', zone),
  towards('podAntiAffinity', hostname, 'app0'),
];

const pods = (): fc.Arbitrary<readonly Pod[]> =>
  fc
    .array(
      fc.record({
        wish: fc.constantFrom(...wishes),
        cpu: fc.integer({ min: 0, max: 3_000 }),
        replicas: fc.integer({ min: 1, max: 7 }),
      }),
      { minLength: 1, maxLength: 6 },
    )
    .map((apps) =>
      apps.flatMap(({ wish, cpu, replicas }, app) =>
        Array.from({ length: replicas }, (_, index) =>
          aPod(`app${app}-${index}`, {
            labels: { app: `app${app}` },
            requests: { cpu: `${cpu}m`, memory: '100Mi' },
            ...wish({ app: `app${app}` }),
          }),
        ),
      ),
    );

const pools = (): fc.Arbitrary<readonly NodePool[]> =>
  fc.constantFrom(
    [aNodePool('default')],
    [aNodePool('default', { limits: { nodes: '2' } }), aNodePool('red', { labels: { [team]: 'red' } })],
    [aNodePool('default', { limits: { cpu: '20' } })],
    [
      aNodePool('heavy', { weight: 10, taints: [{ key: 'dedicated', effect: 'NoSchedule' }] }),
      aNodePool('default', { requirements: [{ key: zone, operator: 'In', values: ['zone-a', 'zone-b'] }] }),
    ],
    [
      aNodePool('shy', { weight: 10, taints: [{ key: 'shy', effect: 'PreferNoSchedule' }] }),
      aNodePool('default', { requirements: [{ key: capacityType, operator: 'In', values: ['on-demand'] }] }),
    ],
  );

const nodes = () =>
  fc.constantFrom(
    [],
    [aNode('a'), aNode('b', { zone: 'zone-b', labels: { [team]: 'red' } })],
    [aNode('a', { zone: 'zone-c', stage: 'inFlight' })],
  );

const reserving = anInstanceType('reserving', {
  cpu: 4,
  offerings: [
    ['zone-a', 'on-demand', 160_000],
    ['zone-b', 'on-demand', 160_000],
    reservedOffering('cr-a', 2),
    reservedOffering('cr-b', 1, 'zone-b'),
  ],
});

/** Small problems with everything in them. Pods of one app are equal, and what spreads an app counts that app alone. */
export const someProblem = (): fc.Arbitrary<SchedulingProblem> =>
  fc
    .record({ pods: pods(), pools: pools(), nodes: nodes(), reserved: fc.constantFrom(false, false, true) })
    .map((drawn) => ({
      nodePools: drawn.pools.map((nodePool) => ({
        nodePool,
        instanceTypes: drawn.reserved ? [...types, reserving] : types,
      })),
      nodes: drawn.nodes,
      pods: drawn.pods,
      daemonPods: [aPod('agent', { requests: { cpu: '100m' }, ownerKind: 'DaemonSet' })],
      namespaces: [],
      options: { preferencePolicy: 'Respect', minValuesPolicy: 'Strict' },
    }));
