import { type Instant, instant } from '@nodewright/apis';
import type { Clock } from '@nodewright/runtime';
import { type ApiObject, type Key, keyOf, keyText } from './api-object.ts';
import type { Change } from './collection.ts';
import { StorageError } from '@nodewright/runtime';
import type { Store } from './store.ts';

/** How long an event is kept after it was last written: the default of `kube-apiserver --event-ttl`. */
const keptMs = 60 * 60_000;

/** Events go together with those that are due in the same minute. */
const pauseMs = 60_000;

const events = 'events';

/**
 * Forgets events an hour after they were written, as a real server does, so that a long life leaves no more of them behind
 * than a short one.
 * @param clock the time of those who read them: when the cluster's flies past, people still want to see what happened
 */
export function expireEvents(store: Store, clock: Clock): void {
  const expiry = new EventExpiry(store, clock);
  for (const object of store.collection(events).list()) expiry.keep(object);
  store.collection(events).subscribe((change) => expiry.heed(change));
}

type Due = { readonly key: Key; readonly at: Instant };

class EventExpiry {
  readonly #store: Store;
  readonly #clock: Clock;
  /** In the order in which they were written, which is the order in which they go. */
  readonly #due = new Map<string, Due>();
  #isArmed = false;

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  heed({ type, object }: Change): void {
    if (type === 'DELETED') this.#due.delete(keyText(keyOf(object)));
    else this.keep(object);
  }

  /** For an hour from now. */
  keep(object: ApiObject): void {
    const key = keyOf(object);
    this.#due.delete(keyText(key));
    this.#due.set(keyText(key), { key, at: instant(this.#clock.now() + keptMs) });
    if (!this.#isArmed) this.#arm(0);
  }

  #arm(afterMs: number): void {
    const [first] = this.#due.values();
    this.#isArmed = first !== undefined;
    if (first === undefined) return;
    const at = instant(Math.max(first.at, this.#clock.now() + afterMs));
    this.#clock.at(at, () => this.#forget());
  }

  /** While nothing can be kept, events stay, too. */
  #forget(): void {
    try {
      this.#store.transact(() => this.#removeDue());
    } catch (failure) {
      if (!(failure instanceof StorageError)) throw failure;
    }
    this.#arm(pauseMs);
  }

  #removeDue(): void {
    for (const { key, at } of this.#due.values()) {
      if (at > this.#clock.now()) break;
      this.#store.remove(events, key);
    }
  }
}
