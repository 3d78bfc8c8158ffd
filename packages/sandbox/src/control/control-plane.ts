import type { ControllerOptions, Stoppable } from './controller-options.ts';
import { Loop, type Reconcile } from './loop.ts';
import { Watches } from './watches.ts';

/** What the controllers of one process share: options, watches, and the loops that end together. */
export class ControlPlane implements Stoppable {
  readonly options: ControllerOptions;
  readonly watches: Watches;
  readonly #loops: Loop[] = [];

  constructor(options: ControllerOptions) {
    this.options = options;
    this.watches = new Watches(options);
  }

  /** A loop that waits for `open`: who reconciles half a picture deletes the other half. */
  loop(name: string, reconcile: Reconcile): Loop {
    const { clock, log } = this.options;
    const onError = (error: unknown, key: string): void => log?.(`${name} failed`, { key, error: String(error) });
    const loop = new Loop({ name, clock, reconcile, onError });
    this.#loops.push(loop);
    return loop;
  }

  /** Starts the loops once every watch is level. */
  open(): void {
    void this.watches.whenSynced().then(() => {
      for (const loop of this.#loops) loop.open();
    });
  }

  stop(): void {
    this.watches.stop();
    for (const loop of this.#loops) loop.stop();
  }
}
