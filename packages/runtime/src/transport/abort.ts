/** The outcome of `work`, or the signal's reason if that comes first. */
export function abortOn<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** The chunks of `body`; an abort ends it with the signal's reason, even while a chunk is being waited for. */
export async function* endOnAbort<T>(body: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T, void, undefined> {
  const chunks = body[Symbol.asyncIterator]();
  let giveUp: (reason: Error) => void = () => undefined;
  const abort = (): void => giveUp(signal.reason as Error);
  signal.addEventListener('abort', abort, { once: true });
  try {
    for (;;) {
      signal.throwIfAborted();
      const chunk = await new Promise<IteratorResult<T>>((resolve, reject) => {
        giveUp = reject;
        chunks.next().then(resolve, reject);
      });
      if (chunk.done === true) return;
      yield chunk.value;
    }
  } finally {
    signal.removeEventListener('abort', abort);
    // Not awaited: a generator that waits for its next chunk answers only after that chunk.
    void chunks.return?.()?.catch(() => undefined);
  }
}
