import type { Clock } from '@nodewright/runtime';

/** Remembers values for a while. Expiry is looked at on reading; there are no timers. */
export class ExpiringCache<V> {
  readonly #clock: Clock;
  readonly #ttlMs: number;
  readonly #entries = new Map<string, { readonly value: V; readonly until: number }>();
  readonly #loading = new Map<string, Promise<V>>();

  constructor(clock: Clock, ttlMs: number) {
    this.#clock = clock;
    this.#ttlMs = ttlMs;
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || this.#clock.now() < entry.until) return entry?.value;
    this.#entries.delete(key);
    return undefined;
  }

  set(key: string, value: V): void {
    this.#entries.set(key, { value, until: this.#clock.now() + this.#ttlMs });
  }

  forget(key: string): void {
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }

  /** The value, loaded if it is not there. Callers at the same time share one load; a failed one is not remembered. */
  async remember(key: string, load: () => Promise<V>): Promise<V> {
    const known = this.get(key);
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
