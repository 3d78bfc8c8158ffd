import type { InterruptionPort, QueuedMessage } from '@nodewright/ports';

/** The time that messages are hidden in. */
type Time = { now(): number; sleep(ms: number, signal: AbortSignal): Promise<void> };

type Entry = { readonly content: QueuedMessage['content']; receives: number; visibleAt: number };

const visibleAgainMs = 20_000;

/** A queue in memory. What is received is hidden for twenty seconds, and comes again unless it is removed. */
export class FakeInterruptions implements InterruptionPort {
  readonly #time: Time;
  readonly #entries = new Map<string, Entry>();
  #sent = 0;
  #wake: () => void = () => undefined;
  #failure: Error | undefined;

  constructor(time: Time) {
    this.#time = time;
  }

  send(...contents: readonly QueuedMessage['content'][]): void {
    for (const content of contents) {
      this.#sent += 1;
      this.#entries.set(`message-${this.#sent}`, { content, receives: 0, visibleAt: 0 });
    }
    this.#wake();
  }

  /** Every call fails with the error from now on; none for health. */
  breakDown(failure: Error | undefined): void {
    this.#failure = failure;
    this.#wake();
  }

  /** How many messages nobody has removed. */
  get size(): number {
    return this.#entries.size;
  }

  async receive(signal: AbortSignal): Promise<readonly QueuedMessage[]> {
    signal.throwIfAborted();
    if (this.#failure === undefined && this.#visible().length === 0) await this.#news(signal);
    if (this.#failure !== undefined) throw this.#failure;
    return this.#visible().map(([id, entry]) => {
      entry.receives += 1;
      entry.visibleAt = this.#time.now() + visibleAgainMs;
      return { handle: `${id} ${entry.receives}`, content: entry.content };
    });
  }

  async remove({ handle }: QueuedMessage): Promise<void> {
    const [id = '', receives] = handle.split(' ');
    if (this.#entries.get(id)?.receives === Number(receives)) this.#entries.delete(id);
  }

  #visible() {
    return [...this.#entries].filter(([, { visibleAt }]) => visibleAt <= this.#time.now()).slice(0, 10);
  }

  async #news(signal: AbortSignal): Promise<void> {
    const waiting = new AbortController();
    this.#wake = () => waiting.abort();
    const next = Math.min(...[...this.#entries.values()].map(({ visibleAt }) => visibleAt - this.#time.now()), 20_000);
    await this.#time.sleep(next, AbortSignal.any([signal, waiting.signal])).catch(() => undefined);
    signal.throwIfAborted();
  }
}
