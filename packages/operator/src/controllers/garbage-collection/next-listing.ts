import { instant, type Instant, minutes } from '@nodewright/apis';

export const garbageCollectionPeriodMs = minutes(2);
export const restingPeriodMs = minutes(6);

/** After listings that were not needed the others stay where they were. One that a poll comes a little late for is due. */
export function nextListingAfter(due: Instant = instant(0), now: Instant): Instant {
  if (now < due + garbageCollectionPeriodMs) return due;
  return instant(due + Math.ceil((now - due) / restingPeriodMs) * restingPeriodMs);
}
