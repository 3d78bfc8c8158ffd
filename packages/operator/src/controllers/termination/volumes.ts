import type { Instant, VolumeAttachment } from '@nodewright/apis';
import { isDrainable } from './drain.ts';
import type { LeavingNode } from './observe.ts';

/**
 * Attachments that have to end before the instance may: those of a persistent volume, unless a pod
 * that will not be drained still uses volumes here.
 *
 * Which volume belongs to which claim of a pod needs PersistentVolumeClaims; until those are watched,
 * a node with undrainable pods that use claims waits for none.
 */
export function attachmentsToWaitFor({ attachments, pods }: LeavingNode, now: Instant): readonly VolumeAttachment[] {
  const isHeldByStayingPod = pods.some((pod) => !isDrainable(pod, now) && usesClaims(pod.spec.volumes ?? []));
  if (isHeldByStayingPod) return [];
  return attachments.filter(({ spec }) => spec.source.persistentVolumeName !== undefined);
}

const usesClaims = (volumes: readonly { readonly persistentVolumeClaim?: unknown }[]): boolean =>
  volumes.some(({ persistentVolumeClaim }) => persistentVolumeClaim !== undefined);
