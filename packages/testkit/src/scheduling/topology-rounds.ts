import { type Affinity, byNumber, type LabelSelector, type NodePool, type Pod, readOwn } from '@nodewright/apis';
import { nodeLabelsOf, type SchedulingProblem, type SchedulingResult } from '@nodewright/engine';
import { aNode } from '../a-node.ts';
import { aNodePool } from '../a-node-pool.ts';
import { aPod } from '../a-pod.ts';
import { anInstanceType } from '../an-instance-type.ts';
import { aProblem } from './a-problem.ts';

const zone = 'topology.kubernetes.io/zone';
const hostname = 'kubernetes.io/hostname';
const web = { app: 'web' };
const selectsWeb: LabelSelector = { matchLabels: web };

// One pod per node, so that nodes and pods can be counted alike.
const single = [anInstanceType('single', { pods: 1 })];
const roomy = [anInstanceType('roomy', { cpu: 16 })];
const round = (pods: readonly Pod[], more: Partial<SchedulingProblem> = {}): SchedulingProblem => ({
  ...aProblem(pods, single),
  ...more,
});

/** How many pods of the result are in each value of a label, the fewest first. */
function counts({ newNodes, existing }: SchedulingResult, key: string): readonly number[] {
  const byDomain = new Map<string, number>();
  const count = (domain: string, pods: number) => byDomain.set(domain, (byDomain.get(domain) ?? 0) + pods);
  for (const [index, { requirements, pods }] of newNodes.entries()) {
    const values = [...(requirements.get(key)?.values ?? [])];
    count(key === hostname ? `new-${index}` : values.toSorted().join('|'), pods.length);
  }
  for (const { node, pods } of existing) count(readOwn(nodeLabelsOf(node), key) ?? '', pods.length);
  return [...byDomain.values()].toSorted(byNumber);
}

const zonesOf = (...values: string[]): Partial<SchedulingProblem> =>
  from(aNodePool('default', { requirements: [{ key: zone, operator: 'In', values }] }));
const from = (...nodePools: NodePool[]): Partial<SchedulingProblem> => ({
  nodePools: nodePools.map((nodePool) => ({ nodePool, instanceTypes: single })),
});

const running = (
  name: string,
  at: string,
  more: Parameters<typeof aNode>[1] = {},
  pod: Parameters<typeof aPod>[1] = {},
) =>
  aNode(name, {
    zone: at,
    allocatable: { cpu: '4', memory: '8Gi', pods: '1' },
    pods: [aPod(`on-${name}`, { nodeName: name, labels: web, ...pod })],
    ...more,
  });
const required = (kind: 'podAffinity' | 'podAntiAffinity', topologyKey: string, more: object = {}): Affinity => ({
  [kind]: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey, labelSelector: selectsWeb, ...more }] },
});

const onRoomy = { nodePools: [{ nodePool: aNodePool(), instanceTypes: roomy }] };

/** What the tests of topology make their rounds of: pods of an app `web`, and nodes that count like them. */
export const topologyRounds = {
  zone,
  hostname,
  web,
  selectsWeb,
  single,
  roomy,
  round,
  counts,
  zonesOf,
  from,
  running,
  required,
  onRoomy,
};
