import { earliest, instant, type Instant, latest, seconds } from '@nodewright/apis';
import type { Clock, ScaledTime, Timer } from '@nodewright/runtime';

export type ClockFollowersOptions = {
  readonly time: ScaledTime;
  /** The clock of processes outside this one. */
  readonly callersClock: Clock;
};

/** How far time goes at most before a follower is asked again, in milliseconds of the sandbox. */
const longestStepMs = seconds(10);

/** How long an answer is held back at most, and how long a follower may be silent: milliseconds of the machine. */
const longestAnswerMs = seconds(10);
const longestSilenceMs = seconds(5);

/** A follower more is refused: each one can slow time down. */
const mostFollowers = 16;

/**
 * The clocks of other processes that step together with this one. Time does not pass the instant at which a follower has
 * something to do before that follower has done it. A follower that asks nothing for five seconds is waited for no
 * longer.
 */
export class ClockFollowers {
  readonly #options: ClockFollowersOptions;
  /** What ends the wait for each follower, by name: of a follower that asks, its request; of one that steps, a timer. */
  readonly #followers = new Map<string, Timer | AbortSignal>();

  constructor(options: ClockFollowersOptions) {
    this.#options = options;
  }

  /**
   * Resolves when time has come to `next`, or as far as a follower may be from it.
   * @throws Error when there are too many followers
   */
  async follow(name: string, next: Instant | undefined, signal: AbortSignal): Promise<void> {
    const { time, callersClock } = this.#options;
    const before = this.#followers.get(name);
    if (before === undefined && this.#followers.size >= mostFollowers)
      throw new Error(`at most ${mostFollowers} clocks follow a sandbox`);
    if (before !== undefined && 'cancel' in before) before.cancel();
    this.#followers.set(name, signal);
    const now = time.clock.now();
    const longest = instant(now + longestStepMs);
    const until = next === undefined ? longest : latest(now, earliest(next, longest));
    time.hold(name, until);
    await waitForFirst(signal, [
      { clock: time.clock, due: until },
      { clock: callersClock, due: instant(callersClock.now() + longestAnswerMs) },
    ]);
    if (this.#followers.get(name) === signal) this.#followers.set(name, this.#dropLater(name));
  }

  #dropLater(name: string): Timer {
    const { callersClock, time } = this.#options;
    return callersClock.at(instant(callersClock.now() + longestSilenceMs), () => {
      this.#followers.delete(name);
      time.hold(name, undefined);
    });
  }
}

type Due = { readonly clock: Clock; readonly due: Instant };

/** Resolves at the first of the instants, or when the signal aborts. */
async function waitForFirst(signal: AbortSignal, dues: readonly Due[]): Promise<void> {
  let resolveFirst = (): void => undefined;
  const first = new Promise<void>((resolve) => {
    resolveFirst = resolve;
  });
  const timers = dues.map(({ clock, due }) => clock.at(due, resolveFirst));
  signal.addEventListener('abort', resolveFirst, { once: true });
  if (signal.aborted) resolveFirst();
  await first;
  signal.removeEventListener('abort', resolveFirst);
  for (const timer of timers) timer.cancel();
}
