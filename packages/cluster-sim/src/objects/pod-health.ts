import { fromTimestamp, instant, type Instant, type Pod } from '@nodewright/apis';
import { isTrue } from './conditions.ts';

/** Neither ended nor on its way out. */
export const isActive = ({ metadata, status }: Pod): boolean =>
  metadata.deletionTimestamp === undefined && status?.phase !== 'Succeeded' && status?.phase !== 'Failed';

export const isReadyWorkloadPod = ({ status }: Pod): boolean => isTrue(status?.conditions, 'Ready');

/** When a ready pod counts, or began to count, as available; never for one that is not ready. */
function availableFrom(pod: Pod, minReadySeconds: number): Instant | undefined {
  const ready = pod.status?.conditions?.find(({ type }) => type === 'Ready');
  if (ready?.status !== 'True') return undefined;
  if (minReadySeconds === 0 || ready.lastTransitionTime === undefined) return instant(0);
  return instant(fromTimestamp(ready.lastTransitionTime) + minReadySeconds * 1000);
}

export function isAvailable(pod: Pod, minReadySeconds: number, now: Instant): boolean {
  const from = availableFrom(pod, minReadySeconds);
  return from !== undefined && from <= now;
}

/** When the next of the ready pods becomes available. */
export function nextAvailable(pods: readonly Pod[], minReadySeconds: number, now: Instant): Instant | undefined {
  const later = pods.flatMap((pod) => availableFrom(pod, minReadySeconds) ?? []).filter((from) => from > now);
  return later.length === 0 ? undefined : instant(Math.min(...later));
}
