import type { DaemonSet, Pod } from '@nodewright/apis';
import { isActivePod } from './pod-state.ts';

/**
 * What a DaemonSet would run on another node, by its newest live pod: admission may have made more of the template.
 * @param pods its own
 * @returns `undefined` when none is alive
 */
export function newestDaemonPod({ spec }: DaemonSet, pods: readonly Pod[]): Pod | undefined {
  const newest = newestOf(pods.filter(isActivePod));
  const template = spec.template.spec.affinity;
  // The DaemonSet controller pins a live pod to its node by matchFields; its template says where pods may run.
  return newest === undefined
    ? undefined
    : { ...newest, spec: { ...unpinned(newest), ...(template === undefined ? {} : { affinity: template }) } };
}

function unpinned({ spec }: Pod): Pod['spec'] {
  const { affinity: _, nodeName: __, ...rest } = spec;
  return rest;
}

const newestOf = (pods: readonly Pod[]): Pod | undefined =>
  pods.reduce<Pod | undefined>(
    (newest, pod) => (newest === undefined || isNewerPod(pod, newest) ? pod : newest),
    undefined,
  );

function isNewerPod(a: Pod, b: Pod): boolean {
  const [one, other] = [a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? ''];
  return one === other ? a.metadata.name < b.metadata.name : one > other;
}
