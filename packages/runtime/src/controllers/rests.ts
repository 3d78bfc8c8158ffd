import { instant, type Instant } from '@nodewright/apis';

/** A key that is looked at every so often, although nothing it depends on has changed since the last look. */
type Rest = { readonly from: Instant; readonly everyMs: number; readonly until: Instant | undefined };

/** What a turn says about its rest. */
export type RestRequest = { readonly everyMs: number; readonly until?: Instant | undefined };

/** A turn under way: the poll that it came before, and whether the key was stirred meanwhile. */
type Turn = { readonly poll: Instant | undefined; isStirred: boolean };

/**
 * Keys that poll, and sleep because no poll could find anything new. Their polls go on as instants that no key is woken
 * for: a key that is stirred comes at the next of them, as if it had been polling all the time.
 */
export class Rests {
  readonly #rests = new Map<string, Rest>();
  /** Those of them that nothing has stirred yet. */
  readonly #undisturbed = new Set<string>();
  readonly #turns = new Map<string, Turn>();

  /** The key has a turn, which its next poll or something else has brought about. */
  beginTurn(key: string, now: Instant): void {
    const rest = this.#rests.get(key);
    this.#rests.delete(key);
    this.#undisturbed.delete(key);
    this.#turns.set(key, { poll: rest && interruptedPoll(rest, now), isStirred: false });
  }

  /** Returns the poll that the turn came before and did not take the place of. */
  endTurn(key: string): Instant | undefined {
    const turn = this.#turns.get(key);
    this.#turns.delete(key);
    return turn?.poll;
  }

  /**
   * Lets the key sleep after its turn. Its polls stay where they were when the turn came between two of them.
   * @returns when it has to be woken, whatever happens; `undefined` when nothing but a change wakes it
   */
  sleep(key: string, { everyMs, until }: RestRequest, now: Instant): Instant | undefined {
    const isStirred = this.#turns.get(key)?.isStirred === true;
    const poll = this.endTurn(key);
    const rest = { from: poll === undefined ? now : instant(poll - everyMs), everyMs, until };
    this.#rests.set(key, rest);
    if (!isStirred) this.#undisturbed.add(key);
    return isStirred ? pollAfter(rest, now) : until;
  }

  /**
   * The next poll of a key that sleeps: the one of this very instant has been. A key that has its turn is told when it wants
   * to sleep.
   */
  stir(key: string, now: Instant): Instant | undefined {
    const turn = this.#turns.get(key);
    if (turn !== undefined) turn.isStirred = true;
    this.#undisturbed.delete(key);
    const rest = this.#rests.get(key);
    return rest && pollAfter(rest, now);
  }

  /** Those that sleep undisturbed, and those that have their turn: all that can be stirred. */
  keys(): readonly string[] {
    return [...this.#undisturbed, ...this.#turns.keys()];
  }
}

const pollAfter = ({ from, everyMs }: Rest, now: Instant): Instant =>
  instant(from + (Math.max(0, Math.floor((now - from) / everyMs)) + 1) * everyMs);

/** A key that is woken for a poll, or at the end of its rest, polls from then on. */
function interruptedPoll(rest: Rest, now: Instant): Instant | undefined {
  const isPoll = (now - rest.from) % rest.everyMs === 0 || (rest.until !== undefined && now >= rest.until);
  return isPoll ? undefined : pollAfter(rest, now);
}
