import { instant, type Instant, latest, seconds } from '@nodewright/apis';
import type { CallGate, Clock, Timer } from '../clock.ts';
import { type ClockStatus, type ScaledTime, scaledTime } from './scaled-time.ts';
import { sleepOn } from './sleep.ts';
import { machineWall, type Wall } from './wall.ts';

/** Time that follows a clock elsewhere, such as a sandbox's in another process. */
export type FollowedTime = { readonly clock: Clock; readonly gate: CallGate; stop(): void };

export type FollowedTimeOptions = {
  /** Asks the other clock. */
  readonly read: () => Promise<ClockStatus>;
  /**
   * Tells the other clock when the next timer of this one is due, and resolves when the other clock is there, or earlier.
   * The other clock does not pass that instant before it is told the next one. Rejects when the signal aborts.
   */
  readonly follow: (next: Instant | undefined, signal: AbortSignal) => Promise<ClockStatus>;
  /** Is called when the other clock cannot be read. Time then goes on as it did. */
  readonly onFailure?: (error: unknown) => void;
  readonly wall?: Wall;
};

/** How far this clock may be before the last instant that the other one told, in milliseconds. */
const mostLeadMs = seconds(10);

const tryAgainMs = 200;
const leader = 'the other clock';

/**
 * Steps together with the other clock: it passes as fast, pauses with it, and when that one is advanced, every timer in
 * between fires, in order, before the other one goes on. It is never set back.
 *
 * @throws what `read` throws, when the first look at the other clock fails
 */
export async function followedTime(options: FollowedTimeOptions): Promise<FollowedTime> {
  const { read, follow, onFailure = () => undefined, wall = machineWall } = options;
  const first = await read();
  const time = scaledTime({ start: first.now, speed: first.speed, wall });
  const follower = new Follower({ time, follow, onFailure, wall });
  void follower.run(first);
  return { clock: follower, gate: time.gate, stop: () => follower.stop() };
}

type FollowerDeps = Required<Omit<FollowedTimeOptions, 'read'>> & { readonly time: ScaledTime };

/** A clock whose timers the other clock knows: one that is due before the instant it was told is told at once. */
class Follower implements Clock {
  readonly #deps: FollowerDeps;
  #isStopped = false;
  #told: Instant | undefined;
  #request = new AbortController();

  constructor(deps: FollowerDeps) {
    this.#deps = deps;
  }

  now(): Instant {
    return this.#deps.time.clock.now();
  }

  at(due: Instant, callback: () => void, name?: string): Timer {
    const timer = this.#deps.time.clock.at(due, callback, name);
    if (this.#told !== undefined && due < this.#told) this.#request.abort();
    return timer;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return sleepOn(this, ms, signal);
  }

  stop(): void {
    this.#isStopped = true;
    this.#request.abort();
    this.#deps.time.stop();
  }

  async run(first: ClockStatus): Promise<void> {
    for (let status = first; !this.#isStopped; status = await this.#ask(status)) await stepTo(this.#deps.time, status);
  }

  /**
   * Returns what the other clock tells. A request that is made anew has told nothing: what was told last still holds.
   * When the other clock cannot be read, this one goes on by its own status.
   */
  async #ask(last: ClockStatus): Promise<ClockStatus> {
    const { time, follow, onFailure, wall } = this.#deps;
    const { signal } = (this.#request = new AbortController());
    const next = time.nextTimer();
    this.#told = instant(Math.min(next ?? Infinity, time.clock.now() + mostLeadMs));
    try {
      return await follow(next, signal);
    } catch (error) {
      if (signal.aborted) return last;
      onFailure(error);
      time.hold(leader, undefined);
      await new Promise<void>((resolve) => void wall.after(tryAgainMs, resolve));
      return time.status();
    } finally {
      this.#told = undefined;
    }
  }
}

/** Fires what is due by the instant that the other clock has told, then passes like that clock. */
async function stepTo(time: ScaledTime, told: ClockStatus): Promise<void> {
  const own = time.status();
  if (own.speed !== told.speed) time.setSpeed(told.speed);
  if (told.now > own.now) {
    time.pause();
    time.hold(leader, undefined);
    await time.advance(told.now - time.clock.now());
  }
  if (told.paused) time.pause();
  else time.resume();
  time.hold(leader, latest(time.clock.now(), instant(told.now + mostLeadMs)));
}
