import type { DaemonSet, Pod } from '@nodewright/apis';
import { isActivePod } from './pod-state.ts';

/**
 * What a DaemonSet would run on another node, by its newest live pod: admission may have made more of the template.
 * @param pods its own
 * @returns `undefined` when none is alive
 */
export function newestDaemonPod(daemonSet: DaemonSet, pods: readonly Pod[]): Pod | undefined {
  const newest = findNewestActivePod(pods);
  return newest === undefined ? undefined : unpinDaemonPod(daemonSet, newest);
}

/** A live pod of a DaemonSet as it would be on any node. */
export function unpinDaemonPod({ spec }: Pick<DaemonSet, 'spec'>, pod: Pod): Pod {
  const template = spec.template.spec.affinity;
  // The DaemonSet controller pins a live pod to its node by matchFields; its template says where pods may run.
  return { ...pod, spec: { ...unpinned(pod), ...(template === undefined ? {} : { affinity: template }) } };
}

function unpinned({ spec }: Pod): Pod['spec'] {
  const { affinity: _, nodeName: __, ...rest } = spec;
  return rest;
}

/** A DaemonSet has a pod on every node, so the cheaper question comes first. */
export function findNewestActivePod(pods: readonly Pod[]): Pod | undefined {
  let newest: Pod | undefined;
  for (const pod of pods) if ((newest === undefined || isNewerPod(pod, newest)) && isActivePod(pod)) newest = pod;
  return newest;
}

/** By the time of creation, and by name when they were created in one second. */
export function isNewerPod(a: Pod, b: Pod): boolean {
  const [one, other] = [a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? ''];
  return one === other ? a.metadata.name < b.metadata.name : one > other;
}
