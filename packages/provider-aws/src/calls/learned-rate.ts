import { instant, type Instant, minutes, seconds } from '@nodewright/apis';
import type { BucketOptions } from '@nodewright/runtime';

/** After so long without a refusal the rate rises a little. */
const riseAfterMs = seconds(10);
const riseShare = 0.02;
/** A rate that was refused is not tried again for so long. */
const ceilingLastsMs = minutes(10);
const belowCeiling = 0.9;
const slowestShare = 0.01;

/**
 * A token bucket that learns the account's own rate.
 *
 * It begins with the documented one. A refusal halves the rate and empties the bucket; calls that were made before the last
 * refusal prove nothing new. Without refusals the rate rises slowly, and stays below the one that was refused for ten minutes.
 */
export class LearnedRate {
  readonly #documented: BucketOptions;
  #perSecond: number;
  #burst: number;
  #ceiling: number;
  #tokens: number;
  #since: Instant;
  #refusedAt: Instant | undefined;

  constructor(documented: BucketOptions, now: Instant) {
    this.#documented = documented;
    this.#perSecond = documented.perSecond;
    this.#burst = documented.burst;
    this.#ceiling = Infinity;
    this.#tokens = documented.burst;
    this.#since = now;
  }

  /** How long until there are so many tokens. More than the bucket holds are there when it is full. */
  waitMs(tokens: number, now: Instant): number {
    this.#refill(now);
    const missing = Math.min(tokens, this.#burst) - this.#tokens;
    return missing <= 0 ? 0 : Math.ceil((missing / this.#perSecond) * 1000);
  }

  /** Takes tokens; a call that needs more than the bucket holds leaves a debt. */
  take(tokens: number, now: Instant): void {
    this.#refill(now);
    this.#tokens -= tokens;
  }

  /** A call of that time was refused. */
  refused(madeAt: Instant, now: Instant): void {
    this.#refill(now);
    if (this.#refusedAt !== undefined && madeAt <= this.#refusedAt) return;
    this.#ceiling = this.#perSecond;
    this.#perSecond = Math.max(this.#perSecond / 2, this.#documented.perSecond * slowestShare);
    this.#burst = Math.max(1, this.#perSecond);
    this.#tokens = Math.min(this.#tokens, 0);
    this.#refusedAt = now;
  }

  #refill(now: Instant): void {
    const passedMs = now - this.#since;
    this.#rise(passedMs, now);
    this.#tokens = Math.min(this.#burst, this.#tokens + (passedMs / 1000) * this.#perSecond);
    this.#since = now;
  }

  #rise(passedMs: number, now: Instant): void {
    if (this.#refusedAt === undefined || now < instant(this.#refusedAt + riseAfterMs)) return;
    if (now >= instant(this.#refusedAt + ceilingLastsMs)) this.#ceiling = Infinity;
    const { perSecond, burst } = this.#documented;
    const risen = this.#perSecond + perSecond * riseShare * (passedMs / riseAfterMs);
    this.#perSecond = Math.min(perSecond, Math.max(this.#perSecond, Math.min(risen, this.#ceiling * belowCeiling)));
    this.#burst = this.#perSecond === perSecond ? burst : Math.max(1, this.#perSecond);
  }
}
