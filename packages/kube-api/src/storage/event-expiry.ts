import { hours, type Instant, instant, minutes } from '@nodewright/apis';
import type { Clock } from '@nodewright/runtime';
import { type ApiObject, type StoredKey, storedKeyOf, keyText } from './api-object.ts';
import type { ObjectChange } from './collection.ts';
import { StorageError } from '@nodewright/runtime';
import type { ApiObjectStore } from './store.ts';

/** The lifetime of an event after its last write, the default of `kube-apiserver --event-ttl`. */
const eventLifetimeMs = hours(1);

/** Events that are due in the same minute are removed together. */
const expiryPauseMs = minutes(1);

const eventCollection = 'events';

/**
 * Removes events an hour after their last write, as a real server does, so that their number does not grow with the
 * age of the cluster.
 * @param clock the clients' clock: people can read events for an hour even when the cluster's time runs faster
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
  /** In the order of their last write, which is the order of their expiry. */
  readonly #due = new Map<string, DueEvent>();
  #isArmed = false;

  constructor(store: ApiObjectStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  heed({ type, object }: ObjectChange): void {
    if (type === 'DELETED') this.#due.delete(keyText(storedKeyOf(object)));
    else this.keep(object);
  }

  /** Keeps an event for an hour from now. */
  keep(object: ApiObject): void {
    const key = storedKeyOf(object);
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

  /** While nothing can be saved, events stay as well. */
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
