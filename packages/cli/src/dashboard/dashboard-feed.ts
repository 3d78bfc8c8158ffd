import { seconds } from '@nodewright/apis';
import { type ImageReport, viewDashboard } from '@nodewright/dashboard';
import { applyDashboardChanges, compareDashboards, type Dashboard, emptyDashboard } from '@nodewright/dashboard/rows';
import { type ClusterFollower, type ClusterReading, followClusterState } from '@nodewright/operator';
import type { Cloud } from '@nodewright/ports';
import {
  ApiError,
  type Clock,
  type KubernetesClient,
  type Logger,
  realTime,
  seededRandom,
  silentLogger,
} from '@nodewright/runtime';
import type { SchedulingSettings } from '../controller/scheduling-settings.ts';
import { ImageReadings } from './image-readings.ts';

/** What is shown now: the dashboard as far as it could be made, and what stands in the way of a newer one. */
export type FeedState = { readonly dashboard: Dashboard; readonly isComplete: boolean; readonly problem?: string };

/** A cluster as it was read last, with everything that explanations need. */
export type FeedReading = { readonly reading: ClusterReading; readonly reports: readonly ImageReport[] };

/** A dashboard of a cluster, made anew when something changes while somebody looks. */
export type DashboardFeed = {
  state(): FeedState;
  /** What the dashboard was made from; `undefined` before the first one. */
  lastReading(): FeedReading | undefined;
  /** The time of the cluster. */
  readonly clock: Clock;
  /** Calls after every new state. @returns what ends the subscription */
  subscribe(listener: () => void): () => void;
  stop(): Promise<void>;
};

export type FeedSources = {
  readonly client: KubernetesClient;
  readonly cloud: Pick<Cloud, 'instanceTypes' | 'nodeClasses' | 'controlPlane'>;
  readonly clock: Clock;
  readonly scheduling: SchedulingSettings;
};

/** The least and the longest time between two readings while somebody looks. */
const leastRestMs = seconds(1);
const idleMs = seconds(15);
/** The rest after a reading is so many times as long as the reading: a large cluster takes a fifth of a processor. */
const restPerReading = 4;

/** Begins to watch the cluster. Nothing is read while nobody subscribes. */
export function startDashboardFeed({ client, cloud, clock, scheduling }: FeedSources): DashboardFeed {
  const listeners = new Set<() => void>();
  const wake = createWake();
  let state: FeedState = { dashboard: emptyDashboard, isComplete: false };
  let last: FeedReading | undefined;
  const tell = (next: FeedState): void => {
    state = next;
    for (const listener of listeners) listener();
  };
  const { options, defaultSpread, nodeOverlay, capacityBuffer, spotToSpotConsolidation } = scheduling;
  const follower = followClusterState({
    client,
    cloud,
    clock,
    options,
    defaultSpread,
    nodeOverlay,
    capacityBuffer,
    spotToSpotConsolidation,
    random: seededRandom('dashboard'),
    log: tellingLogger((problem) => {
      if (!state.isComplete) tell({ ...state, problem });
    }),
  });
  follower.onChange(wake.call);
  const images = new ImageReadings({ client, cloud });
  const stopping = new AbortController();
  const { signal } = stopping;
  const readAgain = async (): Promise<void> => {
    const now = clock.now();
    const reading = await follower.read(now, signal);
    const reports = await images.report(reading, now, signal);
    last = { reading, reports };
    const next = viewDashboard({ reading, reports, now });
    // Rows that stay keep their identity, so that each look at what has changed is quick.
    const dashboard = applyDashboardChanges(state.dashboard, compareDashboards(state.dashboard, next));
    tell({ dashboard, isComplete: true });
  };
  const running = runFeed({ follower, wake, signal, hasListeners: () => listeners.size > 0, readAgain, onFailure });
  function onFailure(failure: unknown): void {
    tell({ ...state, problem: failure instanceof Error ? failure.message : String(failure) });
  }
  return {
    state: () => state,
    lastReading: () => last,
    clock,
    subscribe(listener) {
      listeners.add(listener);
      wake.call();
      return () => void listeners.delete(listener);
    },
    async stop() {
      stopping.abort();
      wake.call();
      await running;
      await follower.stop();
    },
  };
}

type FeedRun = {
  readonly follower: ClusterFollower;
  readonly wake: Wake;
  readonly signal: AbortSignal;
  readonly hasListeners: () => boolean;
  readonly readAgain: () => Promise<void>;
  readonly onFailure: (failure: unknown) => void;
};

async function runFeed({ follower, wake, signal, hasListeners, readAgain, onFailure }: FeedRun): Promise<void> {
  const { clock } = realTime();
  await Promise.race([follower.ready.catch(() => undefined), untilAborted(signal)]);
  while (!signal.aborted) {
    const begun = clock.now();
    if (hasListeners())
      await readAgain().catch((failure: unknown) => (signal.aborted ? undefined : onFailure(failure)));
    const restMs = Math.max(leastRestMs, restPerReading * (clock.now() - begun));
    await clock.sleep(restMs, signal).catch(() => undefined);
    if (!signal.aborted) await wake.wait(hasListeners() ? idleMs : undefined);
  }
}

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

type Wake = {
  readonly call: () => void;
  /** Resolves at the first call since the last wait, or after so long. */
  readonly wait: (timeoutMs: number | undefined) => Promise<void>;
};

function createWake(): Wake {
  const { clock } = realTime();
  let isCalled = false;
  let resume = (): void => undefined;
  return {
    call() {
      isCalled = true;
      resume();
    },
    async wait(timeoutMs) {
      const waiting = new AbortController();
      if (!isCalled) {
        const called = new Promise<void>((resolve) => {
          resume = resolve;
        });
        const sleeping = timeoutMs === undefined ? [] : [clock.sleep(timeoutMs, waiting.signal).catch(() => undefined)];
        await Promise.race([called, ...sleeping]);
        waiting.abort();
      }
      isCalled = false;
    },
  };
}

/** A watch that fails is told as long as the cluster has not been read once. */
const tellingLogger = (tell: (problem: string) => void): Logger => ({
  ...silentLogger,
  warn(_, { kind, error } = {}) {
    const why = error instanceof ApiError || error instanceof Error ? error.message : String(error);
    tell(`${String(kind)}s cannot be watched: ${why}`);
  },
});
