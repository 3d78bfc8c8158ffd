import type { Pod } from '@nodewright/apis';
import { anInstanceType, aNode, aNodePool, aPod, aProblem, somePods } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import { parseRequirements } from '@nodewright/requirements';
import type { SchedulingProblem } from '../../problem.ts';
import { schedulePods } from '../../round/schedule.ts';

const zone = 'topology.kubernetes.io/zone';
const web = { app: 'web' };

const round = (pods: readonly Pod[], more: Partial<SchedulingProblem> = {}): SchedulingProblem => ({
  ...aProblem(pods, [anInstanceType('c16', { cpu: 16 })]),
  nodes: [aNode('there')],
  ...more,
});

/** Pods that came to nodes that are there, by name. */
const settled = (problem: SchedulingProblem): readonly string[] =>
  schedulePods(problem)
    .existing.flatMap(({ pods }) => pods.map(({ metadata }) => metadata.name))
    .toSorted();

describe('a node that is there', () => {
  test('gives a host port once, be it to a pod that runs or to one of the round', () => {
    const wanting = somePods(2, 'p', { hostPort: 80 });
    expect(settled(round(wanting))).toEqual(['p-1']);
    const nodes = [aNode('there', { pods: [aPod('runs', { nodeName: 'there', hostPort: 80 })] })];
    expect(settled(round(wanting, { nodes }))).toEqual([]);
    const ended = [aNode('there', { pods: [aPod('ran', { nodeName: 'there', hostPort: 80, phase: 'Succeeded' })] })];
    expect(settled(round(wanting, { nodes: ended }))).toEqual(['p-1']);
  });

  test('takes a pod only where its volume is', () => {
    const inZone = (...zones: readonly string[]) =>
      new Map([
        ['default/p', zones.map((value) => parseRequirements([{ key: zone, operator: 'In', values: [value] }]))],
      ]);
    expect(settled(round([aPod('p')], { volumeRequirements: inZone('zone-b') }))).toEqual([]);
    expect(settled(round([aPod('p')], { volumeRequirements: inZone('zone-b', 'zone-a') }))).toEqual(['p']);
  });

  test('is counted by the rules of the pods that come after', () => {
    const apart = {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: web } },
        ],
      },
    };
    expect(settled(round(somePods(2, 'web', { labels: web, affinity: apart })))).toEqual(['web-1']);
    const keeping = aPod('keeping', { affinity: apart, requests: { cpu: 1 } });
    expect(settled(round([keeping, aPod('web', { labels: web })]))).toEqual(['keeping']);
  });

  test('has to carry every label that a pod demands: nothing is undefined there', () => {
    const bare = aNode('there');
    const { [zone]: _, ...labels } = bare.node?.metadata.labels ?? {};
    const node = bare.node && { ...bare.node, metadata: { ...bare.node.metadata, labels } };
    const nodes = [{ ...bare, ...(node === undefined ? {} : { node }) }];
    expect(settled(round([aPod('p', { nodeSelector: { [zone]: 'zone-a' } })], { nodes }))).toEqual([]);
    const spread = {
      topologyKey: zone,
      maxSkew: 1,
      whenUnsatisfiable: 'DoNotSchedule' as const,
      labelSelector: { matchLabels: web },
    };
    const pod = aPod('p', { labels: web, topologySpreadConstraints: [spread] });
    expect(settled(round([pod], { nodes }))).toEqual([]);
  });

  test('is known by its name where it has no host name', () => {
    const bare = aNode('there');
    const { 'kubernetes.io/hostname': _, ...labels } = bare.node?.metadata.labels ?? {};
    const node = bare.node && { ...bare.node, metadata: { ...bare.node.metadata, labels } };
    const nodes = [{ ...bare, ...(node === undefined ? {} : { node }) }];
    const pinned = aPod('p', { nodeSelector: { 'kubernetes.io/hostname': 'there' } });
    expect(settled(round([pinned], { nodes }))).toEqual(['p']);
  });

  test('keeps room for what is missing of its daemons, and no more when they take more than was expected', () => {
    const daemon = (name: string, cpu: string, nodeName?: string) =>
      aPod(name, { requests: { cpu }, ownerKind: 'DaemonSet', ...(nodeName === undefined ? {} : { nodeName }) });
    const daemonPods = [daemon('a', '1'), daemon('b', '500m')];
    const withDaemons = (...pods: readonly Pod[]) => ({ daemonPods, nodes: [aNode('there', { pods })] });
    // Of four cores the daemons take one and a half, wherever they are.
    const fits = [aPod('p', { requests: { cpu: '2500m' } })];
    const tooMuch = [aPod('p', { requests: { cpu: '2501m' } })];
    for (const around of [withDaemons(), withDaemons(daemon('a-x', '1', 'there'))]) {
      expect(settled(round(fits, around))).toEqual(['p']);
      expect(settled(round(tooMuch, around))).toEqual([]);
    }
    const surprising = withDaemons(daemon('a-x', '1', 'there'), daemon('c-x', '2', 'there'));
    expect(settled(round([aPod('p', { requests: { cpu: 1 } })], surprising))).toEqual(['p']);
    expect(settled(round([aPod('p', { requests: { cpu: '1001m' } })], surprising))).toEqual([]);
  });

  test('takes nobody when its pods ask for more than it has, not even of something else', () => {
    const nodes = [aNode('there', { pods: [aPod('greedy', { nodeName: 'there', requests: { memory: '9Gi' } })] })];
    expect(settled(round([aPod('p', { requests: { cpu: 1 } })], { nodes }))).toEqual([]);
  });
});

describe('of the pods that wait', () => {
  const single = {
    nodes: [],
    nodePools: [
      {
        nodePool: aNodePool('default', { limits: { nodes: '1' } }),
        instanceTypes: [anInstanceType('c4', { pods: 1 })],
      },
    ],
  };
  const created = (pod: Pod, creationTimestamp: string): Pod => ({
    ...pod,
    metadata: { ...pod.metadata, creationTimestamp },
  });
  for (const { fact, pods } of [
    {
      fact: 'the one with the most cpu',
      pods: [aPod('other', { requests: { cpu: 1, memory: '4Gi' } }), aPod('first', { requests: { cpu: 2 } })],
    },
    {
      fact: 'of equal cpu the one with the most memory',
      pods: [
        aPod('other', { requests: { cpu: 1, memory: '1Gi' } }),
        aPod('first', { requests: { cpu: 1, memory: '2Gi' } }),
      ],
    },
    {
      fact: 'of equal size the oldest',
      pods: [created(aPod('a'), '2024-01-02T00:00:00Z'), created(aPod('first'), '2024-01-01T00:00:00Z')],
    },
    {
      fact: 'of equal age the first by uid',
      pods: [aPod('other', { namespace: 'b' }), aPod('first', { namespace: 'a' })],
    },
  ]) {
    test(`${fact} gets the only node`, () => {
      const { newNodes } = schedulePods(round(pods, single));
      expect(newNodes.flatMap((node) => node.pods.map(({ metadata }) => metadata.name))).toEqual(['first']);
    });
  }
});
