import type { Pod, PodAffinityTerm, TopologySpreadConstraint } from '@nodewright/apis';
import { anInstanceType, aNode, aNodePool, aPod, aProblem, somePods } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import type { SchedulingProblem } from '../problem.ts';
import { schedulePods } from '../round/schedule.ts';

// What kube-scheduler would refuse when the pods come to their nodes.

const zone = 'topology.kubernetes.io/zone';
const rack = 'example.com/rack';
const web = { app: 'web' };
const full = { cpu: '0', memory: '0', pods: '0' };
const room = { cpu: '8', memory: '8Gi', pods: '10' };

const round = (pods: readonly Pod[], more: Partial<SchedulingProblem> = {}) =>
  schedulePods({ ...aProblem(pods, [anInstanceType('c8', { cpu: 8 })]), ...more });

const left = ({ unschedulable }: ReturnType<typeof round>) => unschedulable.map(({ pod }) => pod.metadata.name);
const used = ({ existing }: ReturnType<typeof round>) => existing.map(({ node }) => node.node?.metadata.name);

const spread = (topologyKey: string): TopologySpreadConstraint => ({
  topologyKey,
  maxSkew: 1,
  whenUnsatisfiable: 'DoNotSchedule',
  labelSelector: { matchLabels: web },
});

describe('a pod spread over two labels counts only nodes that carry both', () => {
  const running = (name: string) => aPod(`on-${name}`, { nodeName: name, labels: web });
  const nodes = [
    aNode('a', { zone: 'zone-a', labels: { [rack]: 'r1' }, allocatable: room, pods: [running('a')] }),
    aNode('bare', { zone: 'zone-b', allocatable: full, pods: [running('bare')] }),
    aNode('b', { zone: 'zone-b', labels: { [rack]: 'r1' }, allocatable: full }),
  ];

  for (const { fact, constraints, expected } of [
    { fact: 'one label: the pod that runs without the other counts', constraints: [spread(zone)], expected: ['a'] },
    { fact: 'two: it does not, so its zone has none', constraints: [spread(zone), spread(rack)], expected: [] },
  ]) {
    test(fact, () => {
      const pod = aPod('web', { labels: web, topologySpreadConstraints: constraints });
      expect(used(round([pod], { nodes, nodePools: [] }))).toEqual(expected);
    });
  }
});

const joining = (name: string, terms: readonly PodAffinityTerm[], labels: Readonly<Record<string, string>> = web) =>
  aPod(name, { labels, affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } } });

describe('a pod with several affinities to its own kind', () => {
  const pool = aNodePool('default', { requirements: [{ key: rack, operator: 'In', values: ['r1', 'r2'] }] });
  const nodePools = [{ nodePool: pool, instanceTypes: [anInstanceType('c8', { cpu: 8 })] }];
  const terms = [zone, rack].map((topologyKey) => ({ topologyKey, labelSelector: { matchLabels: web } }));
  const pods = [joining('one', terms), joining('two', terms)];

  test('is the first of them where there is none', () => expect(left(round(pods, { nodePools }))).toEqual([]));

  test('is not the first beside one that lacks a label', () => {
    const nodes = [aNode('a', { allocatable: full, pods: [aPod('old', { nodeName: 'a', labels: web })] })];
    expect(left(round(pods, { nodePools, nodes }))).toEqual(['one', 'two']);
  });
});

describe('label keys of an affinity', () => {
  const term = (keys: Partial<PodAffinityTerm>) => ({
    topologyKey: zone,
    labelSelector: { matchLabels: web },
    ...keys,
  });
  const old = aPod('old', { nodeName: 'a', labels: { ...web, version: '1' } });
  const nodes = [aNode('a', { zone: 'zone-a', allocatable: full, pods: [old] })];
  const zonesFor = (pod: Pod) =>
    round([pod], { nodes }).newNodes.map(({ requirements }) => [...(requirements.get(zone)?.values ?? [])]);

  for (const { fact, keys, version, expected } of [
    { fact: 'without any the old one counts', keys: {}, version: '2', expected: [['zone-a']] },
    { fact: 'of the same version', keys: { matchLabelKeys: ['version'] }, version: '1', expected: [['zone-a']] },
    { fact: 'of another one', keys: { mismatchLabelKeys: ['version'] }, version: '2', expected: [['zone-a']] },
    { fact: 'none of another', keys: { mismatchLabelKeys: ['version'] }, version: '1', expected: [] },
  ]) {
    test(`${fact}: ${JSON.stringify(keys)}`, () => {
      expect(zonesFor(joining('new', [term(keys)], { ...web, version }))).toEqual(expected);
    });
  }

  test('pods of a version keep apart from no other version', () => {
    const apart = (version: string) =>
      somePods(2, `v${version}`, {
        labels: { ...web, version },
        affinity: {
          podAntiAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [
              { topologyKey: 'kubernetes.io/hostname', labelSelector: {}, matchLabelKeys: ['version'] },
            ],
          },
        },
      });
    expect(round([...apart('1'), ...apart('2')]).newNodes.map(({ pods }) => pods.length)).toEqual([2, 2]);
  });
});

describe('pods on a node whose zone is open', () => {
  const plain = somePods(2, 'plain', { labels: web, requests: { cpu: 3 } });
  const spreading = aPod('spreading', { labels: web, requests: { cpu: 1 }, topologySpreadConstraints: [spread(zone)] });
  const nodesOf = (pods: readonly Pod[]) =>
    round(pods).newNodes.map(({ pods: placed, requirements }) => ({
      pods: placed.map(({ metadata }) => metadata.name),
      zones: [...(requirements.get(zone)?.values ?? [])],
    }));

  test('count for a pod that would decide it', () => {
    expect(nodesOf([...plain, spreading]).map(({ pods }) => pods)).toEqual([['plain-1', 'plain-2'], ['spreading']]);
  });

  test('count from the moment at which another pod has decided it', () => {
    const deciding = aPod('deciding', { requests: { cpu: 1.5 }, nodeSelector: { [zone]: 'zone-a' } });
    const nodes = nodesOf([...plain, deciding, spreading]);
    expect(nodes.filter(({ pods }) => pods.includes('deciding'))).toEqual([
      { pods: ['plain-1', 'plain-2', 'deciding'], zones: ['zone-a'] },
    ]);
    expect(nodes.filter(({ pods, zones }) => pods.includes('spreading') && zones.includes('zone-a'))).toEqual([]);
  });
});
