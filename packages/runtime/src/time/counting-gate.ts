import type { CallGate, Ticket } from '../clock.ts';
import { machineWall, type Wall } from './wall.ts';

/** How long, on the wall, calls may follow one another while sockets and timers wait. */
const longestRunMs = 20;

/**
 * Numbers calls and lets them through, and knows how many are under way. Calls of one process that answer each other run on
 * promises alone: now and then one of them waits until everything else that could run has run.
 */
export class CountingGate implements CallGate {
  readonly #wall: Pick<Wall, 'now' | 'turn'>;
  #tickets: Ticket = 0;
  #moving = 0;
  /** Since when no turn has passed, and the end of the one under way. */
  #run: { readonly since: number; readonly turn: Promise<void> } | undefined;

  constructor(wall: Pick<Wall, 'now' | 'turn'> = machineWall) {
    this.#wall = wall;
  }

  get moving(): number {
    return this.#moving;
  }

  async call<T>(work: (ticket: Ticket) => Promise<T>): Promise<T> {
    this.#moving++;
    try {
      return await work(++this.#tickets);
    } finally {
      this.#moving--;
    }
  }

  async park(_ticket: Ticket, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    this.#run ??= this.#beginRun();
    if (this.#wall.now() - this.#run.since < longestRunMs) return;
    await this.#run.turn;
    signal?.throwIfAborted();
  }

  #beginRun(): { readonly since: number; readonly turn: Promise<void> } {
    const turn = this.#wall.turn().then(() => {
      this.#run = undefined;
    });
    return { since: this.#wall.now(), turn };
  }

  async standAside<T>(_ticket: Ticket, work: () => Promise<T>): Promise<T> {
    this.#moving--;
    try {
      return await work();
    } finally {
      this.#moving++;
    }
  }

  handOver(work: () => void): void {
    work();
  }

  outside<T>(work: () => Promise<T>): Promise<T> {
    return this.call(work);
  }
}
