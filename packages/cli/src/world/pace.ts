import { instant } from '@nodewright/apis';
import type { VirtualTime } from '@nodewright/runtime';

const frameMs = 25;
const frame = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, frameMs));

/**
 * Drives virtual time for a spectator: `speed` seconds of the world pass in one second, until `work` ends.
 * The order of events is that of virtual time; only when they are shown depends on the machine.
 */
export async function runAtSpeed<T>(time: VirtualTime, speed: number, work: Promise<T>): Promise<T> {
  let ended = false;
  const end = (): void => void (ended = true);
  work.then(end, end);
  const from = { wall: performance.now(), at: time.clock.now() };
  for (;;) {
    const before = instant(from.at + (performance.now() - from.wall) * speed);
    await time.runUntil(() => ended, { before });
    if (ended) return work;
    await frame();
  }
}
