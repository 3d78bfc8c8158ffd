import { hours, type Instant, instant, minutes } from '@nodewright/apis';
import type { Clock } from '@nodewright/runtime';
import { type ApiObject, type StoredKey, keyOf, keyText } from './api-object.ts';
import type { ObjectChange } from './collection.ts';
import { StorageError } from '@nodewright/runtime';
import type { ApiObjectStore } from './store.ts';

/** How long an event is kept after it was last written: the default of `kube-apiserver --event-ttl`. */
const eventLifetimeMs = hours(1);

/** Events go together with those that are due in the same minute. */
const expiryPauseMs = minutes(1);

const eventCollection = 'events';

/**
 * Forgets events an hour after they were written, as a real server does, so that a long life leaves no more of them behind
 * than a short one.
 * @param clock the time of those who read them: when the cluster's flies past, people still want to see what happened
 */
export function expireEvents(store: ApiObjectStore, clock: Clock): void {
  const expiry = new EventExpiry(store, clock);
  for (const object of store.collection(eventCollection).list()) expiry.keep(object);
  store.collection(eventCollection).subscribe((change) => expiry.heed(change));
}

type DueEvent = { readonly key: StoredKey; readonly at: Instant };

class EventExpiry {
  readonly #store: ApiObjectStore;
  readonly #clock: Clock;
  /** In the order in which they were written, which is the order in which they go. */
  readonly #due = new Map<string, DueEvent>();
  #isArmed = false;

  constructor(store: ApiObjectStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  heed({ type, object }: ObjectChange): void {
    if (type === 'DELETED') this.#due.delete(keyText(keyOf(object)));
    else this.keep(object);
  }

  /** For an hour from now. */
  keep(object: ApiObject): void {
    const key = keyOf(object);
    this.#due.delete(keyText(key));
    this.#due.set(keyText(key), { key, at: instant(this.#clock.now() + eventLifetimeMs) });
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
    this.#arm(expiryPauseMs);
  }

  #removeDue(): void {
    for (const { key, at } of this.#due.values()) {
      if (at > this.#clock.now()) break;
      this.#store.remove(eventCollection, key);
    }
  }
}
