import { earliest, instant, minutes, seconds, type Instant, type Pod } from '@nodewright/apis';
import type { RoundSnapshot } from './observe.ts';
import type { RoundPlan } from './plan.ts';
import type { RoundNews } from './round-news.ts';

/** What a round without an answer leaves behind. */
export type FruitlessRound = {
  /** UIDs of the pods that it saw and found no place for. */
  readonly without: ReadonlySet<string>;
  /** When the first of the reasons passes by itself. */
  readonly until?: Instant | undefined;
  /** Something could not be read: the next round may find more, although nothing changes. */
  readonly isIncomplete: boolean;
};

/** What of a round stays as it is until something changes. */
export function findFruitless(
  { pending, ignored, failed, unevaluated }: RoundSnapshot,
  { create, nominate, waiting, deferred, unschedulable, unreached }: RoundPlan,
): FruitlessRound {
  const placed = new Set([
    ...deferred.map(uidOfWaiting),
    ...create.flatMap(({ newNode }) => newNode.pods.map(uidOfWaiting)),
    ...[...nominate, ...waiting].flatMap(({ pods }) => pods.map(uidOfWaiting)),
  ]);
  const without = [...pending, ...ignored.map(({ pod }) => pod)].map(uidOfWaiting).filter((uid) => !placed.has(uid));
  return {
    without: new Set(without),
    until: earliest(...unschedulable.map(({ until }) => until)),
    isIncomplete: failed.length > 0 || unevaluated.length > 0 || unreached > 0,
  };
}

const uidOfWaiting = ({ metadata }: Pod): string => metadata.uid ?? '';

type RememberedRound = FruitlessRound & {
  readonly news: number;
  readonly at: Instant;
  /** When a round found the same for the first time. */
  readonly since: Instant;
};

/** Pods ask for a round so often while something changes. */
export const askAgainMs = seconds(10);
const longestPauseMs = minutes(5);

/**
 * When pods without a place ask for another round. As long as nothing changes that an answer depends on, they wait as long
 * as they have waited already, up to five minutes.
 */
export class RoundPauses {
  readonly #news: Pick<RoundNews, 'latest'>;
  #last: RememberedRound | undefined;

  constructor(news: Pick<RoundNews, 'latest'>) {
    this.#news = news;
  }

  /** The number that a round which begins now is to be noted with. */
  begin(): number {
    return this.#news.latest();
  }

  /** A round has ended that began at `at`, after so much news. */
  note(round: FruitlessRound, news: number, at: Instant): void {
    const since = this.#last?.news === news ? this.#last.since : at;
    this.#last = { ...round, news, at, since };
  }

  /** Until when a pod need not ask; `undefined` when it asks now. */
  restsUntil(uid: string, now: Instant): Instant | undefined {
    const last = this.#last;
    if (last === undefined || last.isIncomplete || !last.without.has(uid)) return undefined;
    if (last.news !== this.#news.latest()) return undefined;
    const pauseMs = Math.min(longestPauseMs, last.at - last.since);
    const next = earliest(instant(last.at + pauseMs), last.until) ?? now;
    return now < next ? next : undefined;
  }
}
