import {
  earliest,
  fromTimestamp,
  seconds,
  toTimestamp,
  type Instant,
  type NodeClaim,
  type Pod,
} from '@nodewright/apis';
import { isDaemonPod } from '@nodewright/engine';
import { parseKey, settled, type Clock, type Reconciler } from '@nodewright/runtime';
import { findClaimOfNode } from '../../state/node-identity.ts';
import type { Objects } from '../../state/objects.ts';
import { eventTimeOf } from './event-time.ts';

type PodEventDeps = { readonly objects: Objects; readonly clock: Clock };

const atMostEveryMs = seconds(10);

/**
 * `nodeclaim.podevents`: notes on a claim when a pod last came or went; `consolidateAfter` counts from there. Keys are
 * pods. What an earlier operator has noted already is not noted again, so a restart starts no wait anew.
 */
export function podEventReconciler({ objects, clock }: PodEventDeps): Reconciler {
  return async (key) => {
    const { name, namespace } = parseKey(key);
    const pod = objects.pods.get(name, namespace);
    if (pod === undefined || isDaemonPod(pod)) return settled;
    const claim = claimBehind(objects, pod);
    const at = earliest(clock.now(), eventTimeOf(pod));
    if (claim === undefined || isNoted(claim, at)) return settled;
    const status = { ...claim.status, lastPodEventTime: toTimestamp(at) };
    await objects.nodeClaims.save(claim, { ...claim, status });
    return settled;
  };
}

/** The claim of the pod's node. One that is leaving is past consolidating, and its own controllers are at work on it. */
function claimBehind(objects: Objects, { spec }: Pod): NodeClaim | undefined {
  const node = objects.nodes.get(spec.nodeName ?? '');
  const claim = node && findClaimOfNode(objects, node);
  return claim?.metadata.deletionTimestamp === undefined ? claim : undefined;
}

function isNoted({ status }: NodeClaim, at: Instant): boolean {
  const last = status?.lastPodEventTime;
  return last !== undefined && at < fromTimestamp(last) + atMostEveryMs;
}
