import type { Pod } from '@nodewright/apis';
import { hostnameOf, nodeLabelsOf, nodeTaintsOf } from '../cluster/node-state.ts';
import type { NodeState } from '../cluster/node-state.ts';
import { isActivePod } from '../pods/pod-state.ts';
import { requirementsOfLabels } from '../requirements/requirement-set.ts';
import type { SchedulingProblem } from './problem.ts';
import { domainOf } from './topology/topology.ts';
import type { StandingNode, Topology } from './topology/topology.ts';

const nothingUndefined: ReadonlySet<string> = new Set();

/** Rounds and simulations look at the same nodes again and again. */
const known = new WeakMap<NodeState, StandingNode>();

/** An existing node as topology looks at it. */
export function standingNode(state: NodeState): StandingNode {
  let node = known.get(state);
  if (node === undefined) {
    node = {
      requirements: requirementsOfLabels(nodeLabelsOf(state)),
      taints: nodeTaintsOf(state),
      mayBeUndefined: nothingUndefined,
      hostname: hostnameOf(state),
    };
    known.set(state, node);
  }
  return node;
}

/** A pod that runs already and the node it runs on. */
export type RunningPod = { readonly pod: Pod; readonly node: StandingNode };

/** States how pods that run already keep others away, before anything is counted. */
export function declareRunning(running: readonly RunningPod[], topology: Topology): void {
  for (const { pod } of running) topology.declareInverse(pod);
}

/** Counts pods that run already in the domain of their node. */
export function countRunning(running: readonly RunningPod[], topology: Topology): void {
  if (topology.isEmpty) return;
  for (const { pod, node } of running) {
    for (const group of topology.groupsSelecting(pod)) {
      const domain = domainOf(node, group.spec.key);
      if (group.spec.inverse || domain === undefined || !(group.spec.filter?.accepts(node) ?? true)) continue;
      group.record(domain);
    }
    for (const group of topology.declareInverse(pod)) {
      const domain = domainOf(node, group.spec.key);
      if (domain !== undefined) group.record(domain);
    }
  }
}

/** Pods on nodes, those of the batch aside: they are about to move. */
export function runningPods(problem: SchedulingProblem): readonly RunningPod[] {
  const moving = new Set(problem.pods.map(podIdentity));
  const running: RunningPod[] = [];
  for (const state of [...problem.nodes, ...(problem.leavingNodes ?? [])]) {
    if (state.node === undefined) continue;
    const node = standingNode(state);
    for (const pod of state.pods) if (isActivePod(pod) && !moving.has(podIdentity(pod))) running.push({ pod, node });
  }
  return running;
}

const podIdentity = ({ metadata }: Pod): string => metadata.uid ?? `${metadata.namespace}/${metadata.name}`;
