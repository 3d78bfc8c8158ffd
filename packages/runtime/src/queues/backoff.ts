import type { Random } from '../random.ts';

export type BackoffOptions = { readonly baseMs: number; readonly maxMs: number };

/**
 * How long to wait after the `failures`-th failure in a row (from 1): doubling from `baseMs`
 * to `maxMs`, then stretched by up to as much again so that clients do not come back together.
 * @returns milliseconds, at least `baseMs`, less than twice `maxMs`
 */
export function jitteredBackoff(failures: number, { baseMs, maxMs }: BackoffOptions, random: Random): number {
  const exponent = Math.min(failures - 1, 52);
  return Math.min(baseMs * 2 ** exponent, maxMs) * (1 + random.next());
}
