import type { Node, Pod } from '@nodewright/apis';
import { claimKeysOf } from '../volumes/claims-of-pods.ts';

/** A pod that this scheduler has to find a node for. */
export const awaitsNode = ({ metadata, spec, status }: Pod): boolean =>
  spec.nodeName === undefined &&
  metadata.deletionTimestamp === undefined &&
  (spec.schedulerName ?? 'default-scheduler') === 'default-scheduler' &&
  (spec.schedulingGates ?? []).length === 0 &&
  !hasEnded(status?.phase);

/** A pod that takes room on its node. */
export const takesRoom = ({ spec, status }: Pod): boolean => spec.nodeName !== undefined && !hasEnded(status?.phase);

const hasEnded = (phase: string | undefined): boolean => phase === 'Succeeded' || phase === 'Failed';

/** What of a node scheduling reads: heartbeats and conditions are not among it. */
export const scheduledBy = ({ metadata, spec, status }: Node): string =>
  JSON.stringify([metadata.labels, spec?.taints, spec?.unschedulable, status?.allocatable]);

const classes = new WeakMap<Pod, string>();

/** Pods that are equal here meet the same answer in the same cluster. */
export function classOf(pod: Pod): string {
  const name = classes.get(pod) ?? nameOfClass(pod);
  classes.set(pod, name);
  return name;
}

/** Asks a question about one pod of each class. */
export function oncePerClass(question: (pod: Pod) => boolean): (pod: Pod) => boolean {
  const answers = new Map<string, boolean>();
  return (pod) => {
    const name = classOf(pod);
    const answer = answers.get(name) ?? question(pod);
    answers.set(name, answer);
    return answer;
  };
}

const nameOfClass = (pod: Pod): string => {
  const { metadata, spec } = pod;
  const { nodeSelector, affinity, tolerations, topologySpreadConstraints, containers, initContainers } = spec;
  return JSON.stringify([
    metadata.namespace,
    metadata.labels,
    [nodeSelector, affinity, tolerations, topologySpreadConstraints, spec.overhead, spec.resources, spec.hostNetwork],
    [...containers, ...(initContainers ?? [])].map(({ ports, resources, restartPolicy }) => [
      ports,
      resources,
      restartPolicy,
    ]),
    claimKeysOf(pod),
  ]);
};

/** Placing another pod can only help one that wants company, or whose spread was out of balance. */
export const isHelpedByPods = ({ spec }: Pod): boolean =>
  spec.affinity?.podAffinity !== undefined || (spec.topologySpreadConstraints ?? []).length > 0;
