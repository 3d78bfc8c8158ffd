import {
  conditionOf,
  type CSINode,
  type DaemonSet,
  type KubernetesObject,
  type Namespace,
  type Node,
  type NodeClaim,
  type NodePool,
  type Pod,
} from '@nodewright/apis';
import {
  attachLimitsOf,
  isDaemonPod,
  isReschedulable,
  isTerminal,
  nodeNameOf,
  podComplaint,
  podName,
  volumeComplaint,
  type DefaultSpreadConstraint,
  type InstanceType,
  type NodeState,
  type SchedulingOptions,
  type SchedulingProblem,
} from '@nodewright/engine';
import { InputError } from '../../terminal/exit-status.ts';
import { unitsOfBuffersIn, type IdleBuffer } from './buffers.ts';
import { defaultSpreadsIn } from './default-spreads.ts';
import { whyHeldBack } from './held-back.ts';
import { namespacesOfPods } from './namespaces.ts';
import { overlaidSupplies, type IdleOverlay } from './overlays.ts';
import { volumeFactsIn, simulatedVolumes } from './volumes.ts';
import { daemonPodsOf, isWorkload, podsOfWorkload } from './workload-pods.ts';

/** A cluster as manifests describe it, and what is to be placed in it. */
export type ManifestProblem = {
  readonly problem: SchedulingProblem;
  /** Pods that leave the node that is to go, by `namespace/name`. */
  readonly moving: readonly string[];
  /** The node that is to go. */
  readonly removed?: NodeState;
  /** Pods that the controller would not even look at. */
  readonly ignored: readonly { readonly pod: Pod; readonly message: string }[];
  /** NodePools that nothing is launched from now, and why. */
  readonly passedOver: readonly { readonly nodePool: NodePool; readonly message: string }[];
  /** NodeOverlays and CapacityBuffers that change nothing, and why. */
  readonly idle: readonly (IdleOverlay | IdleBuffer)[];
};

export type ManifestQuestion = {
  readonly objects: readonly KubernetesObject[];
  /** Owners of pods that are listed themselves: looked at for what they select. */
  readonly owners?: readonly KubernetesObject[];
  readonly typesOf: (nodePool: NodePool) => readonly InstanceType[];
  readonly options: SchedulingOptions;
  /** How pods that state no spread of their own are spread. */
  readonly defaultSpread?: readonly DefaultSpreadConstraint[];
  /** The feature gates of these names; not told, they are on where a controller has judged such an object. */
  readonly nodeOverlay?: boolean | undefined;
  readonly capacityBuffer?: boolean | undefined;
  /** A node to do without. */
  readonly removeNode?: string;
};

const manifestsOfKind = <T extends KubernetesObject>(
  objects: readonly KubernetesObject[],
  kind: string,
): readonly T[] => objects.filter((object) => object.kind === kind) as unknown as readonly T[];

/**
 * What manifests and a cluster ask of the scheduler: workloads become pods, pods without a node are
 * to be placed, and so are those of a node that is to go.
 * @throws InputError when the node to go is not there
 */
export function manifestProblem(question: ManifestQuestion): ManifestProblem {
  const { objects, owners = [], options, defaultSpread = [], removeNode } = question;
  const supplies = overlaidSupplies(objects, question.typesOf, question.nodeOverlay);
  const buffers = unitsOfBuffersIn([...objects, ...owners], question.capacityBuffer);
  const pods = [
    ...manifestsOfKind<Pod>(objects, 'Pod').map(podInNamespace),
    ...objects.filter(isWorkload).flatMap(podsOfWorkload),
  ].filter((pod) => !isTerminal(pod));
  const nodes = nodeStates(objects, pods);
  const leaving = nodes.filter((state) => nodeNameOf(state) === removeNode);
  if (removeNode !== undefined && leaving.length === 0) throw new InputError(noSuchNode(removeNode, nodes));
  const pools = manifestsOfKind<NodePool>(objects, 'NodePool').map((nodePool) => ({
    nodePool,
    message: poolComplaint(nodePool),
  }));
  const waiting = pods.filter((pod) => !pod.spec.nodeName && !isDaemonPod(pod) && isNotRunning(pod));
  const moving = leaving.flatMap((state) => state.pods.filter(isReschedulable));
  const volumes = volumeFactsIn(objects, pods);
  const judged = waiting.map((pod) => ({
    pod,
    message: whyHeldBack(pod) ?? messageOfPod(pod) ?? volumeComplaint(pod, volumes),
  }));
  return {
    problem: {
      nodePools: pools.flatMap(({ nodePool, message }) =>
        message === undefined ? [{ nodePool, instanceTypes: supplies.typesOf(nodePool) }] : [],
      ),
      passedOver: pools.flatMap(({ nodePool, message }) =>
        message === undefined ? [] : [{ nodePool: nodePool.metadata.name, why: message }],
      ),
      nodes: nodes.filter((state) => !leaving.includes(state)),
      leavingNodes: leaving,
      pods: [
        ...judged.filter(({ message }) => message === undefined).map(({ pod }) => pod),
        ...moving,
        ...buffers.units,
      ],
      afterEquals: new Set(buffers.units),
      daemonPods: manifestsOfKind<DaemonSet>(objects, 'DaemonSet').flatMap((daemonSet) =>
        daemonPodsOf(daemonSet, pods),
      ),
      namespaces: namespacesOfPods(manifestsOfKind<Namespace>(objects, 'Namespace'), pods),
      ...simulatedVolumes(pods, volumes),
      defaultSpread: defaultSpreadsIn([...objects, ...owners], [...pods, ...buffers.units], defaultSpread),
      options,
    },
    moving: moving.map(podName),
    ...(leaving[0] === undefined ? {} : { removed: leaving[0] }),
    passedOver: pools.flatMap(({ nodePool, message }) => (message === undefined ? [] : [{ nodePool, message }])),
    idle: [...supplies.idle, ...buffers.idle],
    ignored: judged.flatMap(({ pod, message }) => (message === undefined ? [] : [{ pod, message }])),
  };
}

/** Why nothing is launched from a pool; a pool of a manifest has no conditions yet and counts as ready. */
function poolComplaint(nodePool: NodePool): string | undefined {
  if (nodePool.metadata.deletionTimestamp !== undefined) return 'it is being deleted';
  if (nodePool.spec.replicas !== undefined) return 'it has a fixed number of nodes';
  const ready = conditionOf(nodePool, 'Ready');
  if (ready === undefined || ready.status === 'True') return undefined;
  return `it is not ready: ${ready.message || ready.reason}`;
}

const podInNamespace = (pod: Pod): Pod => ({
  ...pod,
  metadata: {
    namespace: 'default',
    uid: `${pod.metadata.namespace ?? 'default'}/${pod.metadata.name}`,
    ...pod.metadata,
  },
});

function messageOfPod(pod: Pod): string | undefined {
  const complaint = podComplaint(pod);
  if (complaint === undefined) return undefined;
  return complaint.kind === 'invalid' ? complaint.message : 'it asks for nodes that no NodePool makes';
}

function nodeStates(objects: readonly KubernetesObject[], pods: readonly Pod[]): readonly NodeState[] {
  const nodes = manifestsOfKind<Node>(objects, 'Node');
  const claims = manifestsOfKind<NodeClaim>(objects, 'NodeClaim');
  const csiNodes = manifestsOfKind<CSINode>(objects, 'CSINode');
  const joined = nodes.map((node): NodeState => {
    const nodeClaim = claims.find(
      (claim) => claim.status?.providerID === node.spec?.providerID && node.spec?.providerID,
    );
    const attachLimits = attachLimitsOf(csiNodes.find(({ metadata }) => metadata.name === node.metadata.name));
    return {
      node,
      ...(nodeClaim === undefined ? {} : { nodeClaim }),
      ...(attachLimits === undefined ? {} : { attachLimits }),
      pods: pods.filter(({ spec }) => spec.nodeName === node.metadata.name),
    };
  });
  const known = new Set(joined.map(({ nodeClaim }) => nodeClaim));
  const inFlight = claims.filter((claim) => !known.has(claim) && claim.status?.providerID !== undefined);
  return [...joined, ...inFlight.map((nodeClaim) => ({ nodeClaim, pods: [] }))];
}

const noSuchNode = (name: string, nodes: readonly NodeState[]): string =>
  nodes.length === 0
    ? `there is no node ${name}: no nodes were given; add their manifests or --kubeconfig`
    : `there is no node ${name}; there are ${nodes.map(nodeNameOf).toSorted().slice(0, 10).join(', ')}`;

/** A pod that runs without a node of the cluster, such as the operator inside a sandbox, needs none. */
const isNotRunning = ({ status }: Pod): boolean => (status?.phase ?? 'Pending') === 'Pending';
