import { hours, type Instant, seconds } from '@nodewright/apis';
import type { Clock } from '../clock.ts';

/** No key has a reason for so many turns while no time passes; two controllers that undo each other's work have. */
const mostTurnsAtOnce = 10_000;

const firstEndlessPauseMs = seconds(1);
const longestEndlessPauseMs = hours(1);

type Pause = { readonly ms: number; readonly at: Instant };

/** Finds keys whose turns follow each other without time passing, and makes them wait, longer each time. */
export class EndlessTurns {
  readonly #clock: Clock;
  #now: Instant | undefined;
  readonly #turns = new Map<string, number>();
  readonly #pauses = new Map<string, Pause>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts a turn of the key; how long it has to wait instead, `undefined` for a key that may have its turn. */
  begin(key: string): { readonly pauseMs: number; readonly isNew: boolean } | undefined {
    const now = this.#clock.now();
    if (now !== this.#now) this.#turns.clear();
    this.#now = now;
    const turns = (this.#turns.get(key) ?? 0) + 1;
    this.#turns.set(key, turns);
    if (turns <= mostTurnsAtOnce) return undefined;
    const isNew = turns === mostTurnsAtOnce + 1;
    return { pauseMs: isNew ? this.#lengthen(key, now) : (this.#pauses.get(key)?.ms ?? firstEndlessPauseMs), isNew };
  }

  /** A pause that follows the one before is twice as long. */
  #lengthen(key: string, now: Instant): number {
    const before = this.#pauses.get(key);
    const follows = before !== undefined && now - before.at <= 2 * before.ms;
    const ms = follows ? Math.min(2 * before.ms, longestEndlessPauseMs) : firstEndlessPauseMs;
    this.#pauses.set(key, { ms, at: now });
    return ms;
  }
}
