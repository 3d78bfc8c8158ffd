import type { PodSpec } from '@nodewright/apis';
import { aNode, aNodePool, anInstanceType, aPod } from '@nodewright/testkit';
import { parseRequirements } from '@nodewright/requirements';
import { expect, test } from 'vitest';
import { effectiveZones } from './effective-zone.ts';
import type { SchedulingProblem } from '../problem.ts';

const zone = 'topology.kubernetes.io/zone';
const web = { matchLabels: { app: 'web' } };
const inZones = (...values: readonly string[]) => [{ key: zone, operator: 'In' as const, values }];
const required = (...values: readonly string[]): Partial<PodSpec> => ({
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: inZones(...values) }] },
    },
  },
});
const preferred: Partial<PodSpec> = {
  affinity: {
    nodeAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 1, preference: { matchExpressions: inZones('zone-a') } },
      ],
    },
  },
};
const towards = (rule: 'podAffinity' | 'podAntiAffinity'): Partial<PodSpec> => ({
  affinity: {
    [rule]: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: zone, labelSelector: web }] },
  },
});
const spread = (maxSkew: number): Partial<PodSpec> => ({
  topologySpreadConstraints: [{ topologyKey: zone, maxSkew, whenUnsatisfiable: 'DoNotSchedule', labelSelector: web }],
});

const running = aNode('a', { pods: [aPod('other', { nodeName: 'a', labels: web.matchLabels })] });
const volumesIn = (...zones: readonly string[]) => zones.map((each) => parseRequirements(inZones(each)));

const zoneOf = (traits: Parameters<typeof aPod>[1], more: Partial<SchedulingProblem> = {}) => {
  const pod = aPod('p', traits);
  const problem: SchedulingProblem = {
    nodePools: [{ nodePool: aNodePool(), instanceTypes: [anInstanceType('c4')] }],
    nodes: [running],
    pods: [pod],
    daemonPods: [],
    namespaces: [],
    options: { preferencePolicy: 'Respect', minValuesPolicy: 'Strict' },
    ...more,
  };
  return effectiveZones(problem).get(pod);
};

for (const { fact, traits, volumes, is } of [
  { fact: 'a pod that says nothing', traits: {}, is: 'flexible' },
  { fact: 'a node selector', traits: { nodeSelector: { [zone]: 'zone-b' } }, is: 'zone-b' },
  { fact: 'an affinity to one zone', traits: required('zone-c'), is: 'zone-c' },
  { fact: 'an affinity to two zones', traits: required('zone-b', 'zone-c'), is: 'flexible' },
  { fact: 'a preferred zone', traits: preferred, is: 'flexible' },
  { fact: 'a volume', traits: {}, volumes: volumesIn('zone-b'), is: 'zone-b' },
  { fact: 'a volume of two zones', traits: {}, volumes: volumesIn('zone-b', 'zone-c'), is: 'flexible' },
  {
    fact: 'a volume elsewhere than the selector',
    traits: { nodeSelector: { [zone]: 'zone-a' } },
    volumes: volumesIn('zone-b'),
    is: 'none',
  },
  {
    fact: 'demands that exclude each other',
    traits: { nodeSelector: { [zone]: 'zone-a' }, ...required('zone-b') },
    is: 'none',
  },
  { fact: 'a spread with room everywhere', traits: { labels: web.matchLabels, ...spread(2) }, is: 'flexible' },
  {
    fact: 'a spread with room in one zone',
    traits: { labels: web.matchLabels, ...spread(1), ...required('zone-a', 'zone-b') },
    is: 'zone-b',
  },
  { fact: 'pods it belongs to', traits: towards('podAffinity'), is: 'zone-a' },
  {
    fact: 'pods it keeps away from',
    traits: { ...towards('podAntiAffinity'), nodeSelector: { [zone]: 'zone-a' } },
    is: 'none',
  },
]) {
  test(`${fact}: ${is}`, () => {
    expect(zoneOf(traits, volumes === undefined ? {} : { volumeRequirements: new Map([['default/p', volumes]]) })).toBe(
      is,
    );
  });
}
