import { instant, type Instant, minutes } from '@nodewright/apis';
import type { CallGate, Clock, Timer } from '../clock.ts';
import { CountingGate } from './counting-gate.ts';
import { Holds } from './holds.ts';
import { sleepOn } from './sleep.ts';
import { type Appointment, Timetable } from './timetable.ts';
import { machineWall, type Wall } from './wall.ts';

export type ClockStatus = { readonly now: Instant; readonly speed: number; readonly paused: boolean };

/**
 * Time that passes `speed` times as fast as on the wall, for worlds with real clients attached.
 *
 * Timers fire in their order, each at its own instant, one per turn, and never while a call of
 * this process is under way. When that takes longer than the wall allows, time slips: it is later
 * than it should be, but nothing is skipped. With `keepsUp` time follows the wall instead.
 */
export type ScaledTime = {
  readonly clock: Clock;
  readonly gate: CallGate;
  status(): ClockStatus;
  pause(): void;
  resume(): void;
  /** @param speed more than 0; 1 is the wall's own */
  setSpeed(speed: number): void;
  /**
   * Fires everything of the next `ms`, as fast as the machine can; resolves when it is later and nothing moves. `pause`
   * ends it early. Rejects with a `StandstillError` when timers keep time from passing; time then goes on as before.
   */
  advance(ms: number): Promise<void>;
  /**
   * Keeps time from passing `until`, also while it is advanced, until the hold of that name is set anew or taken away.
   * What is due at `until` fires.
   */
  hold(name: string, until: Instant | undefined): void;
  /** Returns when the next timer fires; `undefined` without timers. */
  nextTimer(): Instant | undefined;
  /** Lets go of the wall: nothing fires any more, and nothing keeps the process alive. */
  stop(): void;
};

export type ScaledTimeOptions = {
  readonly start: Instant;
  readonly speed: number;
  /**
   * Time never slips: timers wait for no call, and one that is late reads the instant of the wall, not its own. For a world
   * whose other half lives by the wall, such as an API server that is not of this process [false].
   */
  readonly keepsUp?: boolean;
  /** Told of a timer callback that throws [thrown where the process sees it]. */
  readonly onError?: (error: unknown) => void;
  readonly wall?: Wall;
};

export function scaledTime(options: ScaledTimeOptions): ScaledTime {
  const governor = new Governor(options);
  return {
    clock: governor,
    gate: governor.calls,
    status: () => governor.status(),
    pause: () => governor.pause(),
    resume: () => governor.resume(),
    setSpeed: (speed) => governor.setSpeed(speed),
    advance: (ms) => governor.advance(ms),
    hold: (name, until) => governor.hold(name, until),
    nextTimer: () => governor.nextTimer(),
    stop: () => governor.stop(),
  };
}

/** `setTimeout` with a month fires at once; and after a suspended machine wakes, the wait is measured anew. */
const longestAlarmMs = minutes(1);
/** How late, on the wall, a timer may fire before time slips. */
const toleratedLateMs = 250;
/** How long, on the wall, time waits for calls under way. */
const timerPatienceMs = 1000;

class Governor implements Clock {
  readonly calls = new CountingGate();
  readonly #timers = new Timetable();
  readonly #holds = new Holds();
  readonly #wall: Wall;
  readonly #onError: (error: unknown) => void;
  readonly #keepsUp: boolean;
  #speed: number;
  #mode: 'running' | 'paused' | 'advancing' | 'stopped' = 'running';
  /** Time passes from here. */
  #anchor: { readonly wall: number; readonly at: Instant };
  /** No reader has seen a later instant. */
  #now: Instant;
  #firing = false;
  #pump: Promise<void> | undefined;
  #alarm: { readonly timer: Timer; readonly due: Instant } | undefined;
  #advances: Promise<void> = Promise.resolve();

  constructor({ start, speed, keepsUp = false, onError = throwOutside, wall = machineWall }: ScaledTimeOptions) {
    this.#wall = wall;
    this.#onError = onError;
    this.#keepsUp = keepsUp;
    this.#speed = validSpeed(speed);
    this.#now = start;
    this.#anchor = { wall: wall.now(), at: start };
  }

  now(): Instant {
    if (!this.#firing && this.#mode === 'running') {
      this.#now = later(this.#now, earlierInstant(this.#target(), this.#timers.next()));
    }
    return this.#now;
  }

  at(due: Instant, callback: () => void, name?: string): Timer {
    const now = this.now();
    const timer = this.#timers.add(later(due, now), callback, { now, name });
    this.#holds.announce();
    this.#arm();
    return timer;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return sleepOn(this, ms, signal);
  }

  status(): ClockStatus {
    return { now: this.now(), speed: this.#speed, paused: this.#mode === 'paused' };
  }

  pause(): void {
    this.#leaveRunning('paused');
  }

  resume(): void {
    if (this.#mode === 'paused') this.#run();
  }

  setSpeed(speed: number): void {
    this.now();
    this.#speed = validSpeed(speed);
    this.#anchor = { wall: this.#wall.now(), at: this.#now };
    this.#disarm();
    this.#arm();
  }

  stop(): void {
    this.#leaveRunning('stopped');
  }

  hold(name: string, until: Instant | undefined): void {
    this.now();
    const wasHeld = this.#target() < this.#unheldTarget();
    this.#holds.set(name, until);
    if (wasHeld) this.#anchor = { wall: this.#wall.now(), at: this.#now };
    this.#disarm();
    this.#arm();
  }

  nextTimer(): Instant | undefined {
    return this.#timers.next();
  }

  /** Several advances come one after another. */
  advance(ms: number): Promise<void> {
    if (!(ms >= 0)) throw new Error(`the clock cannot advance by ${ms} ms; time only goes forward`);
    const advance = this.#advances.then(() => this.#advance(ms));
    this.#advances = advance.catch(() => undefined);
    return advance;
  }

  async #advance(ms: number): Promise<void> {
    const wasPaused = this.#mode === 'paused';
    this.#leaveRunning('advancing');
    await this.#pump;
    const until = instant(this.#now + ms);
    try {
      while (this.#mode === 'advancing') {
        const limit = this.#heldBefore(until);
        const next = await this.#nextWhenQuiet(limit);
        if (next === undefined && limit === until) break;
        if (next === undefined) {
          await this.#waitAtHold(limit);
          continue;
        }
        this.#fire(next);
        this.#timers.standstill.fired(next);
      }
      if (this.#mode === 'advancing') this.#now = later(this.#now, until);
    } finally {
      this.#timers.standstill.rest();
      if (this.#mode === 'advancing') this.#goOn(wasPaused);
    }
  }

  /** Time stands where it is held. Timers that are set meanwhile fire. */
  async #waitAtHold(held: Instant): Promise<void> {
    const next = this.#timers.next();
    if (this.#holds.earliest() !== held || (next !== undefined && next <= held)) return;
    this.#now = later(this.#now, held);
    await this.#holds.changed();
  }

  #heldBefore(limit: Instant): Instant {
    return earlierInstant(limit, this.#holds.earliest());
  }

  #goOn(wasPaused: boolean): void {
    if (wasPaused) this.#mode = 'paused';
    else this.#run();
  }

  #leaveRunning(mode: 'paused' | 'advancing' | 'stopped'): void {
    this.now();
    if (this.#mode !== 'stopped') this.#mode = mode;
    this.#holds.announce();
    this.#disarm();
  }

  #run(): void {
    this.#mode = 'running';
    this.#anchor = { wall: this.#wall.now(), at: this.#now };
    this.#arm();
  }

  /** Where time may be by now. */
  #target(): Instant {
    return this.#heldBefore(this.#unheldTarget());
  }

  #unheldTarget(): Instant {
    return instant(Math.floor(this.#anchor.at + (this.#wall.now() - this.#anchor.wall) * this.#speed));
  }

  /** One real timer, for the head of the table. */
  #arm(): void {
    const due = this.#timers.next();
    if (this.#mode !== 'running' || this.#pump !== undefined || due === undefined || this.#alarm?.due === due) return;
    this.#disarm();
    if (due > this.#heldBefore(due)) return;
    const wait = Math.min(Math.max(0, (due - this.#target()) / this.#speed), longestAlarmMs);
    this.#alarm = { due, timer: this.#wall.after(Math.ceil(wait), () => this.#wake()) };
  }

  #disarm(): void {
    this.#alarm?.timer.cancel();
    this.#alarm = undefined;
  }

  #wake(): void {
    this.#alarm = undefined;
    this.#pump = this.#fireWhatIsDue().finally(() => {
      this.#pump = undefined;
      this.#arm();
    });
  }

  async #fireWhatIsDue(): Promise<void> {
    while (this.#mode === 'running') {
      const next = this.#keepsUp ? await this.#nextInTurn() : await this.#nextWhenQuiet(this.#target());
      if (next === undefined) return;
      if (this.#keepsUp) this.#now = later(this.#now, this.#target());
      else this.#slipIfLate(next.at);
      this.#fire(next);
    }
  }

  async #nextWhenQuiet(limit: Instant): Promise<Appointment | undefined> {
    const since = this.#wall.now();
    do await this.#wall.turn();
    while (this.calls.moving > 0 && this.#wall.now() - since < timerPatienceMs);
    return this.#timers.take(limit);
  }

  async #nextInTurn(): Promise<Appointment | undefined> {
    await this.#wall.turn();
    return this.#timers.take(this.#target());
  }

  #slipIfLate(due: Instant): void {
    const lateMs = (this.#target() - due) / this.#speed;
    if (lateMs > toleratedLateMs) this.#anchor = { wall: this.#wall.now(), at: due };
  }

  #fire({ at, keep }: Appointment): void {
    this.#now = later(this.#now, at);
    this.#firing = true;
    try {
      keep();
    } catch (error) {
      this.#onError(error);
    } finally {
      this.#firing = false;
    }
  }
}

const later = (a: Instant, b: Instant): Instant => (a > b ? a : b);
const earlierInstant = (a: Instant, b: Instant | undefined): Instant => (b === undefined || a < b ? a : b);

function validSpeed(speed: number): number {
  if (speed > 0 && Number.isFinite(speed)) return speed;
  throw new Error(`speed ${speed} is not a finite number above 0; to stop time, pause it`);
}

function throwOutside(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
