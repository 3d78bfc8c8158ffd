import type { NodePool, Pod } from '@nodewright/apis';
import { aNodePool, anInstanceType, aPod, somePods } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { schedulePods } from '../round/schedule.ts';

const team = 'example.com/team';
const web = { app: 'web' };
const blue = aNodePool('blue', { labels: { [team]: 'blue' } });
const open = aNodePool('open', { requirements: [{ key: team, operator: 'Exists' }] });
const reserved = aNodePool('open', {
  requirements: [{ key: team, operator: 'Exists' }],
  taints: [{ key: 'team', effect: 'NoSchedule' }],
});

const spread = somePods(3, 'web', {
  labels: web,
  requests: { cpu: 2 },
  topologySpreadConstraints: [
    { topologyKey: team, maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule', labelSelector: { matchLabels: web } },
  ],
});
const red = aPod('red', { nodeSelector: { [team]: 'red' }, tolerations: [{ operator: 'Exists' }] });

const round = (nodePools: readonly NodePool[], pods: readonly Pod[]) =>
  schedulePods({
    nodePools: nodePools.map((nodePool) => ({ nodePool, instanceTypes: [anInstanceType('c8', { cpu: 8 })] })),
    nodes: [],
    pods,
    daemonPods: [],
    namespaces: [],
    options: { preferencePolicy: 'Respect', minValuesPolicy: 'Strict' },
  });

/** Names of the pods on nodes, by the team that the nodes belong to, and of those left. */
const outcome = ({ newNodes, unschedulable }: ReturnType<typeof round>) => ({
  ...Object.fromEntries(
    newNodes.map(({ requirements, pods }) => [
      [...(requirements.get(team)?.values ?? [])].join(),
      pods.map(({ metadata }) => metadata.name).toSorted(),
    ]),
  ),
  left: unschedulable.map(({ pod }) => pod.metadata.name),
});

test('a spread takes in a domain that another pod of the round opens after its own were placed', () => {
  expect(outcome(round([blue, open], [...spread, red]))).toEqual({
    blue: ['web-1', 'web-3'],
    red: ['red', 'web-2'],
    left: [],
  });
});

test('a domain into which the spread cannot follow is not opened while the spread is being placed', () => {
  expect(outcome(round([blue, reserved], [...spread, red]))).toEqual({
    blue: ['web-1', 'web-2', 'web-3'],
    left: ['red'],
  });
});

test('a spread that may be violated keeps nobody from opening it', () => {
  const loose = spread.map((pod) => ({
    ...pod,
    spec: {
      ...pod.spec,
      topologySpreadConstraints: (pod.spec.topologySpreadConstraints ?? []).map((constraint) => ({
        ...constraint,
        whenUnsatisfiable: 'ScheduleAnyway' as const,
      })),
    },
  }));
  expect(outcome(round([blue, reserved], [...loose, red])).left).toEqual([]);
});
