import { instant, minutes } from '@nodewright/apis';
import type { Clock, Ledger } from '@nodewright/runtime';

/** So that a start after a quiet time does not go back to when something happened last. */
export function keepTime(clock: Clock, ledger: Ledger, everyMs: number): void {
  const kept = ledger.map<number>('clock');
  const tick = (): void => {
    kept.set('now', clock.now());
    clock.at(instant(clock.now() + Math.max(minutes(1), everyMs)), tick);
  };
  tick();
}
