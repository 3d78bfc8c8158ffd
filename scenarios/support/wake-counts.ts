import { type Clock, sleepOn, type Timer } from '@nodewright/runtime';

/** A clock that counts the timers that fire on it: what a world does although nothing happens to it. */
export function countWakes(clock: Clock): { readonly clock: Clock; readonly takeCount: () => number } {
  let count = 0;
  const at = (due: Parameters<Clock['at']>[0], callback: () => void, name?: string): Timer =>
    clock.at(
      due,
      () => {
        count += 1;
        callback();
      },
      name,
    );
  const counted = { now: () => clock.now(), at };
  return {
    clock: { ...counted, sleep: (ms, signal) => sleepOn(counted, ms, signal) },
    takeCount: () => {
      const taken = count;
      count = 0;
      return taken;
    },
  };
}
