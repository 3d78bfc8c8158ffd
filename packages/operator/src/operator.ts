import type { Cloud } from '@nodewright/ports';
import {
  startEventRecorder,
  type Clock,
  type EventRecorder,
  type KubernetesClient,
  type Logger,
  type Metrics,
  type Random,
  type Tracer,
  unreachableWeb,
  type WebClient,
} from '@nodewright/runtime';
import { startControllers, type RunningControllers } from './wiring/start-controllers.ts';
import { countersOf } from './reporting/counters.ts';
import type { OperatorInspection } from './reporting/inspection.ts';
import type { Reporter } from './reporting/publisher.ts';
import type { OperatorSettings } from './settings.ts';
import { createObjects } from './state/objects.ts';
import { watchObjects } from './state/watches.ts';

export type OperatorOptions = {
  readonly clock: Clock;
  readonly random: Random;
  readonly client: KubernetesClient;
  readonly cloud: Cloud;
  /** How receivers and checks of people are called; without it none is reached. */
  readonly web?: WebClient;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Where events go; to the API server unless given. */
  readonly events?: EventRecorder;
  readonly settings: OperatorSettings;
  /** Follows turns into the requests that they make [turns are not traced]. */
  readonly tracer?: Tracer | undefined;
  /** Receives what `nodewright` and the page show of the running process [nothing is shown]. */
  readonly inspection?: OperatorInspection | undefined;
  /** How long a watch lasts at most before it is renewed: up to twice as many seconds [300]. */
  readonly watchSeconds?: number;
};

export interface Operator {
  /** Resolves when every kind has been listed once and the controllers run. */
  readonly ready: Promise<void>;
  /** Ends watches and controllers; resolves when no turn is in progress. What was begun is gone on with by the next start. */
  stop(): Promise<void>;
}

/**
 * Starts the controllers on one cluster and one cloud.
 *
 * They begin once all watched kinds have been listed: a decision on half a picture would, at worst,
 * take every instance for an orphan.
 */
export function startOperator(options: OperatorOptions): Operator {
  const { client, clock, random, log, metrics, settings, cloud } = options;
  const objects = createObjects(client);
  const { defaultSpread, nodeOverlay: overlays, capacityBuffer: buffers } = settings;
  const also = { selectors: defaultSpread.length > 0, overlays, buffers };
  const { watchSeconds } = options;
  const watches = watchObjects(objects, { client, clock, random: random.fork('watches'), log, also, watchSeconds });
  const events = options.events ?? startEventRecorder({ client, clock, random: random.fork('events'), log });
  let running: RunningControllers | undefined;
  let stopped = false;
  const ready = watches.synced().then(() => {
    if (stopped) return;
    const report: Reporter = (event) => events.publish(event);
    const host = {
      cloud,
      clock,
      random: random.fork('controllers'),
      log,
      metrics,
      counters: countersOf(metrics),
      report,
      tracer: options.tracer,
      inspection: options.inspection,
    };
    running = startControllers(host, { objects, client, web: options.web ?? unreachableWeb, settings });
  });
  ready.catch(() => undefined); // an operator may be stopped before it is ready, and nothing waits for it then
  return {
    ready,
    stop: async () => {
      stopped = true;
      await running?.stop();
      await watches.stop();
      await events.stop();
    },
  };
}
