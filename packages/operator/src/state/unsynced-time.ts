import { instant, type Instant, seconds } from '@nodewright/apis';
import type { Clock } from '@nodewright/runtime';
import type { ClusterState } from './cluster-state.ts';
import type { Objects } from './objects.ts';

const unsyncedToleratedMs = seconds(30);
const betweenComplaintsMs = seconds(10);

/** How long the picture of the cluster has lacked what a launch under way will bring. Nobody schedules meanwhile. */
export class UnsyncedTime {
  readonly #clock: Clock;
  #since: Instant | undefined;
  #quietUntil: Instant | undefined;

  constructor({ nodeClaims }: Pick<Objects, 'nodeClaims'>, state: ClusterState, clock: Clock) {
    this.#clock = clock;
    const note = (): void => {
      this.#since = state.isSynced() ? undefined : (this.#since ?? clock.now());
    };
    note();
    nodeClaims.cache.onChange(({ before, after }) => {
      if (before?.status?.providerID !== after?.status?.providerID || before === undefined || after === undefined)
        note();
    });
  }

  /** Milliseconds; none while nothing is lacking. */
  get ms(): number {
    return this.#since === undefined ? 0 : this.#clock.now() - this.#since;
  }

  /** Whether somebody should hear of it: after half a minute, every ten seconds. */
  isWorthTelling(): boolean {
    const now = this.#clock.now();
    if (this.ms <= unsyncedToleratedMs || (this.#quietUntil !== undefined && now < this.#quietUntil)) return false;
    this.#quietUntil = instant(now + betweenComplaintsMs);
    return true;
  }
}
