import type { Cloud } from '@nodewright/ports';
import {
  controllerMetrics,
  startController,
  type Clock,
  type Controller,
  type ControllerOptions,
  type KubernetesClient,
  type Logger,
  type LoggingReconciler,
  type Metrics,
  type Random,
  type Reconciler,
} from '@nodewright/runtime';
import type { Counters } from '../reporting/counters.ts';
import { measuredCloud } from '../reporting/measured-cloud.ts';
import type { Reporter } from '../reporting/report.ts';
import type { OperatorSettings } from '../settings.ts';
import type { Absences } from '../state/absences.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import type { ImageDecisions } from '../state/image-decisions.ts';
import type { Objects } from '../state/objects.ts';
import type { OverlaidTypes } from '../state/overlaid-types.ts';
import type { PodTimes } from '../state/pod-times.ts';
import type { PriceBook } from '../state/price-book.ts';
import type { RegistrationHistory } from '../state/registration-history.ts';
import type { UnsyncedTime } from '../state/unsynced-time.ts';

/** What controllers are made of; each takes the few it needs. */
export type ControllerDeps = {
  readonly objects: Objects;
  readonly state: ClusterState;
  readonly unsynced: UnsyncedTime;
  /** Instances that EC2 did not describe. */
  readonly absences: Absences;
  readonly decisions: ImageDecisions;
  readonly registrations: RegistrationHistory;
  readonly podTimes: PodTimes;
  readonly prices: PriceBook;
  readonly overlays: OverlaidTypes;
  readonly client: KubernetesClient;
  readonly cloud: Cloud;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly counters: Counters;
  readonly report: Reporter;
  readonly settings: OperatorSettings;
};

/** Everything one turn of a controller gets: the parts of the cloud by name, and a log of its own. */
export const depsFor = (deps: ControllerDeps, log: Logger) => ({ ...deps, ...deps.cloud, log });

type Tuning = Partial<Pick<ControllerOptions, 'workers' | 'backoff' | 'bucket'>>;
type Make = (deps: ReturnType<typeof depsFor>) => Reconciler;

/**
 * Starts a controller under the name that logs and metrics know it by.
 * @param make called for every turn, so that what a turn logs can be told from what others do; keeps nothing itself
 */
export function startNamed(deps: ControllerDeps, name: string, make: Make, tuning: Tuning = {}): Controller {
  const { clock, log } = deps;
  const own = depsFor(withMeasuredCloud(deps, name), log);
  const reconcile: LoggingReconciler = (key, signal, log) => make({ ...own, log })(key, signal);
  const watch = controllerMetrics(deps.metrics);
  return startController({ name, reconcile, clock, log, watch, aboutTurn: turnIds(deps, name), ...tuning });
}

/** As `startNamed`, for a reconciler that logs nothing and asks no cloud: thousands of its turns cost little. */
export function startQuiet(deps: ControllerDeps, name: string, reconcile: Reconciler, tuning: Tuning = {}): Controller {
  const { clock, log } = deps;
  const watch = controllerMetrics(deps.metrics);
  return startController({ name, reconcile, clock, log, watch, aboutTurn: turnIds(deps, name), ...tuning });
}

/** What a controller asks of the cloud is measured under its name. */
export const withMeasuredCloud = (deps: ControllerDeps, name: string): ControllerDeps => ({
  ...deps,
  cloud: measuredCloud(deps.cloud, name, deps),
});

/** Every turn has an id, by which its lines in the log belong together. */
export function turnIds({ random }: Pick<ControllerDeps, 'random'>, name: string) {
  const ids = random.fork(`turns of ${name}`);
  return () => ({ reconcileID: ids.uuid() });
}

export const lifecycleBackoff = { baseMs: 1_000, maxMs: 60_000 };
export const drainBackoff = { baseMs: 100, maxMs: 10_000 };
