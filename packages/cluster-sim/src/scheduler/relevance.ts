import { latestPerObject, type Node, oncePerObject, type Pod } from '@nodewright/apis';
import { isEndedPod } from '../objects/pod-health.ts';
import { usesClaimsOfDevices } from '../devices/claims-of-pod.ts';
import { claimKeysOf } from '../volumes/claims-of-pods.ts';

/** Whether this scheduler has to find a node for the pod. */
export const awaitsNode = (pod: Pod): boolean =>
  pod.spec.nodeName === undefined &&
  pod.metadata.deletionTimestamp === undefined &&
  (pod.spec.schedulerName ?? 'default-scheduler') === 'default-scheduler' &&
  (pod.spec.schedulingGates ?? []).length === 0 &&
  !isEndedPod(pod);

/** The fields of a node that scheduling reads, as text. Heartbeats and conditions do not change it. */
export const scheduledBy: (node: Node) => string = oncePerObject(({ metadata, spec, status }: Node) =>
  JSON.stringify([metadata.labels, spec?.taints, spec?.unschedulable, status?.allocatable]),
);

/** Pods of one class get the same answer in the same cluster. */
export const equivalenceClassOfPod = ({ metadata, spec }: Pod): string => classOfSpec(spec, metadata);

/** Versions of a pod share the objects of its specification and its labels while these stay the same. */
const classOfSpec = latestPerObject(
  (spec: Pod['spec'], metadata: Pod['metadata']) => nameOfClass({ metadata, spec }),
  (before, now) => isClassedAlike(before, now),
);

const isClassedAlike = (a: Pod['metadata'], b: Pod['metadata']): boolean =>
  a === b || (a.labels === b.labels && a.name === b.name && a.namespace === b.namespace);

const nameOfClass = (pod: Pick<Pod, 'metadata' | 'spec'>): string => {
  const { metadata, spec } = pod;
  const { nodeSelector, affinity, tolerations, topologySpreadConstraints, containers, initContainers } = spec;
  return JSON.stringify([
    metadata.namespace,
    metadata.labels,
    [nodeSelector, affinity, tolerations, topologySpreadConstraints, spec.overhead, spec.resources, spec.hostNetwork],
    [spec.priority, spec.preemptionPolicy],
    [...containers, ...(initContainers ?? [])].map(({ ports, resources, restartPolicy }) => [
      ports,
      resources,
      restartPolicy,
    ]),
    claimKeysOf(pod),
    // Claims of devices are different ones for each pod.
    usesClaimsOfDevices(pod) ? metadata.uid : undefined,
  ]);
};

/** Another placed pod can only help a pod with pod affinity or with a topology spread. */
export const isHelpedByPods = ({ spec }: Pod): boolean =>
  spec.affinity?.podAffinity !== undefined || (spec.topologySpreadConstraints ?? []).length > 0;
