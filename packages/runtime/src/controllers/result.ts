import type { Instant } from '@nodewright/apis';

/** What a turn says about the next one. */
export type Result =
  | { readonly kind: 'settled' }
  | { readonly kind: 'recheckAt'; readonly at: Instant }
  | { readonly kind: 'requeueAfter'; readonly ms: number }
  | { readonly kind: 'backOff' };

/** Nothing to do until something changes. */
export const settled: Result = { kind: 'settled' };

/** Not done, and no change will say when: again after the key's next delay, as after a failure. */
export const backOff: Result = { kind: 'backOff' };

/** Again at an instant; without one, settled. */
export const recheckAt = (at: Instant | undefined): Result => (at === undefined ? settled : { kind: 'recheckAt', at });

export const requeueAfter = (ms: number): Result => ({ kind: 'requeueAfter', ms });
