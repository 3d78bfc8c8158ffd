import { seconds } from '@nodewright/apis';
import type { Clock } from '@nodewright/runtime';

const firstRetryMs = 500;
const longestRetryMs = seconds(30);

/** Repeats `work` with growing delays until it succeeds or the signal aborts. */
export async function retryUntilStopped(clock: Clock, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  let delayMs = firstRetryMs;
  while (!signal.aborted) {
    try {
      await work();
      return;
    } catch {
      if (signal.aborted) return;
      await clock.sleep(delayMs, signal).catch(() => undefined);
      delayMs = Math.min(delayMs * 2, longestRetryMs);
    }
  }
}
