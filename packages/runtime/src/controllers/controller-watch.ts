import type { Metrics } from '../observability/metrics.ts';
import type { Result } from './result.ts';

export type ControllerTurn = {
  readonly outcome: Result['kind'] | 'error';
  readonly durationMs: number;
  /** An error after which the key waits for a change. */
  readonly isTerminal?: boolean;
};

/** How busy a controller is. */
export type ControllerLoad = {
  /** Keys that wait for a turn. */
  readonly waiting: number;
  /** Turns that run, and how many may at a time. */
  readonly running: number;
  readonly workers: number;
};

/** Who wants to know how a controller is doing. */
export interface ControllerWatch {
  turn(controller: string, turn: ControllerTurn): void;
  retry(controller: string): void;
  load(controller: string, load: ControllerLoad): void;
  /** A key has come, or came again. */
  added(controller: string): void;
  /** A key has its turn after it waited so long. */
  taken(controller: string, waitedMs: number): void;
}

export const noControllerWatch: ControllerWatch = {
  turn: () => undefined,
  retry: () => undefined,
  load: () => undefined,
  added: () => undefined,
  taken: () => undefined,
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
  const terminalErrors = metrics.counter({
    name: 'controller_runtime_terminal_reconcile_errors_total',
    help: 'Turns per controller that failed and are tried again after a change only',
    labels: ['controller'],
  });
  const active = metrics.gauge({
    name: 'controller_runtime_active_workers',
    help: 'Turns per controller that run',
    labels: ['controller'],
  });
  const most = metrics.gauge({
    name: 'controller_runtime_max_concurrent_reconciles',
    help: 'Turns per controller that may run at a time',
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
  const adds = metrics.counter({
    name: 'workqueue_adds_total',
    help: 'Keys that came, or came again',
    labels: ['name'],
  });
  const waits = metrics.histogram({
    name: 'workqueue_queue_duration_seconds',
    help: 'How long a key waits for its turn',
    labels: ['name'],
    buckets: durationBuckets,
  });
  const work = metrics.histogram({
    name: 'workqueue_work_duration_seconds',
    help: 'How long the turn of a key takes',
    labels: ['name'],
    buckets: durationBuckets,
  });
  return {
    turn: (controller, { outcome, durationMs, isTerminal = false }) => {
      turns.add({ controller, result: resultLabels[outcome] });
      if (outcome === 'error') errors.add({ controller });
      if (isTerminal) terminalErrors.add({ controller });
      durations.observe({ controller }, durationMs / 1000);
      work.observe({ name: controller }, durationMs / 1000);
    },
    retry: (name) => retries.add({ name }),
    load: (name, { waiting, running, workers }) => {
      depth.set({ name }, waiting);
      active.set({ controller: name }, running);
      most.set({ controller: name }, workers);
    },
    added: (name) => adds.add({ name }),
    taken: (name, waitedMs) => waits.observe({ name }, waitedMs / 1000),
  };
}
