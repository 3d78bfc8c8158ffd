import { instant, type Instant, type Pod } from '@nodewright/apis';
import { type Clock, keyOf, type Timer } from '@nodewright/runtime';
import { compareText } from '../control/object-key.ts';

type Entry = {
  readonly pod: Pod;
  readonly attempts: number;
  /** Waiting its turn, waiting out its delay, or waiting for the cluster to change. */
  readonly state: 'active' | 'backingOff' | 'parked';
  readonly lastAttempt: Instant;
};

const firstBackoffMs = 1_000;
const longestBackoffMs = 10_000;
/** A parked pod is tried again after this long even when nothing seems to have changed. */
const longestParkMs = 300_000;

/** Pods without a node: the most important first, then the oldest. */
export class SchedulingQueue {
  readonly #clock: Clock;
  readonly #wake: () => void;
  readonly #entries = new Map<string, Entry>();
  #line: string[] | undefined;
  #alarm: { readonly due: Instant; readonly timer: Timer } | undefined;

  /** @param wake called when a pod's turn has come */
  constructor(clock: Clock, wake: () => void) {
    this.#clock = clock;
    this.#wake = wake;
  }

  /** New pods go into the line; known ones keep their place and their delay. */
  put(pod: Pod): void {
    const key = keyOf(pod);
    const known = this.#entries.get(key);
    if (known?.pod.metadata.uid === pod.metadata.uid && known !== undefined) {
      this.#entries.set(key, { ...known, pod });
      return;
    }
    this.#enter(key, { pod, attempts: 0, state: 'active', lastAttempt: this.#clock.now() });
    this.#wake();
  }

  remove(key: string): void {
    this.#entries.delete(key);
  }

  next(): Pod | undefined {
    this.#line ??= this.#lineUp();
    for (;;) {
      const key = this.#line.pop();
      if (key === undefined) return undefined;
      const entry = this.#entries.get(key);
      if (entry?.state === 'active') return entry.pod;
    }
  }

  /** The pod found no node: it waits for a change. */
  park(key: string): void {
    this.#attempted(key, 'parked');
    this.#alarmAt(instant(this.#clock.now() + longestParkMs));
  }

  /** The attempt failed for a reason that time may cure. */
  backOff(key: string): void {
    this.#attempted(key, 'backingOff');
    const entry = this.#entries.get(key);
    if (entry !== undefined) this.#alarmAt(backoffEnd(entry));
  }

  /** The cluster has changed: parked pods that `couldFit` get another try, as soon as their delay is over. */
  changed(couldFit: (pod: Pod) => boolean): void {
    const parked = [...this.#entries].filter(([, { state, pod }]) => state === 'parked' && couldFit(pod));
    for (const [key, entry] of parked) this.#entries.set(key, { ...entry, state: 'backingOff' });
    if (parked.length > 0) this.#release();
  }

  #attempted(key: string, state: Entry['state']): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.set(key, { ...entry, state, attempts: entry.attempts + 1, lastAttempt: this.#clock.now() });
  }

  #release(): void {
    const now = this.#clock.now();
    const delayed = [...this.#entries].filter(([, { state }]) => state === 'backingOff');
    const due = delayed.filter(([, entry]) => backoffEnd(entry) <= now);
    for (const [key, entry] of due) this.#enter(key, { ...entry, state: 'active' });
    const ends = delayed.map(([, entry]) => backoffEnd(entry)).filter((end) => end > now);
    if (ends.length > 0) this.#alarmAt(instant(Math.min(...ends)));
    if (due.length > 0) this.#wake();
  }

  #alarmAt(due: Instant): void {
    if (this.#alarm !== undefined && this.#alarm.due <= due) return;
    this.#alarm?.timer.cancel();
    const timer = this.#clock.at(due, () => {
      this.#alarm = undefined;
      this.#ring();
    });
    this.#alarm = { due, timer };
  }

  #ring(): void {
    const now = this.#clock.now();
    this.changed((pod) => (this.#entries.get(keyOf(pod))?.lastAttempt ?? now) + longestParkMs <= now);
    this.#release();
    const parked = [...this.#entries.values()].filter(({ state }) => state === 'parked');
    const ends = parked.map(({ lastAttempt }) => lastAttempt + longestParkMs);
    if (ends.length > 0) this.#alarmAt(instant(Math.min(...ends)));
  }

  #enter(key: string, entry: Entry): void {
    this.#entries.set(key, entry);
    this.#line = undefined;
  }

  /** The next one last, so that taking it costs nothing. */
  #lineUp(): string[] {
    const active = [...this.#entries].filter(([, { state }]) => state === 'active');
    return active.toSorted(([, a], [, b]) => compareTurns(b.pod, a.pod)).map(([key]) => key);
  }
}

const backoffEnd = ({ attempts, lastAttempt }: Entry): Instant =>
  instant(lastAttempt + Math.min(firstBackoffMs * 2 ** Math.max(0, attempts - 1), longestBackoffMs));

function compareTurns(a: Pod, b: Pod): number {
  const byPriority = (b.spec.priority ?? 0) - (a.spec.priority ?? 0);
  const byAge = compareText(a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? '');
  return byPriority || byAge || compareText(keyOf(a), keyOf(b));
}
