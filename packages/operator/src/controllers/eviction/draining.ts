import {
  disruptedTaint,
  fromTimestamp,
  karpenterAnnotations,
  seconds,
  type Instant,
  type NodeClaim,
  type Pod,
} from '@nodewright/apis';
import { toleratesAll } from '@nodewright/engine';

/** Such a pod stays on a node that drains. */
export const toleratesDisruption = (pod: Pod): boolean => toleratesAll([disruptedTaint], pod.spec.tolerations);

/** Whether eviction would leave the pod less than its grace period before the deadline. */
export function mustBeForced(pod: Pod, deadline: Instant | undefined, now: Instant): boolean {
  if (deadline === undefined) return false;
  const { deletionTimestamp } = pod.metadata;
  if (deletionTimestamp !== undefined) return fromTimestamp(deletionTimestamp) > deadline;
  return now > deadline - seconds(pod.spec.terminationGracePeriodSeconds ?? defaultGraceSeconds);
}

const defaultGraceSeconds = 30;

/**
 * When the drain of a claim's node is forced.
 * @throws when the annotation is no instant: draining without the deadline it was meant to set would be worse
 */
export function terminationDeadlineOf(claim: NodeClaim | undefined): Instant | undefined {
  const text = claim?.metadata.annotations?.[karpenterAnnotations.terminationTimestamp];
  if (text === undefined) return undefined;
  const deadline = fromTimestamp(text);
  if (Number.isNaN(deadline)) {
    throw new Error(`${karpenterAnnotations.terminationTimestamp} is ${text}, which is not an RFC 3339 time`);
  }
  return deadline;
}
