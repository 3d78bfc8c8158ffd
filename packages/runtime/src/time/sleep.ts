import { instant } from '@nodewright/apis';
import type { Clock } from '../clock.ts';

/** `Clock.sleep` in terms of `now` and `at`. An abort takes the timer back, so that it holds up nothing. */
export function sleepOn(clock: Pick<Clock, 'now' | 'at'>, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(signal.reason as Error);
      return;
    }
    const timer = clock.at(instant(clock.now() + ms), () => {
      signal?.removeEventListener('abort', abort);
      resolve();
    });
    const abort = (): void => {
      timer.cancel();
      reject(signal?.reason as Error);
    };
    signal?.addEventListener('abort', abort, { once: true });
  });
}
