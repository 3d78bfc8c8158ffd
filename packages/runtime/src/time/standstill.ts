import { type Instant, minutes, toTimestamp, byTextOf, byNumberOf, inOrder, inReverse } from '@nodewright/apis';

/** A timer that is due so soon after it was set hardly lets time pass. */
const shortMs = 1;
const standstillSpanMs = minutes(1);

/** Of one name, and of all timers without a name, within the span. */
const mostOfOneName = 10_000;
const mostWithoutName = 100_000;

/** So many timers without a name are traced to the line that sets them. */
const samples = 200;

/** When a timer was set and when it fired, and who set it. */
type FiredTimer = {
  readonly setAt: Instant;
  readonly at: Instant;
  readonly name: string | undefined;
  readonly origin: string | undefined;
};

/** Time does not pass: the same timers are due again as soon as they have fired. */
export class StandstillError extends Error {
  override readonly name = 'StandstillError';

  constructor(who: string, { from, now, count }: { readonly from: Instant; readonly now: Instant; count: number }) {
    super(
      `time does not pass: ${who} sets timers that are due again at once, ${count} of them in the ${now - from} ms ` +
        `before ${toTimestamp(now)}`,
    );
  }
}

/** Counts the timers that fire while hardly any time passes, as long as a caller advances the time. */
export class Standstill {
  #from: Instant | undefined;
  readonly #counts = new Map<string, number>();
  readonly #origins = new Map<string, number>();
  #traced = 0;

  /** Whether timers without a name are to be traced when they are set. */
  get isTracing(): boolean {
    return (this.#counts.get('') ?? 0) >= mostWithoutName;
  }

  /** @throws StandstillError with who sets the timers, once they are too many for their span */
  fired({ at, setAt, name = '', origin }: FiredTimer): void {
    if (this.#from === undefined || at - this.#from >= standstillSpanMs) {
      this.rest();
      this.#from = at;
    }
    if (at - setAt > shortMs) return;
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, count);
    if (name !== '' && count >= mostOfOneName) this.#refuse(name, at, count);
    if (origin !== undefined) this.#trace(origin, at, count);
  }

  /** Forgets the counts, because no caller advances the time any more or the span has ended. */
  rest(): void {
    this.#from = undefined;
    this.#traced = 0;
    this.#counts.clear();
    this.#origins.clear();
  }

  #trace(origin: string, at: Instant, count: number): void {
    this.#origins.set(origin, (this.#origins.get(origin) ?? 0) + 1);
    this.#traced += 1;
    if (this.#traced < samples) return;
    const [[most] = ['']] = [...this.#origins].toSorted(
      inOrder(
        inReverse(byNumberOf(([, count]) => count)),
        byTextOf(([name]) => name),
      ),
    );
    this.#refuse(most, at, count);
  }

  /** Begins anew, so that time can be driven on afterwards. */
  #refuse(who: string, now: Instant, count: number): never {
    const from = this.#from ?? now;
    this.rest();
    throw new StandstillError(who, { from, now, count });
  }
}

/** The first line outside the clocks in the stack of the caller that sets a timer. */
export function traceOrigin(): string {
  const lines = (new Error('origin').stack ?? '').split('\n').slice(1);
  const line = lines.find((each, index) => !isOfClock(each) && !isExecutor(lines[index + 1]));
  return line?.trim().replace(/^at /, '') ?? 'an unknown caller';
}

const isOfClock = (line: string): boolean =>
  /Timetable|Governor|VirtualWorld|sleepOn|traceOrigin|new Promise/.test(line);

/** The function that a promise is made with stands above the promise. */
const isExecutor = (below: string | undefined): boolean => below?.includes('new Promise') ?? false;
