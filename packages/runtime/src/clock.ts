import type { Instant } from '@nodewright/apis';

export interface Timer {
  /** Safe to call twice, or after the timer has fired. */
  cancel(): void;
}

/** Time as the product sees it. Three exist: real, scaled, virtual. Nothing else in the product reads the time. */
export interface Clock {
  now(): Instant;
  /**
   * Runs `callback` once at `due`, or as soon as possible when `due` has passed.
   * @param name who sets the timer, for the person who looks for what keeps time from passing
   */
  at(due: Instant, callback: () => void, name?: string): Timer;
  /** Resolves after `ms`; rejects with the signal's reason as soon as it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The number of a port call, in the order in which calls were made. */
export type Ticket = number;

/**
 * Orders the calls that leave a process's decisions: to the Kubernetes API and to AWS.
 *
 * On virtual time calls are numbered when they are made, parked in front of the server, and
 * served one at a time when nothing moves, so that a run is the same to the byte. On real and
 * scaled time the gate lets everything through at once.
 */
export interface CallGate {
  /**
   * Wraps one whole port call. The ticket goes along to the transport, which parks on it.
   * Inside a call nothing waits for the clock. `name` is for the person who looks for a stuck call.
   */
  call<T>(work: (ticket: Ticket) => Promise<T>, name?: string): Promise<T>;
  /** Waits for the call's turn. Called by an in-process transport just before it serves; `name` when only it knows what the call is. */
  park(ticket: Ticket, signal?: AbortSignal, name?: string): Promise<void>;
  /**
   * Lets time pass while a call that is being served waits for the clock (a server that is slow).
   * `work` waits and does nothing else.
   */
  standAside<T>(ticket: Ticket, work: () => Promise<T>): Promise<T>;
  /**
   * Hands something over to whoever waits for it in the same process, such as an event of a watch. On virtual time the
   * hand-over is numbered now and takes place in its turn, alone, like the answer to a call.
   */
  handOver(work: () => void): void;
  /** For work that leaves the promise queue without being a port call: crypto.subtle, asynchronous zlib, files. */
  outside<T>(work: () => Promise<T>): Promise<T>;
}
