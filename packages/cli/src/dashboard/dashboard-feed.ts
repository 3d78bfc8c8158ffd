import {
  applyDashboardChanges,
  type ClusterHistory,
  compareDashboards,
  type Dashboard,
  emptyDashboard,
  emptyHistory,
  recordHistory,
} from '@nodewright/dashboard/rows';
import { type ClusterFollower, followClusterState } from '@nodewright/operator';
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
import { rememberRefusals } from './aws-silence.ts';
import { composeDashboard, type FeedReading } from './compose-dashboard.ts';
import { ImageReadings } from './image-readings.ts';
import { describeUnwatchedKinds } from './unwatched-kinds.ts';
import { attendedPace, type ReadingPace, restAfterReading, unattendedPace } from './reading-pace.ts';

/** What is shown now: the dashboard as far as it could be made, and what stands in the way of a newer one. */
export type FeedState = {
  readonly dashboard: Dashboard;
  readonly isComplete: boolean;
  readonly problem?: string;
  /** What AWS does not tell, why, and what to do about it; absent while it answers. */
  readonly untold?: string;
  /** Kinds that the client may not read, and what AWS does not tell: what rests on them is not true [none]. */
  readonly unread?: ReadonlySet<string>;
};

/** A dashboard of a cluster, made anew when something changes while it has subscribers. */
export type DashboardFeed = {
  state(): FeedState;
  /** What the dashboard was made from; `undefined` before the first one. */
  lastReading(): FeedReading | undefined;
  /** What has been read before; empty where no history is kept. */
  history(): ClusterHistory;
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
  /** Whether the cluster is read for its history, too, while there is no subscriber. */
  readonly keepsHistory?: boolean;
};

/** Begins to watch the cluster. Without a history, nothing is read while there is no subscriber. */
export function startDashboardFeed({
  client,
  cloud,
  clock,
  scheduling,
  keepsHistory = false,
}: FeedSources): DashboardFeed {
  const listeners = new Set<() => void>();
  const wake = createWake();
  const arrival = createWake();
  let state: FeedState = { dashboard: emptyDashboard, isComplete: false };
  let history = emptyHistory;
  let readable: ReadonlySet<string> | undefined;
  let last: FeedReading | undefined;
  const tell = (next: FeedState): void => {
    state = next;
    for (const listener of listeners) listener();
  };
  const { options, defaultSpread, nodeOverlay, capacityBuffer, spotToSpotConsolidation } = scheduling;
  const follower = followClusterState({
    client,
    cloud: { instanceTypes: rememberRefusals(cloud.instanceTypes, realTime().clock) },
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
    const forbidden = follower.unread();
    const reading = await follower.read(now, signal);
    const composed = await composeDashboard(reading, { images, forbidden, now }, signal);
    last = composed.last;
    // Rows that stay keep their identity, so that each look at what has changed is quick.
    const dashboard = applyDashboardChanges(state.dashboard, compareDashboards(state.dashboard, composed.dashboard));
    // What was read with other rights was another cluster.
    const known = forbidden === readable ? history : emptyHistory;
    readable = forbidden;
    if (keepsHistory) history = recordHistory(known, state.dashboard, dashboard);
    tell({ ...composed.lacks, dashboard, isComplete: true });
  };
  const choosePace = (): ReadingPace | undefined => {
    if (listeners.size > 0) return attendedPace;
    return keepsHistory ? unattendedPace : undefined;
  };
  const running = runFeed({ follower, wake, arrival, signal, choosePace, readAgain, onFailure });
  function onFailure(failure: unknown): void {
    const why = describeFeedFailure(failure);
    const before = state.isComplete ? `, this is how it was at ${state.dashboard.at}` : '';
    tell({ ...state, problem: `the cluster cannot be read now${before}: ${why}` });
  }
  return {
    state: () => state,
    lastReading: () => last,
    history: () => history,
    clock,
    subscribe(listener) {
      listeners.add(listener);
      arrival.call();
      wake.call();
      return () => void listeners.delete(listener);
    },
    async stop() {
      stopping.abort();
      arrival.call();
      wake.call();
      await running;
      await follower.stop();
    },
  };
}

/** Says why the cluster cannot be read. For credentials that are no longer valid, it says where to put new ones. */
function describeFeedFailure(failure: unknown): string {
  if (failure instanceof ApiError && failure.code === 401)
    return 'the API server does not take the credentials any more (Unauthorized); new ones in the kubeconfig are taken within 30 seconds';
  return failure instanceof Error ? failure.message : String(failure);
}

type FeedRun = {
  readonly follower: ClusterFollower;
  readonly wake: Wake;
  /** The first subscriber comes. */
  readonly arrival: Wake;
  readonly signal: AbortSignal;
  /** `undefined` while nothing is read. */
  readonly choosePace: () => ReadingPace | undefined;
  readonly readAgain: () => Promise<void>;
  readonly onFailure: (failure: unknown) => void;
};

async function runFeed(run: FeedRun): Promise<void> {
  const { follower, wake, arrival, signal, choosePace, readAgain, onFailure } = run;
  const { clock } = realTime();
  await Promise.race([follower.ready.catch(() => undefined), untilAborted(signal)]);
  while (!signal.aborted) {
    const begun = clock.now();
    const pace = choosePace();
    if (pace !== undefined)
      await readAgain().catch((failure: unknown) => (signal.aborted ? undefined : onFailure(failure)));
    const restMs = restAfterReading(clock.now() - begun, pace ?? attendedPace);
    // Whoever begins to look does not wait for the end of a rest that was chosen while there was no subscriber.
    if (pace === unattendedPace) await arrival.wait(restMs);
    else await clock.sleep(restMs, signal).catch(() => undefined);
    if (!signal.aborted) await wake.wait(choosePace()?.idleMs);
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

/** Watches that fail are told as long as the cluster has not been read once. */
function tellingLogger(tell: (problem: string) => void): Logger {
  const kinds = new Set<string>();
  return {
    ...silentLogger,
    warn(_, { kind, error } = {}) {
      // The views say what they leave out for want of rights.
      if (error instanceof ApiError && error.code === 403) return;
      kinds.add(String(kind));
      tell(describeUnwatchedKinds(kinds, String(kind), describeFeedFailure(error)));
    },
  };
}
