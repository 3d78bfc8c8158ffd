import type { CallGate, Clock } from '../clock.ts';
import { type ClockStatus, type ScaledTime, scaledTime } from './scaled-time.ts';
import { machineWall, type Wall } from './wall.ts';

/** Time that follows a clock elsewhere, such as a sandbox's in another process. */
export type FollowedTime = { readonly clock: Clock; readonly gate: CallGate; stop(): void };

export type FollowedTimeOptions = {
  /** Asks the other clock. */
  readonly read: () => Promise<ClockStatus>;
  /** How often it is asked, in milliseconds on the wall [200]. */
  readonly everyMs?: number;
  /** Told when the other clock cannot be read; time then goes on as it did. */
  readonly onFailure?: (error: unknown) => void;
  readonly wall?: Wall;
};

/** The other clock tells whole seconds. */
const grainMs = 1000;

/**
 * Passes as fast as the other clock does, pauses with it, and catches up when that one was advanced: every timer in
 * between fires, in order. It is never set back; where it is ahead it waits.
 *
 * @throws what `read` throws, when the first look at the other clock fails
 */
export async function followedTime(options: FollowedTimeOptions): Promise<FollowedTime> {
  const { read, everyMs = 200, onFailure = () => undefined, wall = machineWall } = options;
  const first = await read();
  const time = scaledTime({ start: first.now, speed: first.speed, wall });
  if (first.paused) time.pause();
  let stopped = false;
  const look = async (): Promise<void> => {
    try {
      await followStatus(time, await read());
    } catch (error) {
      onFailure(error);
    }
    if (!stopped) next = wall.after(everyMs, () => void look());
  };
  let next = wall.after(everyMs, () => void look());
  return {
    clock: time.clock,
    gate: time.gate,
    stop: () => {
      stopped = true;
      next.cancel();
      time.stop();
    },
  };
}

async function followStatus(time: ScaledTime, seen: ClockStatus): Promise<void> {
  const own = time.status();
  if (own.speed !== seen.speed) time.setSpeed(seen.speed);
  const aheadMs = own.now - seen.now;
  const isAhead = aheadMs > grainMs * Math.max(2, seen.speed);
  if (seen.paused || isAhead) time.pause();
  else time.resume();
  if (aheadMs < 0) await time.advance(-aheadMs);
}
