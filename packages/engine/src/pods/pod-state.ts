import type { KubernetesObject, Pod } from '@nodewright/apis';

/** `namespace/name`, how pods are named in reasons. */
export const podName = (pod: Pod): string => `${pod.metadata.namespace ?? 'default'}/${pod.metadata.name}`;

const isPodOwnedBy = (object: KubernetesObject, apiVersion: string, kind: string): boolean =>
  object.metadata.ownerReferences?.some((owner) => owner.apiVersion === apiVersion && owner.kind === kind) ?? false;

/** Run by a DaemonSet: stays with its node and comes anew on every other. */
export const isDaemonPod = (pod: Pod): boolean => isPodOwnedBy(pod, 'apps/v1', 'DaemonSet');

/** Run by a kubelet from a file on its node; no API call moves it. */
export const isMirrorPod = (pod: Pod): boolean => isPodOwnedBy(pod, 'v1', 'Node');

/** All its containers have ended for good. */
export const isTerminal = (pod: Pod): boolean => pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';
/** Asked to end, and still holding its place. */
export const isTerminating = (pod: Pod): boolean => pod.metadata.deletionTimestamp !== undefined;
/** Neither ended nor ending. */
export const isActivePod = (pod: Pod): boolean => !isTerminal(pod) && !isTerminating(pod);

/** Whether a pod has no place yet: it is bound to no node, and does not run outside of all nodes as add-ons of a control plane may. */
export const isWaitingForNode = (pod: Pod): boolean =>
  !pod.spec.nodeName && (pod.status?.phase ?? 'Pending') === 'Pending';

/**
 * Whether a pod waits for a node that does not exist yet: found unschedulable, not bound, not
 * waiting for a pre-emption, not ending, and of a kind that a new node would help.
 */
export const isProvisionable = (pod: Pod): boolean =>
  isActivePod(pod) &&
  (pod.status?.conditions?.some(({ type, reason }) => type === 'PodScheduled' && reason === 'Unschedulable') ??
    false) &&
  !pod.spec.nodeName &&
  !pod.status?.nominatedNodeName &&
  !isDaemonPod(pod) &&
  !isMirrorPod(pod);

/**
 * Whether a pod needs a place elsewhere when its node goes: it runs, or it is a StatefulSet's
 * that is ending (its successor takes the same name); daemon and mirror pods stay with their node.
 */
export const isReschedulable = (pod: Pod): boolean =>
  (isActivePod(pod) || (isTerminating(pod) && isPodOwnedBy(pod, 'apps/v1', 'StatefulSet'))) &&
  !isDaemonPod(pod) &&
  !isMirrorPod(pod);
