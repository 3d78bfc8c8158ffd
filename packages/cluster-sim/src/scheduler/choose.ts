import type { Pod } from '@nodewright/apis';
import type { SchedulerNode } from './cluster.ts';
import type { SchedulerDevices } from './devices.ts';
import { explainRefusals, firstRefusal, type SchedulerFilter } from './filters/filter.ts';
import { filtersOfNode } from './filters/of-node.ts';
import {
  affinityFilter,
  antiAffinityFilter,
  existingAntiAffinityFilter,
  type AffinitySurroundings,
} from './filters/pod-affinity.ts';
import { spreadFilter } from './filters/topology-spread.ts';
import { onlyNodeFor } from '../placement/node-selection.ts';
import type { NodeRankings } from './node-rankings.ts';
import { bestNode } from './score.ts';
import type { SchedulingChoice } from './scheduling-choice.ts';
import type { SchedulerVolumes } from './storage.ts';

/** What the filters look at beside the node itself. */
export type SchedulingSurroundings = AffinitySurroundings & {
  readonly storage?: SchedulerVolumes;
  readonly devices?: SchedulerDevices;
  /** The nodes in the order in which pods take them, for pods to which only the node matters. */
  readonly rankings?: NodeRankings;
};

/** Chooses the best of the nodes that pass every filter, or says why no node passes. */
export function chooseNode(pod: Pod, around: SchedulingSurroundings): SchedulingChoice {
  const only = onlyNodeFor(pod);
  if (only !== undefined && passesFilters(pod, only, around)) return { kind: 'node', name: only };
  return around.rankings?.choose(pod) ?? chooseAmongAll(pod, around);
}

/** Why no node at all can take the pod now. */
const refusalOfAll = (pod: Pod, { storage, devices }: SchedulingSurroundings): string | undefined =>
  storage?.refusal(pod) ?? devices?.refusal(pod);

function chooseAmongAll(pod: Pod, around: SchedulingSurroundings): SchedulingChoice {
  const nodes = around.cluster.nodes();
  const refusal = nodes.length === 0 ? undefined : refusalOfAll(pod, around);
  if (refusal !== undefined)
    return { kind: 'unschedulable', message: `0/${nodes.length} nodes are available: ${refusal}.` };
  const filters = filtersFor(pod, around);
  const refusals = new Map<string, number>();
  const suitable: SchedulerNode[] = [];
  for (const state of nodes) {
    const reasons = firstRefusal(state, filters);
    if (reasons.length === 0) suitable.push(state);
    for (const reason of reasons) refusals.set(reason, (refusals.get(reason) ?? 0) + 1);
  }
  const name = bestNode(pod, suitable);
  if (name !== undefined) return { kind: 'node', name };
  return { kind: 'unschedulable', message: explainRefusals(refusals, nodes.length) };
}

/** In the order of kube-scheduler. The first filter that refuses a node names the reason. */
function filtersFor(pod: Pod, around: SchedulingSurroundings): readonly SchedulerFilter[] {
  return [
    ...filtersOfNode(pod),
    ...(around.storage === undefined ? [] : [around.storage.filter(pod)]),
    ...(around.devices === undefined ? [] : [around.devices.filter(pod)]),
    spreadFilter(pod, around.cluster),
    existingAntiAffinityFilter(pod, around),
    affinityFilter(pod, around),
    antiAffinityFilter(pod, around),
  ];
}

/** Whether a node by itself has room for a pod. Affinity to other pods and topology spread are not checked. */
export const admitsPod = (state: SchedulerNode, pod: Pod): boolean =>
  firstRefusal(state, filtersOfNode(pod)).length === 0;

/** Whether a pod may go on a node as things are. */
export function passesFilters(pod: Pod, nodeName: string, around: SchedulingSurroundings): boolean {
  const state = around.cluster.node(nodeName);
  return (
    state !== undefined &&
    refusalOfAll(pod, around) === undefined &&
    firstRefusal(state, filtersFor(pod, around)).length === 0
  );
}
