import { type Instant, instant } from '@nodewright/apis';
import type { Clock, Timer } from '@nodewright/runtime';
import { type CallTokens, documentedRates, type PacedBucket } from './call-rates.ts';
import { LearnedRate } from './learned-rate.ts';

type WaitingCall = { readonly tokens: CallTokens; readonly release: () => void };

/** So many calls of a kind are under way at once, so that an account with a small bucket refuses few of them. */
const mostUnanswered = 10;

/** Calls that take from the same bucket wait in line, each kind apart from the others. */
type Line = { readonly waiting: WaitingCall[]; unanswered: number; timer: Timer | undefined };

/**
 * Lets calls leave no faster than EC2 takes them.
 *
 * Guarantees: calls of one line leave in the order in which they came. While an account has the buckets that EC2
 * documents and no other user, no call is refused for its rate.
 */
export class CallPacer {
  readonly #clock: Clock;
  readonly #rates = new Map<PacedBucket, LearnedRate>();
  readonly #lines = new Map<string, Line>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Makes the call when its turn has come.
   * @param isRefusal whether an error says that calls come too fast
   */
  async run<T>(
    tokens: CallTokens,
    call: () => Promise<T>,
    {
      signal,
      isRefusal,
    }: { readonly signal: AbortSignal | undefined; readonly isRefusal: (error: unknown) => boolean },
  ): Promise<T> {
    const line = this.#lineOf(tokens);
    await this.#turn(line, tokens, signal);
    const madeAt = this.#clock.now();
    try {
      return await call();
    } catch (error) {
      if (isRefusal(error)) this.#refused(tokens, madeAt);
      throw error;
    } finally {
      line.unanswered -= 1;
      this.#pump(line);
    }
  }

  #turn(line: Line, tokens: CallTokens, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        line.waiting.splice(line.waiting.indexOf(waiting), 1);
        this.#pump(line);
        reject(signal?.reason);
      };
      const release = (): void => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const waiting: WaitingCall = { tokens, release };
      signal?.addEventListener('abort', leave, { once: true });
      line.waiting.push(waiting);
      this.#pump(line);
    });
  }

  /** Releases what may go now, and comes back when the next may. */
  #pump(line: Line): void {
    line.timer?.cancel();
    line.timer = undefined;
    const now = this.#clock.now();
    for (let next = line.waiting[0]; next !== undefined; next = line.waiting[0]) {
      if (line.unanswered >= mostUnanswered) return;
      const waitMs = this.#waitMs(next.tokens, now);
      if (waitMs > 0) {
        line.timer = this.#clock.at(instant(now + waitMs), () => this.#pump(line));
        return;
      }
      line.waiting.shift();
      line.unanswered += 1;
      for (const [bucket, count] of entriesOf(next.tokens)) this.#rateOf(bucket).take(count, now);
      next.release();
    }
  }

  #waitMs(tokens: CallTokens, now: Instant): number {
    return Math.max(0, ...entriesOf(tokens).map(([bucket, count]) => this.#rateOf(bucket).waitMs(count, now)));
  }

  #refused(tokens: CallTokens, madeAt: Instant): void {
    for (const [bucket] of entriesOf(tokens)) this.#rateOf(bucket).refused(madeAt, this.#clock.now());
  }

  #rateOf(bucket: PacedBucket): LearnedRate {
    const known = this.#rates.get(bucket) ?? new LearnedRate(documentedRates[bucket], this.#clock.now());
    this.#rates.set(bucket, known);
    return known;
  }

  #lineOf(tokens: CallTokens): Line {
    const name = Object.keys(tokens).toSorted().join(' ');
    const line = this.#lines.get(name) ?? { waiting: [], unanswered: 0, timer: undefined };
    this.#lines.set(name, line);
    return line;
  }
}

const entriesOf = (tokens: CallTokens) => Object.entries(tokens) as [PacedBucket, number][];
