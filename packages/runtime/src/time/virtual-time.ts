import { type Instant, instant, minutes } from '@nodewright/apis';
import type { CallGate, Clock, Timer } from '../clock.ts';
import type { Random } from '../random.ts';
import { CallQueue } from './call-queue.ts';
import { sleepOn } from './sleep.ts';
import { Timetable } from './timetable.ts';
import { waitTurn } from './wall.ts';

/** One move of a world: it served a parked call, it fired a timer, or nothing was left to do before the limit. */
export type VirtualStep = 'served' | 'fired' | 'idle';

/**
 * Time that jumps to the next timer as soon as nothing moves, together with the gate that
 * serves calls one at a time. The same inputs give the same run, to the byte.
 *
 * Only one of the driving methods may run at a time. A timer callback that throws ends the
 * driving method with that error; the timer is spent, and the world can be driven on. So do timers that are set again and
 * again without letting time pass (`StandstillError`).
 */
export type VirtualTime = {
  readonly clock: Clock;
  readonly gate: CallGate;
  /** Serves and fires everything due at or before `until`; then it is `until`. */
  run(until: Instant): Promise<void>;
  /** Serves what is parked, and what that leads to, without moving time. */
  settle(): Promise<void>;
  /** Whether `holds` came true. It is asked before every step, when nothing moves. Time stays where it came true. */
  runUntil(holds: () => boolean, options: { readonly before: Instant }): Promise<boolean>;
  /** Drives the world until `work` ends and gives its outcome. An error if the world has nothing left to do before. */
  finish<T>(work: Promise<T>): Promise<T>;
  step(limit?: Instant): Promise<VirtualStep>;
};

export type VirtualTimeOptions = {
  /** Serves parked calls in an order drawn from here, to explore other interleavings. */
  readonly interleaving?: Random;
  /**
   * Real milliseconds for which a call may neither park nor end before the world is called stuck [ten minutes]. A machine
   * that is busy with other work takes long, and its worlds are not stuck.
   */
  readonly stuckAfterMs?: number;
};

/** The last moment that a `Date` can name. A timer beyond it never fires. */
const forever = instant(8.64e15);

export function virtualTime(start: Instant, options: VirtualTimeOptions = {}): VirtualTime {
  const world = new VirtualWorld(start, options);
  return {
    clock: world,
    gate: world.calls,
    run: (until) => world.run(until),
    settle: () => world.settle(),
    runUntil: (holds, { before }) => world.runUntil(holds, before),
    finish: (work) => world.finish(work),
    step: (limit = forever) => world.drive(() => world.step(limit)),
  };
}

class VirtualWorld implements Clock {
  readonly calls: CallQueue;
  readonly #timers = new Timetable();
  readonly #stuckAfterMs: number;
  #now: Instant;
  #driven = false;

  constructor(start: Instant, { interleaving, stuckAfterMs = minutes(10) }: VirtualTimeOptions) {
    this.#now = start;
    this.#stuckAfterMs = stuckAfterMs;
    this.calls = new CallQueue(interleaving);
  }

  now(): Instant {
    return this.#now;
  }

  at(due: Instant, callback: () => void, name?: string): Timer {
    return this.#timers.add(due > this.#now ? due : this.#now, callback, { now: this.#now, name });
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return sleepOn(this, ms, signal);
  }

  run(until: Instant): Promise<void> {
    return this.drive(async () => {
      while ((await this.step(until)) !== 'idle');
      if (until > this.#now) this.#now = until;
    });
  }

  settle(): Promise<void> {
    return this.drive(async () => {
      do await this.#quiet();
      while (this.calls.serve());
    });
  }

  runUntil(holds: () => boolean, before: Instant): Promise<boolean> {
    return this.drive(async () => {
      do {
        await this.#quiet();
        if (holds()) return true;
      } while (this.#move(before) !== 'idle');
      return false;
    });
  }

  async finish<T>(work: Promise<T>): Promise<T> {
    let ended = false;
    const end = (): void => {
      ended = true;
    };
    work.then(end, end);
    const finished = await this.runUntil(() => ended, forever);
    if (!finished) throw new Error('the world has no call and no timer left, and the work has not ended');
    return work;
  }

  async step(limit: Instant): Promise<VirtualStep> {
    await this.#quiet();
    return this.#move(limit);
  }

  async drive<T>(work: () => Promise<T>): Promise<T> {
    if (this.#driven) throw new Error('this world is being driven already; one driver at a time');
    this.#driven = true;
    try {
      return await work();
    } finally {
      this.#driven = false;
    }
  }

  #move(limit: Instant): VirtualStep {
    if (this.calls.serve()) return 'served';
    const timer = this.#timers.take(limit);
    if (timer === undefined) return 'idle';
    this.#now = timer.at;
    timer.keep();
    this.#timers.standstill.fired(timer);
    return 'fired';
  }

  /** One turn of the event loop proves that every promise job has run; a moving call may need more of them. */
  async #quiet(): Promise<void> {
    await waitTurn();
    if (this.calls.moving === 0) return;
    const since = performance.now();
    do {
      await waitTurn();
      if (performance.now() - since > this.#stuckAfterMs) throw new StuckError(this.calls.describe());
    } while (this.calls.moving > 0);
  }
}

/** The world will never be quiet: a call waits for something that only comes when the world is quiet. */
export class StuckError extends Error {
  override readonly name = 'StuckError';

  constructor(calls: string) {
    super(
      `virtual time is stuck (a handler made a call while it served one, or a call waited for the clock): ${calls}`,
    );
  }
}
