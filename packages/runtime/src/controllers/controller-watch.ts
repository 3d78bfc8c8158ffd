import type { Metrics } from '../observability/metrics.ts';
import type { Result } from './result.ts';

export type ControllerTurn = { readonly outcome: Result['kind'] | 'error'; readonly durationMs: number };

/** Who wants to know how a controller is doing. */
export interface ControllerWatch {
  turn(controller: string, turn: ControllerTurn): void;
  retry(controller: string): void;
  depth(controller: string, keys: number): void;
}

export const noControllerWatch: ControllerWatch = {
  turn: () => undefined,
  retry: () => undefined,
  depth: () => undefined,
};

/** The `result` label as controller-runtime has it. */
const resultLabels: Readonly<Record<ControllerTurn['outcome'], string>> = {
  settled: 'success',
  recheckAt: 'requeue_after',
  requeueAfter: 'requeue_after',
  rest: 'requeue_after',
  backOff: 'requeue',
  error: 'error',
};

const durationBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** The metrics of controller-runtime and its work queues, under their names. */
export function controllerMetrics(metrics: Metrics): ControllerWatch {
  const turns = metrics.counter({
    name: 'controller_runtime_reconcile_total',
    help: 'Turns per controller and result',
    labels: ['controller', 'result'],
  });
  const errors = metrics.counter({
    name: 'controller_runtime_reconcile_errors_total',
    help: 'Turns per controller that failed',
    labels: ['controller'],
  });
  const durations = metrics.histogram({
    name: 'controller_runtime_reconcile_time_seconds',
    help: 'How long a turn takes',
    labels: ['controller'],
    buckets: durationBuckets,
  });
  const retries = metrics.counter({
    name: 'workqueue_retries_total',
    help: 'Keys that were put back',
    labels: ['name'],
  });
  const depth = metrics.gauge({ name: 'workqueue_depth', help: 'Keys that wait for a turn', labels: ['name'] });
  return {
    turn: (controller, { outcome, durationMs }) => {
      turns.add({ controller, result: resultLabels[outcome] });
      if (outcome === 'error') errors.add({ controller });
      durations.observe({ controller }, durationMs / 1000);
    },
    retry: (name) => retries.add({ name }),
    depth: (name, keys) => depth.set({ name }, keys),
  };
}
