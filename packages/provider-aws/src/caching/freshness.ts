import { earliest, type Instant, instant } from '@nodewright/apis';
import type { Clock } from '@nodewright/runtime';

/** When an account in the same process gives other answers. */
export type AnswerNews = {
  /** Calls `handler` at each change of the account. */
  onChange(handler: () => void): void;
  /** The next instant after `since` at which answers change because time passes. */
  nextChange(since: Instant): Instant | undefined;
  /** Whether that can be told now. */
  isSteady(): boolean;
};

/** `market`: what AWS sells, where and for how much. */
type AnswerTopic = 'market' | 'other';

/** What is older than all of these counts as changed when they begin. */
const mostAccountChanges = 20_000;

/**
 * Whether an answer of the account is still good. Over the network it is for a while. An account in the same process tells
 * when it changes: an answer from before a change is good until it would have been asked for again.
 */
export class Freshness {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #news: AnswerNews | undefined;
  /** When the account changed, as far as it matters: in order. */
  readonly #changes: Instant[] = [];
  /** When answers end that are from before a change, by what they are about. */
  readonly #ends: Readonly<Record<AnswerTopic, Set<Instant>>> = { market: new Set(), other: new Set() };
  #version = 0;
  #followedUntil: Instant;

  constructor(clock: Pick<Clock, 'now'>, news?: AnswerNews) {
    this.#clock = clock;
    this.#news = news;
    this.#followedUntil = clock.now();
    news?.onChange(() => {
      this.#follow(clock.now());
      this.#note(clock.now());
    });
  }

  /** The same for answers about the market. */
  readonly market: Pick<Freshness, 'isGood'> = {
    isGood: (since, maxAgeMs) => this.isGood(since, maxAgeMs, 'market'),
  };

  /** @param maxAgeMs how long an answer is good after it was asked for at `since`, if nothing is known of changes */
  isGood(since: Instant, maxAgeMs: number, topic: AnswerTopic = 'other'): boolean {
    const now = this.#clock.now();
    if (this.#news?.isSteady() !== true) return now - since < maxAgeMs;
    this.#follow(now);
    const changedAt = this.#firstChangeAt(since);
    if (changedAt === undefined) return true;
    const end = instant(since + Math.max(1, Math.ceil((changedAt - since) / maxAgeMs)) * maxAgeMs);
    if (now < end) this.#ends[topic].add(end);
    return now < end;
  }

  /** Another number after every change. */
  version(): number {
    this.#follow(this.#clock.now());
    return this.#version;
  }

  /** Until when the answers are as they are now unless the account is changed: `undefined` for ever. */
  steadyUntil(topics: readonly AnswerTopic[] = ['market', 'other']): Instant | undefined {
    const now = this.#clock.now();
    if (this.#news?.isSteady() !== true) return now;
    return earliest(this.#news.nextChange(now), ...topics.flatMap((topic) => this.#endsAfter(now, topic)));
  }

  #endsAfter(now: Instant, topic: AnswerTopic): readonly Instant[] {
    const ends = this.#ends[topic];
    for (const end of ends) if (end <= now) ends.delete(end);
    return [...ends];
  }

  /** Notes the changes that time has brought since the last look. */
  #follow(now: Instant): void {
    for (
      let next = this.#news?.nextChange(this.#followedUntil);
      next !== undefined && next <= now;
      next = this.#news?.nextChange(next)
    )
      this.#note(next);
    this.#followedUntil = now;
  }

  /** Of many changes within a second the first and the last are enough: answers are good for far longer. */
  #note(at: Instant): void {
    this.#version += 1;
    const isOneOfMany = (this.#changes.at(-2) ?? -Infinity) > at - 1_000;
    if (isOneOfMany) this.#changes.pop();
    this.#changes.push(at);
    if (this.#changes.length > mostAccountChanges) this.#changes.splice(0, mostAccountChanges / 2);
  }

  #firstChangeAt(since: Instant): Instant | undefined {
    let [low, high] = [0, this.#changes.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#changes[middle] ?? 0) < since) low = middle + 1;
      else high = middle;
    }
    return this.#changes[low];
  }
}
