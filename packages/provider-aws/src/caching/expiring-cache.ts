import { shareObject } from '@nodewright/apis';
import type { Clock } from '@nodewright/runtime';

type CachedEntry<V> = { readonly value: V; readonly since: number };

/** Remembers values for a while. Expiry is looked at on reading; there are no timers. */
export class ExpiringCache<V> {
  readonly #clock: Clock;
  readonly #ttlMs: number;
  readonly #entries = new Map<string, CachedEntry<V>>();
  readonly #loading = new Map<string, Promise<V>>();

  constructor(clock: Clock, ttlMs: number) {
    this.#clock = clock;
    this.#ttlMs = ttlMs;
  }

  /** @param notOlderThanMs of a caller who wants a younger value than others make do with */
  get(key: string, notOlderThanMs = this.#ttlMs): V | undefined {
    const entry = this.#entries.get(key);
    const age = this.#age(key);
    if (age >= this.#ttlMs) this.#entries.delete(key);
    return age < Math.min(this.#ttlMs, notOlderThanMs) ? entry?.value : undefined;
  }

  set(key: string, value: V): void {
    if (typeof value === 'object' && value !== null) shareObject(value);
    this.#entries.set(key, { value, since: this.#clock.now() });
  }

  forget(key: string): void {
    this.#entries.delete(key);
  }

  forgetThose(isOld: (value: V) => boolean): void {
    for (const [key, { value }] of this.#entries) if (isOld(value)) this.#entries.delete(key);
  }

  forgetKeys(isOld: (key: string) => boolean): void {
    for (const key of this.#entries.keys()) if (isOld(key)) this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }

  /**
   * The value, loaded if it is not there. Callers at the same time share one load; a failed one is not remembered.
   * @param notOlderThanMs as for `get`
   */
  async remember(key: string, load: () => Promise<V>, notOlderThanMs = this.#ttlMs): Promise<V> {
    const known = this.get(key, notOlderThanMs);
    if (known !== undefined) return known;
    const running = this.#loading.get(key) ?? this.#load(key, load);
    return running;
  }

  #age(key: string): number {
    return this.#clock.now() - (this.#entries.get(key)?.since ?? 0);
  }

  #load(key: string, load: () => Promise<V>): Promise<V> {
    const running = load().then(
      (value) => {
        this.#loading.delete(key);
        this.set(key, value);
        return value;
      },
      (error: unknown) => {
        this.#loading.delete(key);
        throw error;
      },
    );
    this.#loading.set(key, running);
    return running;
  }
}
