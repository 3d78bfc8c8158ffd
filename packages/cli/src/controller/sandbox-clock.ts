import { setTimeout as pause } from 'node:timers/promises';
import { fromTimestamp } from '@nodewright/apis';
import { type CallGate, type Clock, type ClockStatus, followedTime, type Logger, realTime } from '@nodewright/runtime';
import { InputError } from '../exit-status.ts';

export type ControllerTime = { readonly clock: Clock; readonly gate: CallGate; stop(): void };

/** How soon somebody asks again who found nobody. */
const askAgainMs = 200;

/** Real time, or that of the sandbox whose levers are at `url`, which may take `patienceMs` to answer [0]. */
export async function controllerTime(
  url: string | undefined,
  log: () => Logger,
  patienceMs = 0,
): Promise<ControllerTime> {
  if (url === undefined) return { ...realTime(), stop: () => undefined };
  if (!URL.canParse(url)) throw new InputError(`--clock: must be the URL in NODEWRIGHT_SANDBOX, not "${url}"`);
  try {
    await answering(url, patienceMs);
    return await followedTime({
      read: () => readClock(url),
      onFailure: (error) => log().debug('could not read the clock', { url, error }),
    });
  } catch (failure) {
    throw new InputError(`--clock: no sandbox answers at ${url}: ${(failure as Error).message}`, { cause: failure });
  }
}

/** Returns when somebody listens there. @throws the last failure when nobody does in time */
async function answering(url: string, patienceMs: number): Promise<void> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      await fetch(new URL('/clock', url));
      return;
    } catch (failure) {
      if (performance.now() >= deadline) throw failure;
      await pause(askAgainMs);
    }
  }
}

async function readClock(url: string): Promise<ClockStatus> {
  const response = await fetch(new URL('/clock', url));
  if (!response.ok) throw new Error(`GET /clock was answered with ${response.status}`);
  const { now, speed, paused } = (await response.json()) as { now: string; speed: number; paused: boolean };
  return { now: fromTimestamp(now), speed, paused };
}
