import { type KubernetesObject, type ResourceType, seconds } from '@nodewright/apis';
import type { Clock } from '../clock.ts';
import { ApiError, type KubernetesClient, type WatchEvent } from '../kubernetes-client.ts';
import type { Random } from '../random.ts';
import { jitteredBackoff } from '../queues/backoff.ts';
import { filterOf, listAll, type ListSelection } from './list-all.ts';

export type ReflectorOptions<T extends KubernetesObject> = ListSelection & {
  readonly client: KubernetesClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly type: ResourceType<T>;
  /** How long a watch lasts at the server's side: between this and twice this [300]. */
  readonly watchSeconds?: number;
  /** Told of every failure that leads to another attempt. */
  readonly onFailure?: (error: unknown, retryInMs: number) => void;
  /** Told of every list, and of every event of a watch: the server lets the kind be read. */
  readonly onAnswer?: () => void;
};

/** Where the reflection goes. */
export type Mirror<T> = {
  /** Everything there is; what is not in it is gone. */
  readonly replace: (objects: readonly T[]) => void;
  readonly put: (object: T) => void;
  readonly remove: (object: T) => void;
};

const backoff = { baseMs: 800, maxMs: seconds(30) };
const shortestWatchMs = 1000;

/**
 * Keeps a mirror equal to what the API server has: a list, then watches that resume one after
 * another where the last one ended. Only when the server has forgotten that revision (410) is
 * the list asked for again.
 */
export class Reflector<T extends KubernetesObject> {
  readonly #options: ReflectorOptions<T>;
  readonly #mirror: Mirror<T>;
  /** The revision up to which the mirror is complete. */
  #revision: string | undefined;
  #failures = 0;

  constructor(options: ReflectorOptions<T>, mirror: Mirror<T>) {
    this.#options = options;
    this.#mirror = mirror;
  }

  /** Goes on until the signal aborts; never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#reflect(signal);
      } catch (error) {
        if (!signal.aborted) await this.#recover(error, signal);
      }
    }
  }

  async #reflect(signal: AbortSignal): Promise<void> {
    const revision = this.#revision ?? (await this.#list(signal));
    if (signal.aborted) return;
    const { clock } = this.#options;
    const since = clock.now();
    const events = await this.#resumeWatch(revision, signal);
    if (events === 0 && clock.now() - since < shortestWatchMs) throw new Error('the watch ended as soon as it began');
    this.#failures = 0;
  }

  async #list(signal: AbortSignal): Promise<string> {
    const { client, type } = this.#options;
    const { items, revision } = await listAll(client, type, this.#options);
    if (signal.aborted) return revision;
    this.#options.onAnswer?.();
    this.#mirror.replace(items);
    this.#revision = revision;
    return revision;
  }

  /** Watches from a revision on: that of the list, or the one at which the last watch ended. */
  async #resumeWatch(resourceVersion: string, signal: AbortSignal): Promise<number> {
    const { client, type } = this.#options;
    const timeoutSeconds = this.#timeoutSeconds();
    const options = { ...filterOf(this.#options), resourceVersion, timeoutSeconds, allowWatchBookmarks: true, signal };
    let events = 0;
    for await (const event of client.watch(type, options)) {
      if (signal.aborted) break;
      this.#apply(event);
      this.#options.onAnswer?.();
      this.#failures = 0;
      events++;
    }
    return events;
  }

  #apply(event: WatchEvent<T>): void {
    if (event.type === 'ERROR') throw new ApiError(event.object);
    if (event.type === 'DELETED') this.#mirror.remove(event.object);
    else if (event.type !== 'BOOKMARK') this.#mirror.put(event.object);
    this.#revision = event.object.metadata.resourceVersion ?? this.#revision;
  }

  /** A first 410 is everyday life after a pause; everything else, and a second one in a row, waits. */
  async #recover(error: unknown, signal: AbortSignal): Promise<void> {
    const { clock, random, onFailure } = this.#options;
    const gone = isGoneAnswer(error);
    if (gone) this.#revision = undefined;
    this.#failures++;
    const waitMs = gone && this.#failures === 1 ? 0 : jitteredBackoff(this.#failures, backoff, random);
    onFailure?.(error, waitMs);
    if (waitMs > 0) await clock.sleep(waitMs, signal).catch(() => undefined);
  }

  #timeoutSeconds(): number {
    const { watchSeconds = 300, random } = this.#options;
    return Math.floor(watchSeconds * (1 + random.next()));
  }
}

const isGoneAnswer = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 410 || error.reason === 'Expired' || error.reason === 'Gone');
