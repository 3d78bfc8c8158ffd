import { type ControllerOptions, startController } from './controller.ts';
import type { Logger } from '../observability/logger.ts';
import type { Result } from './result.ts';

/** One function that runs again and again, as often as its own results say: a controller without objects. */
export type LoopOptions = Omit<ControllerOptions, 'reconcile' | 'workers'> & {
  /** @param log that of the one run */
  readonly run: (signal: AbortSignal, log: Logger) => Promise<Result>;
};

export interface Loop {
  readonly name: string;
  /** Now, instead of when the last run asked for. During a run: once more afterwards. */
  trigger(): void;
  /** At its next poll, if it sleeps between two. */
  stir(): void;
  /** Tells a run in progress through its signal and resolves when it has ended. */
  stop(): Promise<void>;
}

/** Runs for the first time at once. */
export function startLoop({ run, ...options }: LoopOptions): Loop {
  const controller = startController({ ...options, reconcile: (_, signal, log) => run(signal, log) });
  const trigger = (): void => controller.enqueue('');
  trigger();
  return { name: options.name, trigger, stir: () => controller.stir(), stop: () => controller.stop() };
}
