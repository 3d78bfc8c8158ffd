import {
  earliest,
  fromTimestamp,
  seconds,
  toTimestamp,
  type Instant,
  type NodeClaim,
  type Pod,
} from '@nodewright/apis';
import { eventTimeOf } from './event-time.ts';

const atMostEveryMs = seconds(10);

/**
 * The claim with the time at which one of its pods last came or went; the same claim when that is noted already. What
 * an earlier operator has noted is not noted again, so a restart starts no wait anew. A claim that is leaving is past
 * consolidating, and its own controllers are at work on it.
 */
export function planPodEvent(claim: NodeClaim, pod: Pod, now: Instant): NodeClaim {
  if (claim.metadata.deletionTimestamp !== undefined) return claim;
  const at = earliest(now, eventTimeOf(pod));
  const last = claim.status?.lastPodEventTime;
  if (last !== undefined && at < fromTimestamp(last) + atMostEveryMs) return claim;
  return { ...claim, status: { ...claim.status, lastPodEventTime: toTimestamp(at) } };
}
