import { kubernetesLabels, type Pod, type Taint, readOwn } from '@nodewright/apis';
import { hostnameOf, nodeAvailableOf, nodeLabelsOf, nodeTaintsOf, type NodeState } from './node-state.ts';
import { isDaemonPod, isMirrorPod } from '../pods/pod-state.ts';
import { podRequests } from '../pods/pod-requests.ts';
import {
  findIncompatibleLabel,
  printRequirement,
  requirementsOfLabels,
  type Incompatibility,
  type Requirements,
} from '@nodewright/requirements';
import { hostPortsOf, printedPort, takenPort } from '../pods/host-ports.ts';
import { printedAmount } from '../instance-types/resources.ts';
import { untoleratedTaint } from '../pods/tolerations.ts';
import { admittedNodes } from '../pods/admitted-nodes.ts';

/** A predicate of the scheduler that keeps a pod off a node. */
export type NodeRefusal = {
  readonly predicate: 'taint' | 'nodeAffinity' | 'volume' | 'resources' | 'hostPorts';
  /** In the words of the scheduler's own event, with the detail that it leaves out: a clause. */
  readonly why: string;
  /** The taint that the pod does not tolerate. */
  readonly taint?: Taint;
};

/**
 * Why a node that is there does not take a pod, whatever other pods are where: its taints, labels, volumes, what it has and
 * which ports are free are looked at. `undefined` when it takes the pod as far as these go.
 * @param volumes what the volumes of the pod ask of the node, one entry for each alternative
 */
export function refusalOfNode(
  pod: Pod,
  state: NodeState,
  volumes: readonly Requirements[] = [],
): NodeRefusal | undefined {
  const labels = requirementsOfLabels({ ...nodeLabelsOf(state), [kubernetesLabels.hostname]: hostnameOf(state) });
  return (
    taintRefusal(pod, state) ??
    labelRefusal(admittedNodes(pod), labels, 'nodeAffinity') ??
    labelRefusal(volumes, labels, 'volume') ??
    resourceRefusal(pod, state) ??
    portRefusal(pod, state)
  );
}

/** The node without the pods that a scheduler has put there: daemons and the node's own stay. */
export const withoutWorkload = (state: NodeState): NodeState => ({
  ...state,
  pods: state.pods.filter((pod) => isDaemonPod(pod) || isMirrorPod(pod)),
});

function taintRefusal({ spec }: Pod, state: NodeState): NodeRefusal | undefined {
  const hard = nodeTaintsOf(state).filter(({ effect }) => effect !== 'PreferNoSchedule');
  const taint = untoleratedTaint(hard, spec.tolerations);
  if (taint === undefined) return undefined;
  const { key, value = '' } = taint;
  return { predicate: 'taint', taint, why: `node(s) had untolerated taint {${key}: ${value}}` };
}

const predicateWords = {
  nodeAffinity: "node(s) didn't match Pod's node affinity/selector",
  volume: 'node(s) had volume node affinity conflict',
} as const;

function labelRefusal(
  alternatives: readonly Requirements[],
  labels: Requirements,
  predicate: keyof typeof predicateWords,
): NodeRefusal | undefined {
  const conflicts = alternatives.map((asked) => ({ asked, conflict: findIncompatibleLabel(labels, asked) }));
  const refused = conflicts.flatMap(({ asked, conflict }) => (conflict === undefined ? [] : [{ asked, conflict }]));
  const last = refused.at(-1);
  if (last === undefined || refused.length < conflicts.length) return undefined;
  return { predicate, why: `${predicateWords[predicate]} (${printedMismatch(last.asked, last.conflict)})` };
}

function printedMismatch(asked: Requirements, conflict: Incompatibility): string {
  if (conflict.kind === 'conflict')
    return `${printRequirement(conflict.incoming)}, the node has ${printRequirement(conflict.base)}`;
  const requirement = asked.get(conflict.key);
  return `${requirement === undefined ? conflict.key : printRequirement(requirement)}, the node does not have the label`;
}

function resourceRefusal(pod: Pod, state: NodeState): NodeRefusal | undefined {
  const available = nodeAvailableOf(state);
  const short = Object.entries(podRequests(pod)).find(
    ([name, amount]) => amount > 0 && amount > (readOwn(available, name) ?? 0),
  );
  if (short === undefined) return undefined;
  const [name, amount] = short;
  const predicate = name === 'pods' ? 'Too many pods' : `Insufficient ${name}`;
  const left = printedAmount(name, Math.max(0, readOwn(available, name) ?? 0));
  return { predicate: 'resources', why: `${predicate} (${printedAmount(name, amount)} of ${left})` };
}

function portRefusal(pod: Pod, { pods }: NodeState): NodeRefusal | undefined {
  const taken = takenPort(hostPortsOf(pod), pods.flatMap(hostPortsOf));
  if (taken === undefined) return undefined;
  return {
    predicate: 'hostPorts',
    why: `node(s) didn't have free ports for the requested pod ports (${printedPort(taken)})`,
  };
}
