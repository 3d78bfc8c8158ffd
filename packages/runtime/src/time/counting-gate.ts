import type { CallGate, Ticket } from '../clock.ts';

/** Numbers calls and lets them through at once, and knows how many are under way. */
export class CountingGate implements CallGate {
  #tickets: Ticket = 0;
  #moving = 0;

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
