import { byText, minutes, seconds, instant, type Instant, type Pod } from '@nodewright/apis';
import { type Clock, objectKeyText, type Timer } from '@nodewright/runtime';
import { equivalenceClassOfPod } from './relevance.ts';

type QueueEntry = {
  readonly pod: Pod;
  readonly attempts: number;
  /** Waiting its turn, waiting out its delay, or waiting for the cluster to change. */
  readonly state: 'active' | 'backingOff' | 'parked';
  readonly lastAttempt: Instant;
};

const firstQueueBackoffMs = seconds(1);
const longestQueueBackoffMs = seconds(10);
/** A parked pod is tried again after this long even when nothing seems to have changed. */
const longestParkMs = minutes(5);

/** Pods without a node: the most important first, then the oldest. */
export class SchedulingQueue {
  readonly #clock: Clock;
  readonly #wake: () => void;
  readonly #entries = new Map<string, QueueEntry>();
  /** Keys of parked pods, by what makes pods equal for scheduling. */
  readonly #parked = new Map<string, Set<string>>();
  readonly #backingOff = new Set<string>();
  /** Pods whose turn comes, the next one last, so that taking it costs nothing. Some of them may have left. */
  readonly #line: Pod[] = [];
  #alarm: { readonly due: Instant; readonly timer: Timer } | undefined;

  /** @param wake called when a pod's turn has come */
  constructor(clock: Clock, wake: () => void) {
    this.#clock = clock;
    this.#wake = wake;
  }

  /** New pods go into the line; known ones keep their place and their delay. */
  put(pod: Pod): void {
    const key = objectKeyText(pod);
    const known = this.#entries.get(key);
    if (known?.pod.metadata.uid === pod.metadata.uid && known !== undefined) {
      this.#set(key, { ...known, pod });
      return;
    }
    this.#enter(key, { pod, attempts: 0, state: 'active', lastAttempt: this.#clock.now() });
    this.#wake();
  }

  remove(key: string): void {
    this.#leaveState(key);
    this.#entries.delete(key);
  }

  next(): Pod | undefined {
    for (let pod = this.#line.pop(); pod !== undefined; pod = this.#line.pop()) {
      const entry = this.#entries.get(objectKeyText(pod));
      if (entry?.state === 'active') return entry.pod;
    }
    return undefined;
  }

  /** The pod found no node: it waits for a change. */
  park(key: string): void {
    this.#attempted(key, 'parked');
    this.#alarmAt(instant(this.#clock.now() + longestParkMs));
  }

  /** The attempt failed, and a later attempt may succeed. */
  backOff(key: string): void {
    this.#attempted(key, 'backingOff');
    const entry = this.#entries.get(key);
    if (entry !== undefined) this.#alarmAt(backoffEnd(entry));
  }

  /**
   * The cluster has changed. Parked pods that `couldFit` get another try when their delay is over. `couldFit` is asked
   * once for pods that are equal for scheduling.
   */
  changed(couldFit: (pod: Pod) => boolean): void {
    const fitting = [...this.#parked.values()].filter(([key = '']) => {
      const first = this.#entries.get(key);
      return first !== undefined && couldFit(first.pod);
    });
    this.#unpark(fitting.flatMap((keys) => [...keys]));
  }

  #unpark(keys: readonly string[]): void {
    for (const key of keys) {
      const entry = this.#entries.get(key);
      if (entry !== undefined) this.#set(key, { ...entry, state: 'backingOff' });
    }
    if (keys.length > 0) this.#release();
  }

  #attempted(key: string, state: QueueEntry['state']): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#set(key, { ...entry, state, attempts: entry.attempts + 1, lastAttempt: this.#clock.now() });
  }

  #release(): void {
    const now = this.#clock.now();
    const delayed = this.#entriesOf(this.#backingOff);
    const due = delayed.filter(([, entry]) => backoffEnd(entry) <= now);
    for (const [key, entry] of due) this.#enter(key, { ...entry, state: 'active' });
    const ends = delayed.map(([, entry]) => backoffEnd(entry)).filter((end) => end > now);
    if (ends.length > 0) this.#alarmAt(instant(earliestEnd(ends)));
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
    const parked = this.#entriesOf([...this.#parked.values()].flatMap((keys) => [...keys]));
    this.#unpark(parked.filter(([, { lastAttempt }]) => lastAttempt + longestParkMs <= now).map(([key]) => key));
    this.#release();
    const ends = parked.map(([, { lastAttempt }]) => lastAttempt + longestParkMs).filter((end) => end > now);
    if (ends.length > 0) this.#alarmAt(instant(earliestEnd(ends)));
  }

  #entriesOf(keys: Iterable<string>): readonly (readonly [string, QueueEntry])[] {
    return Array.from(keys).flatMap((key) => {
      const entry = this.#entries.get(key);
      return entry === undefined ? [] : [[key, entry] as const];
    });
  }

  #enter(key: string, entry: QueueEntry): void {
    this.#set(key, entry);
    this.#line.splice(placeIn(this.#line, entry.pod), 0, entry.pod);
  }

  #set(key: string, entry: QueueEntry): void {
    this.#leaveState(key);
    this.#entries.set(key, entry);
    if (entry.state === 'backingOff') this.#backingOff.add(key);
    if (entry.state !== 'parked') return;
    const name = equivalenceClassOfPod(entry.pod);
    this.#parked.set(name, (this.#parked.get(name) ?? new Set()).add(key));
  }

  #leaveState(key: string): void {
    const entry = this.#entries.get(key);
    if (entry?.state === 'backingOff') this.#backingOff.delete(key);
    if (entry?.state !== 'parked') return;
    const name = equivalenceClassOfPod(entry.pod);
    const equals = this.#parked.get(name);
    equals?.delete(key);
    if (equals?.size === 0) this.#parked.delete(name);
  }
}

/** The position of a pod in a line whose last pod is next. */
function placeIn(line: readonly Pod[], pod: Pod): number {
  let [low, high] = [0, line.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = line[middle];
    if (other !== undefined && compareTurns(other, pod) > 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

const earliestEnd = (ends: readonly number[]): number => ends.reduce((first, end) => Math.min(first, end), Infinity);

const backoffEnd = ({ attempts, lastAttempt }: QueueEntry): Instant =>
  instant(lastAttempt + Math.min(firstQueueBackoffMs * 2 ** Math.max(0, attempts - 1), longestQueueBackoffMs));

function compareTurns(a: Pod, b: Pod): number {
  const byPriority = (b.spec.priority ?? 0) - (a.spec.priority ?? 0);
  const byAge = byText(a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? '');
  return byPriority || byAge || byText(objectKeyText(a), objectKeyText(b));
}
