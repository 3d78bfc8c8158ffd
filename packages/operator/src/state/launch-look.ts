import { fromTimestamp, instant, type Instant, minutes, type NodeClaim, seconds } from '@nodewright/apis';
import type { ImageDecisions } from './image-decisions.ts';

/** A NodeClass is looked at every minute while a claim is to be launched, and answers may be a minute old. */
const fairlyNewMs = minutes(2);

/** Whether the images of the claim's NodeClass were looked for lately enough for a launch. */
export function isLookedAtForLaunch(
  decisions: Pick<ImageDecisions, 'lookedAt'>,
  { spec }: NodeClaim,
  now: Instant,
): boolean {
  const lookedAt = decisions.lookedAt(spec.nodeClassRef.name);
  return lookedAt !== undefined && now < instant(lookedAt + fairlyNewMs);
}

/** A look that is long under way, or fails, does not keep a claim waiting. */
const longestWaitForLookMs = seconds(5);

/** Until when a claim waits for that look. */
export const awaitsLookUntil = ({ metadata }: NodeClaim): Instant =>
  instant(
    (metadata.creationTimestamp === undefined ? 0 : fromTimestamp(metadata.creationTimestamp)) + longestWaitForLookMs,
  );
