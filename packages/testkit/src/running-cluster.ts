import type { NodePool, Pod } from '@nodewright/apis';
import { requirementsIntersect, type Requirements } from '@nodewright/requirements';
import { schedulePods, toResourceList, type NewNode, type NodeState, type SchedulingProblem } from '@nodewright/engine';
import { aNode } from './a-node.ts';

/** What a problem's solution has become once it runs, with everything ready for consolidation. */
export const runningCluster = (problem: SchedulingProblem, chance: (most: number) => number): readonly NodeState[] =>
  schedulePods(problem).newNodes.map((newNode, index) => launchedNode(newNode, `node-${index}`, chance));

/** A new node as EC2 might give it: of any of its types, in any way that it may be bought. */
export function launchedNode(newNode: NewNode, name: string, chance: (most: number) => number): NodeState {
  const { instanceTypes, requirements, nodePool } = newNode;
  const type = instanceTypes[chance(instanceTypes.length)];
  const open =
    type?.offerings.filter((each) => each.available && requirementsIntersect(requirements, each.requirements)) ?? [];
  const offering = open[chance(open.length)];
  if (type === undefined || offering === undefined) throw new Error(`${name} cannot be bought`);
  return aNode(name, {
    nodePool: nodePool.metadata.name,
    zone: offering.zone,
    instanceType: type.name,
    allocatable: toResourceList(type.allocatable),
    taints: nodePool.spec.template.spec.taints ?? [],
    claimConditions: [{ type: 'Consolidatable', status: 'True' }],
    labels: { ...labelsOf(type.requirements, nodePool), ...labelsOf(offering.requirements, nodePool) },
    pods: newNode.pods.map((pod) => boundPod(pod, name)),
  });
}

const labelsOf = (requirements: Requirements, { spec }: NodePool): Readonly<Record<string, string>> => ({
  ...spec.template.metadata?.labels,
  ...Object.fromEntries(
    [...requirements.values()].flatMap(({ key, values }) => (values.size === 1 ? [[key, [...values][0] ?? '']] : [])),
  ),
});

/** The pod as it runs. */
export const boundPod = (pod: Pod, nodeName: string): Pod => ({
  ...pod,
  metadata: {
    ...pod.metadata,
    ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'owner', uid: 'o' }],
  },
  spec: { ...pod.spec, nodeName },
  status: { phase: 'Running' },
});
