import type { Clock } from '../clock.ts';

/** How long a key waits before its next attempt. Asking counts as an attempt. */
export interface RateLimit {
  delayMs(key: string): number;
  /** The key succeeded: its next delay is the shortest again. */
  forget(key: string): void;
}

/** Per key: `baseMs`, doubling with every attempt up to `maxMs`. */
export function exponentialBackoff({ baseMs, maxMs }: { readonly baseMs: number; readonly maxMs: number }): RateLimit {
  const attempts = new Map<string, number>();
  return {
    delayMs: (key) => {
      const made = attempts.get(key) ?? 0;
      attempts.set(key, made + 1);
      return Math.min(baseMs * 2 ** Math.min(made, 52), maxMs);
    },
    forget: (key) => void attempts.delete(key),
  };
}

export type BucketOptions = { readonly perSecond: number; readonly burst: number };

/** For all keys together: `burst` at once, then `perSecond`. A delay reserves its place. */
export function tokenBucket(clock: Pick<Clock, 'now'>, { perSecond, burst }: BucketOptions): RateLimit {
  let tokens = burst;
  let since = clock.now();
  return {
    delayMs: () => {
      const now = clock.now();
      tokens = Math.min(burst, tokens + ((now - since) / 1000) * perSecond) - 1;
      since = now;
      return tokens >= 0 ? 0 : (-tokens / perSecond) * 1000;
    },
    forget: () => undefined,
  };
}

/** The same bucket for work that is dropped rather than delayed: whether there is room for one more now. */
export function tokenGate(clock: Pick<Clock, 'now'>, { perSecond, burst }: BucketOptions): () => boolean {
  let tokens = burst;
  let since = clock.now();
  return () => {
    const now = clock.now();
    tokens = Math.min(burst, tokens + ((now - since) / 1000) * perSecond);
    since = now;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}

/** The longest delay of several limits. */
export const slowestOf = (...limits: readonly RateLimit[]): RateLimit => ({
  delayMs: (key) => Math.max(0, ...limits.map((limit) => limit.delayMs(key))),
  forget: (key) => {
    for (const limit of limits) limit.forget(key);
  },
});
