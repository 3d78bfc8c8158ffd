import type { Instant } from '../kubernetes/meta.ts';

/** Lengths of time in milliseconds: `minutes(5)` is 300,000. */
export const seconds = (count: number): number => count * 1_000;
export const minutes = (count: number): number => count * 60_000;
export const hours = (count: number): number => count * 3_600_000;
export const days = (count: number): number => count * 86_400_000;

/** The first of the instants that are known; undefined when none is. */
export function earliest(first: Instant, ...others: readonly (Instant | undefined)[]): Instant;
export function earliest(...instants: readonly (Instant | undefined)[]): Instant | undefined;
export function earliest(...instants: readonly (Instant | undefined)[]): Instant | undefined {
  return findExtreme(instants, (candidate, best) => candidate < best);
}

/** The last of the instants that are known; undefined when none is. */
export function latest(first: Instant, ...others: readonly (Instant | undefined)[]): Instant;
export function latest(...instants: readonly (Instant | undefined)[]): Instant | undefined;
export function latest(...instants: readonly (Instant | undefined)[]): Instant | undefined {
  return findExtreme(instants, (candidate, best) => candidate > best);
}

function findExtreme(
  instants: readonly (Instant | undefined)[],
  isBetter: (candidate: Instant, best: Instant) => boolean,
): Instant | undefined {
  let best: Instant | undefined;
  for (const candidate of instants) {
    if (candidate !== undefined && (best === undefined || isBetter(candidate, best))) best = candidate;
  }
  return best;
}
