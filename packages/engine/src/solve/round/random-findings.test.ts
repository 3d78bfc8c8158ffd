import type { NodeSelectorRequirement, Pod, PodSpec } from '@nodewright/apis';
import { aNode, aNodePool, anInstanceType, aPod, somePods } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import type { InstanceType } from '../../instance-types/instance-type.ts';
import type { SchedulingProblem } from '../problem.ts';
import { schedulePods } from './schedule.ts';

// What a check that knows nothing of the solver has found in its answers to random problems.

const zone = 'topology.kubernetes.io/zone';
const arch = 'kubernetes.io/arch';
const capacityType = 'karpenter.sh/capacity-type';
const rack = 'example.com/rack';
const web = { app: 'web' };

type Given = Partial<Omit<SchedulingProblem, 'nodePools'>> & {
  readonly pool?: Parameters<typeof aNodePool>[1];
  readonly types?: readonly InstanceType[];
};

const round = (pods: readonly Pod[], { pool, types = [anInstanceType('c8', { cpu: 8 })], ...more }: Given = {}) =>
  schedulePods({
    nodePools: [{ nodePool: aNodePool('default', pool), instanceTypes: types }],
    nodes: [],
    pods,
    daemonPods: [],
    namespaces: [],
    options: { preferencePolicy: 'Respect', minValuesPolicy: 'Strict' },
    ...more,
  });

const left = ({ unschedulable }: ReturnType<typeof round>) => unschedulable.map(({ pod }) => pod.metadata.name);

const requiring = (...terms: readonly (readonly NodeSelectorRequirement[])[]): Partial<PodSpec> => ({
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: terms.map((matchExpressions) => ({ matchExpressions })),
      },
    },
  },
});

const beside = (rule: 'podAffinity' | 'podAntiAffinity', topologyKey: string): Partial<PodSpec> => ({
  affinity: {
    [rule]: {
      requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey, labelSelector: { matchLabels: web } }],
    },
  },
});

describe('a label that a pod demands and excludes values of', () => {
  const demanding = (key: string) =>
    aPod('p', {
      ...requiring([
        { key, operator: 'NotIn', values: ['red'] },
        { key, operator: 'Exists' },
      ]),
    });

  test('is missing on a node without it, existing or new', () => {
    expect(left(round([demanding(rack)], { nodes: [aNode('a')] }))).toEqual(['p']);
  });

  test('is there on a node with another value', () => {
    expect(left(round([demanding(rack)], { nodes: [aNode('a', { labels: { [rack]: 'blue' } })] }))).toEqual([]);
  });

  test('leaves out instance types without it', () => {
    const disk = 'karpenter.k8s.aws/instance-local-nvme';
    const types = [
      anInstanceType('bare', { labels: { [disk]: [] } }),
      anInstanceType('disk', { labels: { [disk]: ['9'] } }),
    ];
    const { newNodes } = round([demanding(disk)], { types });
    expect(newNodes.map(({ instanceTypes }) => instanceTypes.map(({ name }) => name))).toEqual([['disk']]);
  });
});

test('any alternative of a daemon makes it come to a node that is there', () => {
  const daemon = aPod('agent', {
    ownerKind: 'DaemonSet',
    requests: { cpu: 2 },
    ...requiring([{ key: arch, operator: 'DoesNotExist' }], [{ key: arch, operator: 'Exists' }]),
  });
  const node = aNode('a', { allocatable: { cpu: '4', memory: '8Gi', pods: '10' } });
  const { existing } = round([aPod('p', { requests: { cpu: 3 } })], { daemonPods: [daemon], nodes: [node] });
  expect(existing.flatMap(({ pods }) => pods)).toEqual([]);
});

describe('pods that keep apart on a label whose value the pool leaves open', () => {
  const pods = somePods(2, 'web', { labels: web, ...beside('podAntiAffinity', rack) });

  test('find no place, since nobody knows who shares it', () => {
    const pool = { requirements: [{ key: rack, operator: 'Exists' as const }] };
    expect(left(round(pods, { pool }))).toHaveLength(2);
  });

  test('share a node that does not carry it', () => expect(left(round(pods))).toEqual([]));
});

test('a group with an affinity to itself begins where an instance type is left', () => {
  const types = [
    anInstanceType('small', { cpu: 2, offerings: [['zone-a', 'on-demand', 10_000]] }),
    anInstanceType('large', { cpu: 8, offerings: [['zone-b', 'on-demand', 400_000]] }),
  ];
  const pods = somePods(2, 'web', { labels: web, requests: { cpu: 3 }, ...beside('podAffinity', zone) });
  expect(left(round(pods, { types }))).toEqual([]);
});

describe('where no rule tells domains apart, a node comes to be in the cheaper one', () => {
  const types = [
    anInstanceType('c8', {
      cpu: 8,
      offerings: [
        ['zone-a', 'on-demand', 400_000],
        ['zone-b', 'on-demand', 380_000],
        ['zone-b', 'spot', 130_000],
      ],
    }),
  ];
  for (const { key, domain } of [
    { key: zone, domain: 'zone-b' },
    { key: capacityType, domain: 'spot' },
  ]) {
    test(`for an affinity on ${key}`, () => {
      const { newNodes } = round([aPod('p', { labels: web, ...beside('podAffinity', key) })], { types });
      expect(newNodes.flatMap(({ requirements }) => [...(requirements.get(key)?.values ?? [])])).toEqual([domain]);
    });

    test(`for a spread over ${key}`, () => {
      const topologySpreadConstraints = [
        {
          topologyKey: key,
          maxSkew: 1,
          whenUnsatisfiable: 'DoNotSchedule' as const,
          labelSelector: { matchLabels: web },
        },
      ];
      const { newNodes } = round([aPod('p', { labels: web, topologySpreadConstraints })], { types });
      expect(newNodes.flatMap(({ requirements }) => [...(requirements.get(key)?.values ?? [])])).toEqual([domain]);
    });
  }
});

test('a pod does not come to a pool that excludes the only number between its bounds', () => {
  const tier = 'example.com/tier';
  const pod = aPod('p', {
    ...requiring([
      { key: tier, operator: 'Gt', values: ['2'] },
      { key: tier, operator: 'Lt', values: ['4'] },
    ]),
  });
  const excluding = (...values: string[]) => ({ requirements: [{ key: tier, operator: 'NotIn' as const, values }] });
  expect(left(round([pod], { pool: excluding('1', '3') }))).toEqual(['p']);
  expect(left(round([pod], { pool: excluding('1', '2') }))).toEqual([]);
});

test('a spread counts on a domain that only a node in flight opens', () => {
  const topologySpreadConstraints = [
    { topologyKey: rack, maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' as const, labelSelector: { matchLabels: web } },
  ];
  const pods = somePods(3, 'web', { labels: web, topologySpreadConstraints });
  const full = { cpu: '0', memory: '0', pods: '0' };
  const coming = aNode('b', { stage: 'inFlight', labels: { [rack]: 'r2' }, allocatable: full });
  expect(left(round(pods, { nodes: [aNode('a', { labels: { [rack]: 'r1' } }), coming] }))).toHaveLength(2);
});

describe('of several required affinities, each counts only pods that all of them select', () => {
  const term = (topologyKey: string, labels: Readonly<Record<string, string>>) => ({
    topologyKey,
    labelSelector: { matchLabels: labels },
  });
  const joining = (...terms: ReturnType<typeof term>[]) =>
    aPod('p', { affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } } });
  const terms = [term(zone, web), term(arch, { tier: 'front' })];
  const running = (name: string, labels: Readonly<Record<string, string>>) => aPod(name, { nodeName: 'a', labels });

  for (const { fact, pods, refused } of [
    { fact: 'one pod that both select', pods: [running('both', { ...web, tier: 'front' })], refused: [] },
    { fact: 'a pod for each', pods: [running('one', web), running('other', { tier: 'front' })], refused: ['p'] },
  ]) {
    test(`${fact} is ${refused.length === 0 ? 'enough' : 'not enough'}`, () => {
      expect(left(round([joining(...terms)], { nodes: [aNode('a', { pods })] }))).toEqual(refused);
    });
  }
});
