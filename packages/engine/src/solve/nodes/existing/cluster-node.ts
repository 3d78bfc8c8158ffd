import {
  byText,
  kubernetesLabels,
  latestPerItem,
  latestPerObject,
  oncePerObject,
  type Pod,
  type PodSpec,
  readOwn,
  type Taint,
  writeOwn,
} from '@nodewright/apis';
import {
  hostnameOf,
  isInitialized,
  isMarkedForDeletion,
  nodeAvailableOf,
  nodeLabelsOf,
  nodeNameOf,
  nodeTaintsOf,
  type NodeState,
} from '../../../cluster/node-state.ts';
import type { RequestReader } from '../../../pods/request-reader.ts';
import { isDaemonPod, isTerminal, podName } from '../../../pods/pod-state.ts';
import { isCompatible, requirementsOfLabels, type Requirements } from '@nodewright/requirements';
import type { AttachedVolume } from '../../../volumes/attached-volumes.ts';
import { daemonOverheadOf, toleratesTaints } from '../../types/daemon-overhead.ts';
import { hostPortsOf, type PodHostPort } from '../../../pods/host-ports.ts';
import type { Resources } from '../../../instance-types/instance-type.ts';
import { subtractResources, sumOfResources } from '../../../instance-types/resources.ts';
import { admittedNodes } from '../../../pods/admitted-nodes.ts';
import type { TopologyCandidate } from '../../topology/node-filter.ts';

/** An existing or in-flight node before the round places pods on it. */
export type ClusterNode = TopologyCandidate & {
  readonly state: NodeState;
  readonly name: string;
  readonly hostname: string;
  readonly initialized: boolean;
  /** Marked for deletion. */
  readonly leaving: boolean;
  /** What is left for pods when all expected daemons run. */
  readonly available: Resources;
  readonly hostPorts: readonly PodHostPort[];
  readonly attached: readonly AttachedVolume[];
};

/** What the reading of a node depends on beside its state. */
export type NodeSurroundings = {
  readonly daemonPods: readonly Pod[];
  readonly attachedVolumes?: ReadonlyMap<string, readonly AttachedVolume[]>;
};

/** A daemon and what each alternative of its node affinity requires. */
type DaemonDemand = { readonly pod: Pod; readonly asked: readonly Requirements[] };

const noUndefinedLabels: ReadonlySet<string> = new Set();

/** What nodes are read with. `daemons` and `reader` follow from the list of daemon pods and from the pods. */
type NodeReading = {
  readonly daemonPods: readonly Pod[];
  readonly daemons: readonly DaemonDemand[];
  readonly reader: RequestReader;
};

/** Reads nodes. The demands of daemons are parsed once for all nodes. */
export function clusterNodes(
  states: readonly NodeState[],
  { daemonPods, attachedVolumes }: NodeSurroundings,
  reader: RequestReader,
): readonly ClusterNode[] {
  const daemons = daemonPods.map((pod) => ({ pod, asked: admittedNodes(pod) }));
  const nodes = latestClusterNodes(states, { daemonPods, daemons, reader });
  if (attachedVolumes === undefined || attachedVolumes.size === 0) return nodes;
  return nodes.map((node) => {
    const attached = attachedTo(node.state, attachedVolumes);
    return attached.length === 0 ? node : { ...node, attached };
  });
}

const noVolumes: readonly AttachedVolume[] = [];

/** A node without the volumes of its pods, which change by themselves. The next round mostly asks with the same daemons. */
const latestClusterNodes = latestPerItem(readClusterNode, (before, now) => before.daemonPods === now.daemonPods);

function readClusterNode(state: NodeState, { daemons, reader }: NodeReading): ClusterNode {
  const hostname = hostnameOf(state);
  const labels = nodeLabelsOf(state);
  const requirements = requirementsOnHost(labels, hostname);
  const taints = nodeTaintsOf(state);
  return {
    state,
    name: nodeNameOf(state),
    hostname,
    initialized: isInitialized(state),
    leaving: isMarkedForDeletion(state),
    taints,
    requirements,
    mayBeUndefined: noUndefinedLabels,
    available: availableBesideDaemons(state, expectedOn({ requirements, taints }, daemons), reader),
    hostPorts: state.pods.flatMap((pod) => (isTerminal(pod) ? [] : hostPortsInUse(pod.spec))),
    attached: noVolumes,
  };
}

/** The status of a pod that runs changes often, and its spec hardly ever. */
const hostPortsInUse = oncePerObject((spec: PodSpec): readonly PodHostPort[] => hostPortsOf({ spec }));

/** The labels of a node stay the same object while the rest of it changes. */
const requirementsOnHost = latestPerObject(
  (labels: Readonly<Record<string, string>>, hostname: string): Requirements =>
    requirementsOfLabels({ ...labels, [kubernetesLabels.hostname]: hostname }),
  (before, now) => before === now,
);

/** Daemons that will run on a node: they tolerate its taints, and its labels admit them. */
const expectedOn = (
  { requirements, taints }: { readonly requirements: Requirements; readonly taints: readonly Taint[] },
  daemons: readonly DaemonDemand[],
): readonly Pod[] =>
  daemons
    .filter(({ pod, asked }) => toleratesTaints(pod, taints) && asked.some((each) => isCompatible(requirements, each)))
    .map(({ pod }) => pod);

function availableBesideDaemons(state: NodeState, expected: readonly Pod[], reader: RequestReader): Resources {
  const available = nodeAvailableOf(state, (pod) => reader.read(pod));
  if (expected.length === 0) return available;
  const daemons = state.pods.filter((pod) => isDaemonPod(pod) && !isTerminal(pod));
  const running = sumOfResources(daemons.map((pod) => reader.read(pod)));
  const missing: Record<string, number> = {};
  const wanted = daemonOverheadOf(expected).requests;
  for (const name in wanted) {
    const amount = (readOwn(wanted, name) ?? 0) - (readOwn(running, name) ?? 0);
    if (amount > 0) writeOwn(missing, name, amount);
  }
  return subtractResources(available, missing);
}

const attachedTo = (
  { pods }: NodeState,
  attached: NonNullable<NodeSurroundings['attachedVolumes']>,
): readonly AttachedVolume[] => pods.flatMap((pod) => (isTerminal(pod) ? [] : (attached.get(podName(pod)) ?? [])));

/** Initialized nodes first, then by name. */
export const byReadiness = (a: ClusterNode, b: ClusterNode): number =>
  Number(b.initialized) - Number(a.initialized) || byText(a.name, b.name);
