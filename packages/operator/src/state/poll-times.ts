import { instant, type Instant } from '@nodewright/apis';

/** The first of the polls after `now` that is not before an instant. */
export const pollAtOrAfter = (
  at: Instant,
  { now, everyMs }: { readonly now: Instant; readonly everyMs: number },
): Instant => instant(now + Math.max(1, Math.ceil((at - now) / everyMs)) * everyMs);
