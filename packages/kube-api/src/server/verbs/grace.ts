import type { Resource } from '../../resources/resource.ts';
import type { ApiObject } from '../../storage/api-object.ts';

type DeletedPod = {
  readonly spec?: { readonly nodeName?: string; readonly terminationGracePeriodSeconds?: number };
  readonly status?: { readonly phase?: string };
};

const defaultPodGraceSeconds = 30;

/**
 * The grace period of a deletion in seconds. Only pods have one, and only when a kubelet has to stop containers: a pod
 * without a node, or with all containers finished, goes at once.
 */
export function graceSecondsOf(resource: Resource, object: ApiObject, asked: number | undefined): number {
  if (resource.collection !== 'pods') return 0;
  const { spec, status } = object as unknown as DeletedPod;
  if ((spec?.nodeName ?? '') === '') return 0;
  if (status?.phase === 'Succeeded' || status?.phase === 'Failed') return 0;
  const seconds = asked ?? spec?.terminationGracePeriodSeconds ?? defaultPodGraceSeconds;
  return seconds < 0 ? 1 : seconds;
}
