import type { Pod } from '@nodewright/apis';
import { hostnameOf, nodeLabelsOf, nodeTaintsOf } from '../cluster/node-state.ts';
import type { NodeState } from '../cluster/node-state.ts';
import { isActivePod } from '../pods/pod-state.ts';
import { requirementsOfLabels } from '../requirements/requirement-set.ts';
import type { SchedulingProblem } from './problem.ts';
import { domainOf } from './topology/topology.ts';
import type { StandingNode, Topology } from './topology/topology.ts';

const nothingUndefined: ReadonlySet<string> = new Set();

/** An existing node as topology looks at it. */
export const standingNode = (state: NodeState): StandingNode => ({
  requirements: requirementsOfLabels(nodeLabelsOf(state)),
  taints: nodeTaintsOf(state),
  mayBeUndefined: nothingUndefined,
  hostname: hostnameOf(state),
});

/** States how pods that run already keep others away, before anything is counted. */
export function declareRunning(problem: SchedulingProblem, topology: Topology): void {
  for (const { pod } of runningPods(problem)) topology.declareInverse(pod);
}

/** Counts pods that run already in the domain of their node. Pods of the batch are not counted: they are about to move. */
export function countRunning(problem: SchedulingProblem, topology: Topology): void {
  for (const { pod, node } of runningPods(problem)) {
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

function runningPods(problem: SchedulingProblem): readonly { readonly pod: Pod; readonly node: StandingNode }[] {
  const moving = new Set(problem.pods.map(podIdentity));
  return [...problem.nodes, ...(problem.leavingNodes ?? [])].flatMap((state) => {
    if (state.node === undefined) return [];
    const node = standingNode(state);
    return state.pods.filter((pod) => isActivePod(pod) && !moving.has(podIdentity(pod))).map((pod) => ({ pod, node }));
  });
}

const podIdentity = ({ metadata }: Pod): string => metadata.uid ?? `${metadata.namespace}/${metadata.name}`;
