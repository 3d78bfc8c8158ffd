/** A signal that is aborted after a time limit, or with another signal. */
export type TimeLimit = {
  readonly signal: AbortSignal;
  /** Lets go of the limit: nothing is aborted after it. */
  readonly end: () => void;
};

/**
 * Begins a limit of real time; whoever begins it ends it. `AbortSignal.any` with `AbortSignal.timeout` is no limit in Node 20:
 * the timeout is garbage as soon as nothing else refers to it, and never comes.
 */
export function limitTime(ms: number, parent?: AbortSignal): TimeLimit {
  const limit = new AbortController();
  const follow = (): void => limit.abort(parent?.reason);
  const timer = setTimeout(() => limit.abort(new DOMException(`it took more than ${ms} ms`, 'TimeoutError')), ms);
  parent?.addEventListener('abort', follow, { once: true });
  if (parent?.aborted === true) follow();
  return {
    signal: limit.signal,
    end() {
      clearTimeout(timer);
      parent?.removeEventListener('abort', follow);
    },
  };
}
