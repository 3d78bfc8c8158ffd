import { minutes, seconds } from '@nodewright/apis';
import type { Cloud } from '@nodewright/ports';
import {
  controllerMetrics,
  startController,
  startLoop,
  type Clock,
  type Controller,
  type ControllerOptions,
  type ControllerWatch,
  type Logger,
  type Loop,
  type LoopOptions,
  type LoggingReconciler,
  type Metrics,
  type Random,
  type Reconciler,
  type Result,
  type Tracer,
} from '@nodewright/runtime';
import type { Counters } from '../reporting/counters.ts';
import type { OperatorInspection } from '../reporting/inspection.ts';
import { measuredCloud } from '../reporting/measured-cloud.ts';
import { createPublisher, type Publisher, type Reporter } from '../reporting/publisher.ts';

/** What every controller runs on. */
export type ControllerHost = {
  readonly cloud: Cloud;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly counters: Counters;
  readonly report: Reporter;
  readonly tracer?: Tracer | undefined;
  /** Receives what `nodewright` and the page show of the running process. */
  readonly inspection?: OperatorInspection | undefined;
};

/** What one turn of a controller gets: the cloud, measured under the controller's name, and where its reports go. */
export type TurnParts = Cloud & { readonly clock: Clock; readonly publish: Publisher };

type Tuning = Partial<Pick<ControllerOptions, 'workers' | 'backoff' | 'bucket' | 'gapMs'>>;

/**
 * Starts a controller under the name that logs and metrics know it by.
 * @param make called for every log, and turns mostly have one of their own, so that the lines of a turn can be told apart from
 * those of others; keeps nothing itself
 */
export function startNamed(
  host: ControllerHost,
  name: string,
  make: (turn: TurnParts) => Reconciler,
  tuning: Tuning = {},
): Controller {
  const turnOf = turnsOf(host, name);
  const reconcilerFor = makePerLog((log) => make(turnOf(log)));
  const reconcile: LoggingReconciler = (key, signal, log) => reconcilerFor(log)(key, signal);
  return startController({ ...optionsOf(host, name), reconcile, ...tuning });
}

/** As `startNamed`, for a reconciler that reports nothing and asks no cloud: thousands of its turns cost little. */
export const startQuiet = (
  host: ControllerHost,
  name: string,
  reconcile: Reconciler,
  tuning: Tuning = {},
): Controller => startController({ ...optionsOf(host, name), reconcile, ...tuning });

/** As `startNamed`, for a controller without keys, which runs as often as its own results say. */
export function startNamedLoop(
  host: ControllerHost,
  name: string,
  make: (turn: TurnParts) => (signal: AbortSignal) => Promise<Result>,
  { gapMs = 0 }: { readonly gapMs?: number } = {},
): Loop {
  const turnOf = turnsOf(host, name);
  const runFor = makePerLog((log) => make(turnOf(log)));
  const run: LoopOptions['run'] = (signal, log) => runFor(log)(signal);
  return startLoop({ ...optionsOf(host, name), run, gapMs, backoff: lifecycleBackoff });
}

function turnsOf({ cloud, clock, metrics, counters, report }: ControllerHost, name: string) {
  const shared = { ...measuredCloud(cloud, name, { metrics, clock }), clock };
  return (log: Logger): TurnParts => ({ ...shared, publish: createPublisher({ log, report, counters }) });
}

/** Turns have logs of their own, except where nothing is logged: there one value serves all of them. */
function makePerLog<T>(make: (log: Logger) => T): (log: Logger) => T {
  let latest: { readonly log: Logger; readonly made: T } | undefined;
  return (log) => {
    if (latest?.log !== log) latest = { log, made: make(log) };
    return latest.made;
  };
}

const optionsOf = ({ clock, log, metrics, random, tracer, inspection }: ControllerHost, name: string) => ({
  name,
  clock,
  log,
  watch: inspectLoads(controllerMetrics(metrics), inspection),
  aboutTurn: turnIds(random, name),
  ...(tracer === undefined ? {} : { tracer }),
});

const inspectLoads = (watch: ControllerWatch, inspection: OperatorInspection | undefined): ControllerWatch =>
  inspection === undefined
    ? watch
    : {
        ...watch,
        load: (controller, load) => {
          watch.load(controller, load);
          inspection.noteLoad(controller, load);
        },
      };

/** Every turn has an id, by which its lines in the log belong together. */
function turnIds(random: Random, name: string) {
  const ids = random.fork(`turns of ${name}`);
  return () => ({ reconcileID: ids.uuid() });
}

export const lifecycleBackoff = { baseMs: seconds(1), maxMs: minutes(1) };
export const drainBackoff = { baseMs: 100, maxMs: seconds(10) };
