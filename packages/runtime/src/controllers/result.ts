import type { Instant } from '@nodewright/apis';
import type { RestRequest } from './rests.ts';

/** What a turn says about the next one. */
export type Result =
  | { readonly kind: 'settled' }
  | { readonly kind: 'recheckAt'; readonly at: Instant }
  | { readonly kind: 'requeueAfter'; readonly ms: number }
  | ({ readonly kind: 'rest' } & RestRequest)
  | { readonly kind: 'backOff' };

/** Nothing to do until something changes. */
export const settled: Result = { kind: 'settled' };

/** Not done, and no change will say when: again after the key's next delay, as after a failure. */
export const backOff: Result = { kind: 'backOff' };

/** Again at an instant; without one, settled. */
export const recheckAt = (at: Instant | undefined): Result => (at === undefined ? settled : { kind: 'recheckAt', at });

export const requeueAfter = (ms: number): Result => ({ kind: 'requeueAfter', ms });

/**
 * As `requeueAfter(everyMs)`, for a turn that found all as it was: the next one would too, until the key is stirred or it
 * is `until`. A key that is stirred comes at the instant of its next poll, so that sleeping changes nothing but the cost.
 */
export const restAndPoll = (everyMs: number, until?: Instant): Result => ({ kind: 'rest', everyMs, until });
