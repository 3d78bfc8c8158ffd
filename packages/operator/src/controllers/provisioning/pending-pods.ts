import type { Pod } from '@nodewright/apis';
import { podComplaint, type PodComplaint } from '@nodewright/engine';

export type IgnoredPod = { readonly pod: Pod; readonly complaint: PodComplaint };

/** Pods to find a place for, and pods that are passed over because of what they ask for. */
export type PendingPods = { readonly pending: readonly Pod[]; readonly ignored: readonly IgnoredPod[] };

export function validatedPods(pods: readonly Pod[]): PendingPods {
  const pending: Pod[] = [];
  const ignored: IgnoredPod[] = [];
  for (const pod of pods) {
    const complaint = podComplaint(pod);
    if (complaint === undefined) pending.push(pod);
    else ignored.push({ pod, complaint });
  }
  return { pending, ignored };
}
