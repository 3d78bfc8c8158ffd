import { setTimeout as pause } from 'node:timers/promises';
import { fromTimestamp, type Instant } from '@nodewright/apis';
import { type CallGate, type Clock, type ClockStatus, followedTime, type Logger, realTime } from '@nodewright/runtime';
import { InputError } from '../terminal/exit-status.ts';
import { sendControlRequest } from '../control-api/control-request.ts';

export type ControllerTime = { readonly clock: Clock; readonly gate: CallGate; stop(): void };

/** The pause between two attempts to reach a sandbox. */
const askAgainMs = 200;

/** Real time, or that of the sandbox whose control API is at `url`, which may take `timeoutMs` to answer [0]. */
export async function controllerTime(
  url: string | undefined,
  log: () => Logger,
  timeoutMs = 0,
): Promise<ControllerTime> {
  if (url === undefined) return { ...realTime(), stop: () => undefined };
  if (!URL.canParse(url)) throw new InputError(`--clock: must be the URL in NODEWRIGHT_SANDBOX, not "${url}"`);
  try {
    await answering(url, timeoutMs);
    return await followedTime({
      read: async () => parseClock(await sendControlRequest({ url, path: '/clock' })),
      follow: async (next, signal) => parseClock(await sendFollowRequest(url, next, signal)),
      onFailure: (error) => log().debug('could not read the clock', { url, error }),
    });
  } catch (failure) {
    if (failure instanceof InputError) throw new InputError(`--clock: ${failure.message}`, { cause: failure });
    throw new InputError(`--clock: no sandbox answers at ${url}: ${(failure as Error).message}`, { cause: failure });
  }
}

/** Returns when a server answers there. @throws the last failure when none answers in time */
async function answering(url: string, timeoutMs: number): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      await sendControlRequest({ url, path: '/clock' });
      return;
    } catch (failure) {
      if (failure instanceof InputError || performance.now() >= deadline) throw failure;
      await pause(askAgainMs);
    }
  }
}

/** What a sandbox does not serve, it says why; other servers may answer anything. */
async function readRefusal(response: Response): Promise<Error> {
  const text = await response.text();
  const { error = text.slice(0, 200) } = parseAnswer(text);
  const isRefused = response.status === 401 || response.status === 403;
  return isRefused ? new InputError(error) : new Error(`the clock was answered with ${response.status}: ${error}`);
}

/** Tells the sandbox when something is due here. The answer comes when the sandbox's clock is there. */
const sendFollowRequest = (url: string, next: Instant | undefined, signal: AbortSignal): Promise<Response> =>
  sendControlRequest({
    url,
    method: 'POST',
    path: '/clock/follow',
    body: { follower: `controller-${process.pid}`, ...(next !== undefined && { next: new Date(next).toISOString() }) },
    signal,
  });

async function parseClock(response: Response): Promise<ClockStatus> {
  if (!response.ok) throw await readRefusal(response);
  const { now, speed, paused } = (await response.json()) as { now: string; speed: number; paused: boolean };
  return { now: fromTimestamp(now), speed, paused };
}

function parseAnswer(text: string): { readonly error?: string } {
  try {
    return JSON.parse(text) as { readonly error?: string };
  } catch {
    return {};
  }
}
