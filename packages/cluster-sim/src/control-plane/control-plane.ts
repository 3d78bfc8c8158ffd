import type { Instant } from '@nodewright/apis';
import { type Controller, recheckAt, startController } from '@nodewright/runtime';
import type { ClusterControllerOptions, Stoppable } from './controller-options.ts';
import { loggerOf } from './logger.ts';
import { ClusterWatches } from './watches.ts';

/** When the key wants another look without anything having changed; nothing when only changes matter. */
export type Recheck = Instant | undefined;

export type Reconcile = (key: string) => Promise<Recheck>;

/** Keys that are to be looked at, one after another. */
export type Keys = { add(key: string): void; addAt(key: string, due: Instant): void };

/** A real controller manager asks about 20 times a second, so what happens at once is reported at once. */
export const countingGapMs = 100;

/** What the controllers of one process share: options, watches, and an end. */
export class ClusterControlPlane implements Stoppable {
  readonly options: ClusterControllerOptions;
  readonly watches: ClusterWatches;
  readonly #opened: Promise<void>;
  readonly #controllers: Controller[] = [];
  #open: () => void = () => undefined;

  constructor(options: ClusterControllerOptions) {
    this.options = options;
    this.watches = new ClusterWatches(options);
    this.#opened = new Promise((resolve) => (this.#open = resolve));
  }

  /**
   * A controller that waits for `open`: who reconciles half a picture deletes the other half.
   * @param gapMs between two turns of a key, for one that counts what changes many times a second
   */
  controller(name: string, reconcile: Reconcile, gapMs = 0): Keys {
    const { clock, log } = this.options;
    const controller = startController({
      name,
      clock,
      log: loggerOf(log),
      backoff: { baseMs: 100, maxMs: 60_000 },
      bucket: { perSecond: 100, burst: 1000 },
      gapMs,
      reconcile: async (key) => {
        await this.#opened;
        return recheckAt(await reconcile(key));
      },
    });
    this.#controllers.push(controller);
    return { add: (key) => controller.enqueue(key), addAt: (key, due) => controller.enqueueAt(key, due) };
  }

  /** Lets the controllers begin once every watch is level. */
  open(): void {
    void this.watches.whenSynced().then(this.#open);
  }

  stop(): void {
    this.watches.stop();
    for (const controller of this.#controllers) void controller.stop();
  }
}
