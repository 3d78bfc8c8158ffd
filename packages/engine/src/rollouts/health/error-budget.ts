/**
 * How much error each comparison may make.
 *
 * A rollout may halt by mistake with probability 1e-4 in all. It compares S signals of V variants, again and again. The
 * error of one signal of one variant is 1e-4 / (S·V). Its look number k (from 1) gets that / (k·(k+1)); the sum over all
 * k is 1, so the bound holds for any number of looks. A look is made when the exposure of members has doubled since the
 * last one, and when the wave is about to end and more events or a tenth more exposure have come since, so that there are
 * few looks and each one can tell something: a wave that waits for a person or a window is about to end for days.
 */
export const allowedErrorOfRollout = 1e-4;

export type ComparisonCount = { readonly signals: number; readonly variants: number };

/** The error that look number `look` (from 1) of one signal and one variant may make. */
export const allowedErrorOfLook = (look: number, { signals, variants }: ComparisonCount): number =>
  allowedErrorOfRollout / (Math.max(1, signals) * Math.max(1, variants) * look * (look + 1));

/** The exposure of the first look, in starts or pods; in seconds of pods for restarts. */
export const firstLookExposure = { containerStarts: 5, restarts: 5 * 600, podsReady: 5 } as const;

/** Whether exposure has grown enough for another look. */
export const isLookDue = (exposure: number, last: number | undefined, first: number): boolean =>
  last === undefined ? exposure >= first : exposure >= 2 * last;

/** @param last what the last look saw */
export const isFinalLookDue = (
  { exposure, events }: { readonly exposure: number; readonly events: number },
  last: { readonly starts: number; readonly events?: number } | undefined,
): boolean => last === undefined || events > (last.events ?? 0) || (exposure - last.starts) * 10 >= last.starts;
