import { type Instant, instant } from '@nodewright/apis';
import type { CallGate, Clock, Timer } from '../clock.ts';
import { CountingGate } from './counting-gate.ts';
import { sleepOn } from './sleep.ts';

/** `setTimeout` fires at once beyond 2^31 ms; a longer wait is made of several. */
const longestTimerMs = 2 ** 31 - 1;

const realClock: Clock = {
  now: () => instant(Date.now()),
  at: (due, callback) => armRealTimer(due, callback),
  sleep: (ms, signal) => sleepOn(realClock, ms, signal),
};

function armRealTimer(due: Instant, callback: () => void): Timer {
  let handle: NodeJS.Timeout;
  const arm = (): void => {
    const left = due - Date.now();
    handle = left > longestTimerMs ? setTimeout(arm, longestTimerMs) : setTimeout(callback, Math.max(0, left));
  };
  arm();
  return { cancel: () => clearTimeout(handle) };
}

/** The time of the machine. */
export const realTime = (): { readonly clock: Clock; readonly gate: CallGate } => ({
  clock: realClock,
  gate: new CountingGate(),
});
