import type { Instant, VolumeAttachment } from '@nodewright/apis';
import { isDrainable } from './drain.ts';
import type { LeavingNode } from './observe.ts';

/**
 * Attachments that have to end before the instance may: those of persistent volumes, except volumes
 * of pods that stay until the end, since those are never detached before it.
 */
export function attachmentsToWaitFor(
  { attachments, pods, volumes }: Pick<LeavingNode, 'attachments' | 'pods' | 'volumes'>,
  now: Instant,
): readonly VolumeAttachment[] {
  const staying = new Set(pods.filter((pod) => !isDrainable(pod, now)).flatMap((pod) => volumes.get(pod) ?? []));
  return attachments.filter(({ spec: { source } }) => {
    const volume = source.persistentVolumeName;
    return volume !== undefined && !staying.has(volume);
  });
}
