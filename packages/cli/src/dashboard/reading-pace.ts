import { minutes, seconds } from '@nodewright/apis';

/**
 * How often the cluster is read: at most so often, and with a rest after each reading that is so many times as long as the
 * reading. It is read again after a change, and without one after so long.
 */
export type ReadingPace = { readonly leastRestMs: number; readonly restPerReading: number; readonly idleMs: number };

/** A large cluster takes a fifth of a processor while it has subscribers. */
export const attendedPace: ReadingPace = { leastRestMs: seconds(1), restPerReading: 4, idleMs: seconds(15) };
/** For the history alone, a twentieth. */
export const unattendedPace: ReadingPace = { leastRestMs: seconds(10), restPerReading: 20, idleMs: minutes(1) };

/**
 * How long the cluster is left alone after a reading, in milliseconds. A change waits no longer than no change would: a
 * reading that waited for minutes until AWS did not answer took no processor either.
 */
export const restAfterReading = (readingMs: number, { leastRestMs, restPerReading, idleMs }: ReadingPace): number =>
  Math.min(idleMs, Math.max(leastRestMs, restPerReading * readingMs));
