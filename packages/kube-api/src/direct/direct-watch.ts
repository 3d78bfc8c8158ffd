import type { KubernetesObject } from '@nodewright/apis';
import type { KubernetesStatus, WatchEvent } from '@nodewright/runtime';
import type { Resource } from '../resources/resource.ts';
import { groupVersion } from '../resources/served-kind.ts';
import type { WatchMessage } from '../server/outcome.ts';

export type OpenedWatch = { readonly messages: AsyncIterable<WatchMessage>; readonly resource: Resource };

/**
 * A watch of a client in the same process. It is opened by the first read and hands out the stored objects themselves.
 * It ends with the reason of its signal, even while a read waits or messages are left.
 */
export class DirectWatch<T extends KubernetesObject> implements AsyncIterator<WatchEvent<T>> {
  readonly #open: (signal: AbortSignal) => Promise<OpenedWatch>;
  readonly #signal: AbortSignal | undefined;
  /** Aborts when the reader leaves or its signal says so. */
  readonly #connection = new AbortController();
  readonly #leave = (): void => this.#connection.abort(this.#signal?.reason);
  #reading: { readonly messages: AsyncIterator<WatchMessage>; readonly resource: Resource } | undefined;
  #isOver = false;

  constructor(open: (signal: AbortSignal) => Promise<OpenedWatch>, signal: AbortSignal | undefined) {
    this.#open = open;
    this.#signal = signal;
  }

  async next(): Promise<IteratorResult<WatchEvent<T>>> {
    if (this.#isOver) return { done: true, value: undefined };
    try {
      const { messages, resource } = (this.#reading ??= await this.#begin());
      this.#connection.signal.throwIfAborted();
      const next = await messages.next();
      this.#connection.signal.throwIfAborted();
      if (next.done !== true) return { done: false, value: watchEventOf(next.value, resource) };
    } catch (error) {
      this.#end();
      throw error;
    }
    this.#end();
    return { done: true, value: undefined };
  }

  async return(): Promise<IteratorResult<WatchEvent<T>>> {
    this.#end();
    return { done: true, value: undefined };
  }

  async #begin(): Promise<{ readonly messages: AsyncIterator<WatchMessage>; readonly resource: Resource }> {
    if (this.#signal?.aborted === true) this.#leave();
    this.#signal?.addEventListener('abort', this.#leave, { once: true });
    const { messages, resource } = await this.#open(this.#connection.signal);
    return { messages: messages[Symbol.asyncIterator](), resource };
  }

  #end(): void {
    this.#isOver = true;
    this.#signal?.removeEventListener('abort', this.#leave);
    this.#connection.abort(new Error('the watch is no longer read'));
  }
}

function watchEventOf<T>(message: WatchMessage, resource: Resource): WatchEvent<T> {
  switch (message.type) {
    case 'ERROR':
      return { type: 'ERROR', object: message.status as unknown as KubernetesStatus };
    case 'BOOKMARK': {
      const metadata = { name: '', resourceVersion: String(message.revision) };
      return { type: 'BOOKMARK', object: { kind: resource.kind, apiVersion: groupVersion(resource), metadata } };
    }
    default:
      return message as unknown as WatchEvent<T>;
  }
}
