import type { CallGate, Ticket } from '../clock.ts';
import type { Random } from '../random.ts';
import { Heap } from './heap.ts';

type QueuedCall = { readonly ticket: Ticket; name: string; parked?: Parked };
type Parked = {
  position: number;
  readonly call: QueuedCall;
  readonly rank: number;
  readonly serve: () => void;
  readonly abandon: (error: Error) => void;
};

/**
 * The gate of virtual time: numbers calls when they are made, holds them in front of the
 * server, and lets one through at a time. A call moves from when it is made until it parks,
 * and again from when it is served until it ends.
 */
export class CallQueue implements CallGate {
  readonly #calls = new Map<Ticket, QueuedCall>();
  readonly #parked = new Heap<Parked>((a, b) => (a.rank === b.rank ? a.call.ticket < b.call.ticket : a.rank < b.rank));
  /** Calls whose server waits for the clock. */
  readonly #aside = new Set<QueuedCall>();
  readonly #interleaving: Random | undefined;
  #tickets = 0;

  /** With `interleaving`, parked calls are served in the order that it draws, instead of the order of their numbers. */
  constructor(interleaving?: Random) {
    this.#interleaving = interleaving;
  }

  get moving(): number {
    return this.#calls.size - this.#parked.size - this.#aside.size;
  }

  async call<T>(work: (ticket: Ticket) => Promise<T>, name = 'a call'): Promise<T> {
    const call: QueuedCall = { ticket: ++this.#tickets, name };
    this.#calls.set(call.ticket, call);
    try {
      return await work(call.ticket);
    } finally {
      this.#leave(call);
    }
  }

  park(ticket: Ticket, signal?: AbortSignal, name?: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const call = this.#movingCall(ticket);
      call.name = name ?? call.name;
      if (signal?.aborted === true) {
        reject(signal.reason as Error);
        return;
      }
      const abort = (): void => this.#unpark(call)?.abandon(signal?.reason as Error);
      const serve = (): void => {
        signal?.removeEventListener('abort', abort);
        resolve();
      };
      signal?.addEventListener('abort', abort, { once: true });
      call.parked = { position: -1, call, rank: this.#interleaving?.next() ?? 0, serve, abandon: reject };
      this.#parked.push(call.parked);
    });
  }

  /** What ends the wait is a timer or an abort, so the call goes on at once: nothing else moves, or it moves with it. */
  async standAside<T>(ticket: Ticket, work: () => Promise<T>): Promise<T> {
    const call = this.#movingCall(ticket);
    this.#aside.add(call);
    try {
      return await work();
    } finally {
      this.#aside.delete(call);
    }
  }

  handOver(work: () => void): void {
    const call: QueuedCall = { ticket: ++this.#tickets, name: 'a hand-over' };
    this.#calls.set(call.ticket, call);
    const serve = (): void => {
      this.#calls.delete(call.ticket);
      work();
    };
    call.parked = { position: -1, call, rank: this.#interleaving?.next() ?? 0, serve, abandon: () => undefined };
    this.#parked.push(call.parked);
  }

  /** The outcome parks like an answer, so that it comes in the order of the numbers however long the work took. */
  outside<T>(work: () => Promise<T>): Promise<T> {
    return this.call(async (ticket) => {
      try {
        return await work();
      } finally {
        await this.park(ticket);
      }
    }, 'work outside');
  }

  /** Lets the first parked call go on; whether there was one. */
  serve(): boolean {
    const first = this.#parked.pop();
    if (first === undefined) return false;
    delete first.call.parked;
    first.serve();
    return true;
  }

  /** For a person who has to find out why nothing is ever quiet. */
  describe(): string {
    const name = ({ ticket, name }: QueuedCall): string => `#${ticket} ${name}`;
    const calls = [...this.#calls.values()];
    const moving = calls.filter((call) => call.parked === undefined && !this.#aside.has(call)).map(name);
    const parked = calls.filter((call) => call.parked !== undefined).map(name);
    return `neither parked nor finished: ${moving.join(', ')}; parked: ${parked.join(', ') || 'none'}`;
  }

  #movingCall(ticket: Ticket): QueuedCall {
    const call = this.#calls.get(ticket);
    if (call === undefined) throw new Error(`call #${ticket} has ended, or was never made at this gate`);
    if (call.parked !== undefined) throw new Error(`call #${ticket} ${call.name} is parked already`);
    return call;
  }

  #unpark(call: QueuedCall): Parked | undefined {
    const { parked } = call;
    if (parked !== undefined) this.#parked.remove(parked);
    delete call.parked;
    return parked;
  }

  /** A call may end while its transport still waits: it was abandoned, so it leaves the queue too. */
  #leave(call: QueuedCall): void {
    this.#unpark(call)?.abandon(new Error(`call #${call.ticket} ${call.name} has ended`));
    this.#aside.delete(call);
    this.#calls.delete(call.ticket);
  }
}
