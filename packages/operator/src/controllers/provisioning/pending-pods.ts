import type { Pod } from '@nodewright/apis';
import { podComplaint, volumeComplaint, type PodComplaint, type VolumeFacts } from '@nodewright/engine';

export type IgnoredPod = { readonly pod: Pod; readonly complaint: PodComplaint };

/** Pods to find a place for, and pods that are passed over because of what they ask for. */
export type PendingPods = { readonly pending: readonly Pod[]; readonly ignored: readonly IgnoredPod[] };

export function validatedPods(pods: readonly Pod[], facts: VolumeFacts): PendingPods {
  const pending: Pod[] = [];
  const ignored: IgnoredPod[] = [];
  for (const pod of pods) {
    const complaint = podComplaint(pod) ?? complaintOfVolumes(pod, facts);
    if (complaint === undefined) pending.push(pod);
    else ignored.push({ pod, complaint });
  }
  return { pending, ignored };
}

function complaintOfVolumes(pod: Pod, facts: VolumeFacts): PodComplaint | undefined {
  const message = volumeComplaint(pod, facts);
  return message === undefined ? undefined : { kind: 'invalid', message };
}
