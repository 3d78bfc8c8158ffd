import {
  conditionOf,
  type Instant,
  isConditionTrue,
  karpenterLabels,
  knownEphemeralTaints,
  kubernetesLabels,
  latestPerObject,
  type Node,
  type NodeClaim,
  oncePerObject,
  type Pod,
  readinessTaintPrefix,
  readOwn,
  type ResourceList,
  type Taint,
  writeOwn,
} from '@nodewright/apis';
import { podRequests } from '../pods/pod-requests.ts';
import { isTerminal } from '../pods/pod-state.ts';
import type { Resources } from '../instance-types/instance-type.ts';
import { resourcesOf } from '../instance-types/resources.ts';

/** One machine as the cluster knows it: its Node, its NodeClaim, or both, and the pods bound to it. */
export type NodeState = {
  readonly node?: Node;
  /** Absent: not managed by us. */
  readonly nodeClaim?: NodeClaim;
  readonly pods: readonly Pod[];
  /** How many volumes it may have attached, by CSI driver; a driver that is not listed has no limit. */
  readonly attachLimits?: ReadonlyMap<string, number>;
  /** Pods were promised to it until then. */
  readonly nominatedUntil?: Instant;
  /** How many units of capacity buffers the last scheduling round found room for on it. */
  readonly bufferPods?: number;
  /** Decided to go, though nothing in the API says so yet. */
  readonly markedForDeletion?: boolean;
};

/** A kubelet may put such a label on its own Node: the label does not count while the claim denies what it says. */
function isConfirmedByLabel({ node, nodeClaim }: NodeState, label: string, condition: string): boolean {
  const told = nodeClaim === undefined ? undefined : conditionOf(nodeClaim, condition);
  return readOwn(node?.metadata.labels, label) === 'true' && (told === undefined || told.status === 'True');
}

/** Whether a NodeClaim stands behind the machine. */
export const isManagedNode = (state: NodeState): boolean => state.nodeClaim !== undefined;
/** Whether its Node has joined and been accepted; always true of unmanaged machines. */
export const isRegistered = (state: NodeState): boolean => stageOfNode(state).isRegistered;
/** Whether it is ready for pods for the first time; always true of unmanaged machines. */
export const isInitialized = (state: NodeState): boolean => stageOfNode(state).isInitialized;

/** Every pass asks for several of these about every node, so they are read together. */
const stageOfNode = oncePerObject((state: NodeState) => ({
  isRegistered: !isManagedNode(state) || isConfirmedByLabel(state, karpenterLabels.registered, 'Registered'),
  isInitialized: !isManagedNode(state) || isConfirmedByLabel(state, karpenterLabels.initialized, 'Initialized'),
  isMarkedForDeletion: (state.markedForDeletion ?? false) || isNodeLeaving(state),
}));

/** The Node's metadata once it is registered, the claim's before. */
const metadataOfState = (state: NodeState) =>
  (state.node !== undefined && isRegistered(state) ? state.node : (state.nodeClaim ?? state.node))?.metadata;

/** The Node's name, or the claim's while there is no registered Node. */
export const nodeNameOf = (state: NodeState): string => metadataOfState(state)?.name ?? '';
/** The Node's labels once it is registered, the claim's before. */
export const nodeLabelsOf = (state: NodeState): Readonly<Record<string, string>> =>
  metadataOfState(state)?.labels ?? {};
/** The Node's annotations once it is registered, the claim's before. */
export const nodeAnnotationsOf = (state: NodeState): Readonly<Record<string, string>> =>
  metadataOfState(state)?.annotations ?? {};
/** The NodePool that launched it, by its claim: a label on the Node alone puts no machine into a pool. */
export const nodePoolNameOf = ({ nodeClaim }: NodeState): string | undefined =>
  nodeClaim?.metadata.labels?.[karpenterLabels.nodePool];
/** Labels that say what was bought: those of the claim, which no kubelet can change. Without a claim, those of the Node. */
export const boughtLabelsOf = ({ nodeClaim, node }: NodeState): Readonly<Record<string, string>> =>
  (nodeClaim ?? node)?.metadata.labels ?? {};
/** What the scheduler takes for its host name: the label, or its name. */
export const hostnameOf = (state: NodeState): string =>
  nodeLabelsOf(state)[kubernetesLabels.hostname] ?? nodeNameOf(state);

/**
 * Taints that a pod has to tolerate. Those that go away by themselves while a node starts do not count until it is
 * initialized. A cordoned node counts as tainted before its taint has come.
 */
export function nodeTaintsOf(state: NodeState): readonly Taint[] {
  const taints = (isRegistered(state) ? taintsOfNode(state.node) : state.nodeClaim?.spec.taints) ?? [];
  if (isInitialized(state)) return taints;
  const startup = state.nodeClaim?.spec.startupTaints ?? [];
  return taints.filter(
    (taint) => !isEphemeralTaint(taint) && !startup.some((other) => isTaintOfSameKeyAndEffect(other, taint)),
  );
}

const unschedulableTaint: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

function taintsOfNode(node: Node | undefined): readonly Taint[] | undefined {
  const { taints = [], unschedulable } = node?.spec ?? {};
  return unschedulable !== true || taints.some((taint) => isTaintOfSameKeyAndEffect(taint, unschedulableTaint))
    ? taints
    : [...taints, unschedulableTaint];
}

/** Taints are told apart by key and effect; their value does not matter. */
const isTaintOfSameKeyAndEffect = (a: Taint, b: Taint): boolean => a.key === b.key && a.effect === b.effect;

/** Whether a taint goes away by itself while a node starts. */
export const isEphemeralTaint = (taint: Taint): boolean =>
  taint.key.startsWith(readinessTaintPrefix) ||
  knownEphemeralTaints.some((known) => isTaintOfSameKeyAndEffect(known, taint));

/** What the machine has, always with one of `nodes`. Before initialization the claim's figures fill what the Node does not report. */
export const nodeCapacityOf = oncePerObject((state: NodeState): Resources =>
  withOneNode(reportedResources(state, 'capacity')),
);

/** A node that is initialized reports the same list for as long as it lives. */
const withOneNode = oncePerObject((reported: Resources): Resources => ({ ...reported, nodes: 1 }));

/** What pods may use in all. */
export const nodeAllocatableOf = oncePerObject((state: NodeState): Resources =>
  reportedResources(state, 'allocatable'),
);

function reportedResources(state: NodeState, field: 'capacity' | 'allocatable'): Resources {
  const onNode = resourcesOf(state.node?.status?.[field]);
  return isInitialized(state) ? onNode : filledFromClaim(onNode, state.nodeClaim?.status?.[field]);
}

function filledFromClaim(reported: Resources, promised: ResourceList | undefined): Resources {
  const nonZero = Object.entries(reported).filter(([, amount]) => amount !== 0);
  return { ...reported, ...resourcesOf(promised), ...Object.fromEntries(nonZero) };
}

/**
 * What is left for further pods. Pods that are ending still hold their part.
 * @param requestsOf reads what a pod takes, to the same result as `podRequests`
 */
export const nodeAvailableOf = (state: NodeState, requestsOf: (pod: Pod) => Resources = podRequests): Resources =>
  latestAvailable(state, requestsOf);

/** Every reader of requests comes to the same result, so the first result of a state stays. */
const latestAvailable = latestPerObject(availableOn, () => true);

function availableOn(state: NodeState, requestsOf: (pod: Pod) => Resources): Resources {
  const available: Record<string, number> = { ...nodeAllocatableOf(state) };
  for (const pod of state.pods) {
    if (isTerminal(pod)) continue;
    const requests = requestsOf(pod);
    for (const name in requests)
      writeOwn(available, name, (readOwn(available, name) ?? 0) - (readOwn(requests, name) ?? 0));
  }
  return available;
}

/** Whether the machine is on its way out, as far as the API says. */
export function isNodeLeaving(state: NodeState): boolean {
  const { nodeClaim, node } = state;
  if (nodeClaim === undefined) return node?.metadata.deletionTimestamp !== undefined;
  return nodeClaim.metadata.deletionTimestamp !== undefined || isConditionTrue(nodeClaim, 'InstanceTerminating');
}

/** Leaving, or decided to leave: takes no pods, and its own have to go elsewhere. */
export const isMarkedForDeletion = (state: NodeState): boolean => stageOfNode(state).isMarkedForDeletion;

/** Whether pods are on their way to it, as far as was promised. */
export const isNominated = (state: NodeState, now: Instant): boolean => (state.nominatedUntil ?? -Infinity) > now;
