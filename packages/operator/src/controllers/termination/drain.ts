import { fromTimestamp, minutes, type Instant, type Pod } from '@nodewright/apis';
import { isActivePod, isDaemonPod, isMirrorPod, isTerminal } from '@nodewright/engine';
import { mustBeForced, toleratesDisruption } from '../eviction/draining.ts';

/** Which pods of a leaving node are asked to go now, and how many it still waits for. */
export type DrainPlan = { readonly evict: readonly Pod[]; readonly waitingFor: readonly Pod[] };

const stuckAfterMs = minutes(1);

/**
 * Pods leave in four tiers, ordinary ones first and critical daemons last; the next tier starts when
 * the one before is gone. Pods whose grace period would outlast the deadline are asked at once. What is on its way out is
 * waited for and not asked again.
 */
export function planDrain(pods: readonly Pod[], deadline: Instant | undefined, now: Instant): DrainPlan {
  const waitingFor = pods.filter((pod) => isDrainable(pod, now));
  const forced = waitingFor.filter((pod) => mustBeForced(pod, deadline, now));
  const graceful = waitingFor.filter((pod) => !forced.includes(pod));
  const firstTier = Math.min(...graceful.map(tierOf));
  const asked = graceful.filter((pod) => tierOf(pod) === firstTier && isActivePod(pod));
  return { waitingFor, evict: [...forced, ...asked] };
}

/** Worth waiting for: it has not finished, does not put up with the disruption taint, and is not stuck. */
export const isDrainable = (pod: Pod, now: Instant): boolean =>
  !isTerminal(pod) && !isMirrorPod(pod) && !toleratesDisruption(pod) && !isStuckTerminating(pod, now);

/** Its kubelet should have ended it a minute ago. */
const isStuckTerminating = ({ metadata }: Pod, now: Instant): boolean =>
  metadata.deletionTimestamp !== undefined && now > fromTimestamp(metadata.deletionTimestamp) + stuckAfterMs;

const critical = new Set(['system-cluster-critical', 'system-node-critical']);

const tierOf = (pod: Pod): number =>
  (critical.has(pod.spec.priorityClassName ?? '') ? 2 : 0) + (isDaemonPod(pod) ? 1 : 0);
