import {
  conditionOf,
  fromTimestamp,
  isConditionTrue,
  oncePerObject,
  readOwn,
  type Instant,
  type Node,
  type Pod,
} from '@nodewright/apis';
import { checkRolloutLabel, isDaemonPod, isMirrorPod, isTerminal, type RolloutNode } from '@nodewright/engine';
import type { PodEvidence } from '../../state/evidence/pod-evidence.ts';
import type { Objects } from '../../state/objects.ts';

export type HealthSources = {
  readonly objects: Pick<Objects, 'pods'>;
  readonly evidence: Pick<PodEvidence, 'stuckOn'>;
  /** When the kubelet of each node that the control plane has lost last renewed its Lease. */
  readonly renewals: ReadonlyMap<string, Instant>;
  readonly now: Instant;
};

type NodeHealth = Pick<
  RolloutNode,
  'nodeName' | 'ready' | 'readySince' | 'leaseRenewedAt' | 'troubles' | 'pods' | 'readyPods' | 'stuckStarts'
>;

/** What a node says of itself, and its pods. @param key by which evidence knows the node */
export const healthOfRolloutNode = (sources: HealthSources, key: string, node: Node | undefined): NodeHealth => ({
  ...(node === undefined ? {} : { nodeName: node.metadata.name }),
  ...readinessOf(node, sources.now),
  ...renewalOf(node, sources),
  troubles: troublesOf(node),
  ...podsOfNode(sources, key, node),
});

function readinessOf(node: Node | undefined, now: Instant): Pick<RolloutNode, 'ready' | 'readySince'> {
  const ready = node === undefined ? undefined : conditionOf(node, 'Ready');
  const since = ready?.lastTransitionTime;
  return { ready: ready?.status === 'True', readySince: since === undefined ? now : fromTimestamp(since) };
}

/** The control plane has lost the kubelet for a while: only then its Lease was read. */
export const isUnheardOf = (node: Node | undefined): boolean =>
  node !== undefined && conditionOf(node, 'Ready')?.status === 'Unknown';

/** Conditions that are well when they are True; every other one but Ready is trouble then. */
const wellWhenTrue: ReadonlySet<string> = new Set([
  'Ready',
  'ContainerRuntimeReady',
  'NetworkingReady',
  'KernelReady',
  'StorageReady',
  'AcceleratedHardwareReady',
]);

const troublesOf = (node: Node | undefined): readonly string[] =>
  (node?.status?.conditions ?? [])
    .filter(({ type, status }) => type !== 'Ready' && status === (wellWhenTrue.has(type) ? 'False' : 'True'))
    .map(({ type }) => type)
    .toSorted();

function renewalOf(node: Node | undefined, { renewals }: HealthSources): Pick<RolloutNode, 'leaseRenewedAt'> {
  const renewedAt = isUnheardOf(node) ? renewals.get(node?.metadata.name ?? '') : undefined;
  return renewedAt === undefined ? {} : { leaseRenewedAt: renewedAt };
}

function podsOfNode(
  { objects, evidence }: HealthSources,
  key: string,
  node: Node | undefined,
): Pick<RolloutNode, 'pods' | 'readyPods' | 'stuckStarts'> {
  const counts = countWorkload(node === undefined ? noPods : objects.pods.by('node', node.metadata.name));
  const stuckStarts = evidence.stuckOn(key);
  return stuckStarts === undefined ? counts : { ...counts, stuckStarts };
}

const noPods: readonly Pod[] = [];

/** Of nodes that move, too, most have the same pods as when the policy was looked at before. */
const countWorkload = oncePerObject((all: readonly Pod[]): Pick<RolloutNode, 'pods' | 'readyPods'> => {
  const workload = all.filter((pod) => !isDaemonPod(pod) && !isMirrorPod(pod) && !isTerminal(pod) && !isCheckPod(pod));
  return { pods: workload.length, readyPods: workload.filter((pod) => isConditionTrue(pod, 'Ready')).length };
});

/** What a check runs on a new node is no evidence of what the node is there for. */
const isCheckPod = ({ metadata }: Pod): boolean => readOwn(metadata.labels, checkRolloutLabel) !== undefined;
