import { minutes } from '@nodewright/apis';
import type { Clock } from '../clock.ts';
import { RecentKeys } from './recent-keys.ts';

/** How a statement that comes again and again is told. */
export type RepetitionPolicy = {
  /** How long it is withheld after it was told; doubled each time until `longestMs`. */
  readonly firstMs: number;
  /** How often it is told before any is withheld [1]. */
  readonly atOnce?: number;
};

/** The longest rest between two tellings of what goes on. The API server forgets events after an hour. */
const longestRepetitionMs = minutes(30);
/** What has not come for so long is over; when it comes again, it is new. */
const overAfterMs = minutes(30);

type Episode = {
  readonly told: number;
  readonly restMs: number;
  readonly restUntil: number;
  readonly withheld: number;
};

/**
 * Decides when a statement that repeats is told: at once, then after growing rests.
 *
 * Guarantees: a new statement is told at once. One that goes on is told again at the latest when its rest of half an
 * hour (or of `firstMs`, if that is longer) is over and it comes again, with the number of times it came meanwhile.
 * At most `most` statements are remembered; the one that has not come for longest is forgotten first.
 */
export class Repetitions {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #episodes: RecentKeys<Episode>;

  constructor(clock: Pick<Clock, 'now'>, most: number) {
    this.#clock = clock;
    this.#episodes = new RecentKeys(clock, most);
  }

  /**
   * Notes that the statement came.
   * @returns how often it came since it was last told, this time included; 0 when it is withheld
   */
  timesToTell(statement: string, { firstMs, atOnce = 1 }: RepetitionPolicy): number {
    const now = this.#clock.now();
    const { told, restMs, restUntil, withheld } = this.#episodes.get(statement) ?? fresh;
    const next = nextRest(restMs, firstMs);
    const isWithheld = told >= atOnce && now < restUntil;
    const episode = isWithheld
      ? { told, restMs, restUntil, withheld: withheld + 1 }
      : told + 1 < atOnce
        ? { ...fresh, told: told + 1 }
        : { told: told + 1, restMs: next, restUntil: now + next, withheld: 0 };
    this.#episodes.set(statement, episode, Math.max(overAfterMs, episode.restMs * 2));
    return isWithheld ? 0 : withheld + 1;
  }
}

const fresh: Episode = { told: 0, restMs: 0, restUntil: 0, withheld: 0 };

const nextRest = (restMs: number, firstMs: number): number =>
  restMs === 0 ? firstMs : Math.max(restMs, Math.min(restMs * 2, longestRepetitionMs));
