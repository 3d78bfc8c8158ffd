import type { Instant } from '@nodewright/apis';
import { type Controller, recheckAt, startController } from '@nodewright/runtime';
import type { ClusterControllerOptions, Stoppable } from './controller-options.ts';
import { loggerOf } from './logger.ts';
import { ClusterWatches } from './watches.ts';

/** When the key gets another turn although nothing changes; undefined when only changes matter. */
export type Recheck = Instant | undefined;

export type Reconcile = (key: string) => Promise<Recheck>;

/** Adds keys to the queue of a controller. */
export type Keys = { add(key: string): void; addAt(key: string, due: Instant): void };

/**
 * The gap between two turns of a key of a controller that counts. A real controller manager sends about 20 requests a
 * second, so it counts changes of one moment together.
 */
export const countingGapMs = 100;

/** The options, watches and life of the controllers of one process. */
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
   * Starts a controller that waits for `open`. A controller that sees only half of the objects may delete the others.
   * @param gapMs the least time between two turns of a key
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

  /** Lets the controllers begin once every watch has its first list. */
  open(): void {
    void this.watches.whenSynced().then(this.#open);
  }

  stop(): void {
    this.watches.stop();
    for (const controller of this.#controllers) void controller.stop();
  }
}
