import type { Cloud } from '@nodewright/ports';
import {
  controllerMetrics,
  startController,
  type Clock,
  type Controller,
  type ControllerOptions,
  type KubernetesClient,
  type Logger,
  type Metrics,
  type Random,
} from '@nodewright/runtime';
import type { Counters } from '../reporting/counters.ts';
import type { Reporter } from '../reporting/report.ts';
import type { OperatorSettings } from '../settings.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import type { ImageDecisions } from '../state/image-decisions.ts';
import type { Objects } from '../state/objects.ts';
import type { RegistrationHistory } from '../state/registration-history.ts';

/** What controllers are made of; each takes the few it needs. */
export type ControllerDeps = {
  readonly objects: Objects;
  readonly state: ClusterState;
  readonly decisions: ImageDecisions;
  readonly registrations: RegistrationHistory;
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

/** Everything one controller gets: the parts of the cloud by name, and a logger of its own. */
export const depsFor = (deps: ControllerDeps, name: string) => ({ ...deps, ...deps.cloud, log: deps.log.named(name) });

type Tuning = Partial<Pick<ControllerOptions, 'workers' | 'backoff' | 'bucket'>>;
type Make = (deps: ReturnType<typeof depsFor>) => ControllerOptions['reconcile'];

/** Starts a controller under the name that logs and metrics know it by. */
export function startNamed(deps: ControllerDeps, name: string, make: Make, tuning: Tuning = {}): Controller {
  const own = depsFor(deps, name);
  const watch = controllerMetrics(deps.metrics);
  return startController({ name, reconcile: make(own), clock: deps.clock, log: own.log, watch, ...tuning });
}

export const lifecycleBackoff = { baseMs: 1_000, maxMs: 60_000 };
export const drainBackoff = { baseMs: 100, maxMs: 10_000 };
