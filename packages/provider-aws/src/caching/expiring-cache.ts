import { type Instant, shareObject } from '@nodewright/apis';
import type { Clock } from '@nodewright/runtime';
import { Freshness } from './freshness.ts';

type CachedEntry<V> = { readonly value: V; readonly since: Instant };

/** Remembers values for a while. Expiry is looked at on reading; there are no timers. */
export class ExpiringCache<V> {
  readonly #clock: Clock;
  readonly #ttlMs: number;
  readonly #freshness: Pick<Freshness, 'isGood'>;
  readonly #entries = new Map<string, CachedEntry<V>>();
  readonly #loading = new Map<string, Promise<V>>();

  /** @param freshness of answers of AWS: how long they are good [the time given, whatever happens] */
  constructor(clock: Clock, ttlMs: number, freshness: Pick<Freshness, 'isGood'> = new Freshness(clock)) {
    this.#clock = clock;
    this.#ttlMs = ttlMs;
    this.#freshness = freshness;
  }

  /** @param notOlderThanMs of a caller who wants a younger value than others make do with */
  get(key: string, notOlderThanMs = this.#ttlMs): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (this.#freshness.isGood(entry.since, Math.min(this.#ttlMs, notOlderThanMs))) return entry.value;
    if (!this.#freshness.isGood(entry.since, this.#ttlMs)) this.#entries.delete(key);
    return undefined;
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
