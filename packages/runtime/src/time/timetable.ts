import { instant, type Instant } from '@nodewright/apis';
import type { Timer } from '../clock.ts';
import { Heap } from './heap.ts';
import { Standstill, traceOrigin } from './standstill.ts';

export type Appointment = {
  position: number;
  readonly at: Instant;
  readonly order: number;
  readonly keep: () => void;
  readonly setAt: Instant;
  readonly name: string | undefined;
  /** The line of code that set it; of timers without a name, while they are traced. */
  readonly origin: string | undefined;
};

type TimetableSetting = { readonly now: Instant; readonly name: string | undefined };

/** Pending timers, ordered by instant, then by the order in which they were set. */
export class Timetable {
  readonly #heap = new Heap<Appointment>((a, b) => (a.at === b.at ? a.order < b.order : a.at < b.at));
  readonly standstill = new Standstill();
  #order = 0;

  get size(): number {
    return this.#heap.size;
  }

  /** At whole milliseconds, so that every instant that is read is one. */
  add(due: Instant, keep: () => void, { now, name }: TimetableSetting): Timer {
    if (Number.isNaN(due)) throw new Error('a timer is due at NaN; it needs an instant in milliseconds');
    const origin = name === undefined && this.standstill.isTracing ? traceOrigin() : undefined;
    const appointment: Appointment = {
      position: -1,
      at: instant(Math.ceil(due)),
      order: this.#order++,
      keep,
      setAt: now,
      name,
      origin,
    };
    this.#heap.push(appointment);
    return { cancel: () => void this.#heap.remove(appointment) };
  }

  next(): Instant | undefined {
    return this.#heap.peek()?.at;
  }

  /** Takes the next appointment off the table when it is due at or before `limit`. */
  take(limit: Instant): Appointment | undefined {
    const first = this.#heap.peek();
    return first === undefined || first.at > limit ? undefined : this.#heap.pop();
  }
}
