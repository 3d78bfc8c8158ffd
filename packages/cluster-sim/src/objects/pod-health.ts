import { earliest, fromTimestamp, instant, type Instant, type Pod, seconds } from '@nodewright/apis';
import type { IndexBy } from '@nodewright/runtime';
import { isTrue } from './conditions.ts';

/** Every container has ended and none will start again. */
export const isEndedPod = ({ status }: Pod): boolean => status?.phase === 'Succeeded' || status?.phase === 'Failed';

/** The pod has not ended, and is not being deleted. */
export const isActive = (pod: Pod): boolean => pod.metadata.deletionTimestamp === undefined && !isEndedPod(pod);

/** The pod holds room on a node. */
export const takesRoom = (pod: Pod): boolean => pod.spec.nodeName !== undefined && !isEndedPod(pod);

/** Pods by the name of their node. */
export const indexByNode: IndexBy<Pod> = ({ spec }) => (spec.nodeName === undefined ? [] : [spec.nodeName]);

export const isReadyWorkloadPod = ({ status }: Pod): boolean => isTrue(status?.conditions, 'Ready');

/** Since when the pod is ready: a text, which is empty when the pod does not tell; none when it is not ready. */
export function readySince({ status }: Pod): string | undefined {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  return ready?.status === 'True' ? (ready.lastTransitionTime ?? '') : undefined;
}

/** When a ready pod counts, or began to count, as available; never for one that is not ready. */
function availableFrom(pod: Pod, minReadySeconds: number): Instant | undefined {
  const since = readySince(pod);
  if (since === undefined) return undefined;
  if (minReadySeconds === 0 || since === '') return instant(0);
  return instant(fromTimestamp(since) + seconds(minReadySeconds));
}

export function isAvailable(pod: Pod, minReadySeconds: number, now: Instant): boolean {
  const from = availableFrom(pod, minReadySeconds);
  return from !== undefined && from <= now;
}

/** When the next of the ready pods becomes available. */
export function nextAvailable(pods: readonly Pod[], minReadySeconds: number, now: Instant): Instant | undefined {
  return earliest(...pods.flatMap((pod) => availableFrom(pod, minReadySeconds) ?? []).filter((from) => from > now));
}
