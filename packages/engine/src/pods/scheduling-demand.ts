import { byTextOf, type Pod } from '@nodewright/apis';
import { printRequirements, type Requirements } from '@nodewright/requirements';
import { podRequests } from './pod-requests.ts';

/** Labels that controllers give each pod, or each run of a job: they tell apart pods that ask for the same. */
const namingLabels: ReadonlySet<string> = new Set([
  'apps.kubernetes.io/pod-index',
  'batch.kubernetes.io/controller-uid',
  'batch.kubernetes.io/job-completion-index',
  'batch.kubernetes.io/job-name',
  'controller-uid',
  'job-name',
  'statefulset.kubernetes.io/pod-name',
]);

/**
 * All that a pod asks of a scheduler and of a node, as text: equal for pods of one workload, and for the pods that replace
 * them, as long as their template stays the same.
 * @param volumes what the volumes of the pod ask of the node
 */
export function schedulingDemand(pod: Pod, volumes: readonly Requirements[] = []): string {
  const { metadata, spec } = pod;
  return JSON.stringify([
    metadata.namespace ?? 'default',
    sortedDemandEntries(metadata.labels).filter(([key]) => !namingLabels.has(key)),
    spec.schedulerName,
    sortedDemandEntries(spec.nodeSelector),
    spec.affinity,
    spec.tolerations,
    spec.topologySpreadConstraints,
    spec.hostNetwork === true,
    spec.containers.flatMap(({ ports }) => ports ?? []),
    sortedDemandEntries(podRequests(pod)),
    volumes.map(printRequirements),
  ]);
}

const sortedDemandEntries = <T>(record: Readonly<Record<string, T>> = {}): readonly (readonly [string, T])[] =>
  Object.entries(record).toSorted(byTextOf(([key]) => key));
