import type { Instant } from '@nodewright/apis';
import type { Clock } from '@nodewright/runtime';

type WaitOptions = {
  /** In whose time the waiting ends. */
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** A change of the queue calls all of them. */
  readonly wakers: Set<() => void>;
  /** The clock that `next` is of. */
  readonly own: Clock;
  /** When there will be news anyway. */
  readonly next: Instant | undefined;
};

/** Resolves with the first of: news, the instants, the waiting one's leaving. */
export function waitUntil(due: Instant, { clock, signal, wakers, own, next }: WaitOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      for (const timer of timers) timer.cancel();
      wakers.delete(wake);
      signal.removeEventListener('abort', leave);
    };
    const wake = (): void => {
      end();
      resolve();
    };
    const leave = (): void => {
      end();
      reject(signal.reason as Error);
    };
    const timers = [clock.at(due, wake), ...(next === undefined ? [] : [own.at(next, wake)])];
    wakers.add(wake);
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
  });
}
