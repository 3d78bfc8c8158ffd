import type { Clock } from '@nodewright/runtime';
import type { TokenDemand } from './ec2-rates.ts';
import { listTokenDemands } from './ec2-rates.ts';

/**
 * How EC2 limits the rate of calls: not at all, as it documents for an account, or with a share of that, as where others
 * use the account too.
 */
export type ThrottleOption = 'none' | 'real' | { readonly share: number };

export type ThrottledCall = {
  readonly service: string;
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
};

type Bucket = { tokens: number; since: number };

/** The token buckets of the account. They are full after a restart. */
export class Throttle {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #share: number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(clock: Pick<Clock, 'now'>, option: ThrottleOption = 'none') {
    this.#clock = clock;
    this.#share = option === 'none' ? Infinity : option === 'real' ? 1 : option.share;
  }

  /** Takes the tokens of the call from all of its buckets, or none of them. @returns whether they were there */
  admits({ service, operation, input }: ThrottledCall): boolean {
    if (service !== 'ec2' || this.#share === Infinity) return true;
    const demands = listTokenDemands(operation, input).map((demand) => ({
      tokens: demand.tokens,
      bucket: this.#refilled(demand),
    }));
    if (demands.some(({ bucket, tokens }) => bucket.tokens < tokens)) return false;
    for (const { bucket, tokens } of demands) bucket.tokens -= tokens;
    return true;
  }

  #refilled({ bucket: name, size }: TokenDemand): Bucket {
    const now = this.#clock.now();
    const burst = Math.max(1, size.burst * this.#share);
    const bucket = this.#buckets.get(name) ?? { tokens: burst, since: now };
    const refill = ((now - bucket.since) / 1000) * size.perSecond * this.#share;
    bucket.tokens = Math.min(burst, bucket.tokens + refill);
    bucket.since = now;
    this.#buckets.set(name, bucket);
    return bucket;
  }
}
