import { fromTimestamp, toTimestamp, type Instant, type NodeClaim, type Pod } from '@nodewright/apis';
import { isDaemonPod } from '@nodewright/engine';
import { parseKey, settled, type Clock, type Reconciler } from '@nodewright/runtime';
import type { Objects } from '../../state/objects.ts';

type PodEventDeps = { readonly objects: Objects; readonly clock: Clock };

const atMostEveryMs = 10_000;

/** `nodeclaim.podevents`: notes on a claim when a pod last came or went; `consolidateAfter` counts from there. Keys are pods. */
export function podEventReconciler({ objects, clock }: PodEventDeps): Reconciler {
  return async (key) => {
    const { name, namespace } = parseKey(key);
    const pod = objects.pods.get(name, namespace);
    const claim = pod === undefined || isDaemonPod(pod) ? undefined : claimBehind(objects, pod);
    const now = clock.now();
    if (claim === undefined || isFresh(claim, now)) return settled;
    const status = { ...claim.status, lastPodEventTime: toTimestamp(now) };
    await objects.nodeClaims.save(claim, { ...claim, status });
    return settled;
  };
}

/** The claim of the pod's node. One that is leaving is past consolidating, and its own controllers are at work on it. */
function claimBehind(objects: Objects, { spec }: Pod): NodeClaim | undefined {
  const providerId = objects.nodes.get(spec.nodeName ?? '')?.spec?.providerID ?? '';
  const claim = providerId === '' ? undefined : objects.nodeClaims.by('providerId', providerId)[0];
  return claim?.metadata.deletionTimestamp === undefined ? claim : undefined;
}

function isFresh({ status }: NodeClaim, now: Instant): boolean {
  const last = status?.lastPodEventTime;
  return last !== undefined && now < fromTimestamp(last) + atMostEveryMs;
}
