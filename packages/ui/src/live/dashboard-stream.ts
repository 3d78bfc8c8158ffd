import {
  applyDashboardChanges,
  type Dashboard,
  emptyDashboard,
  type FeedMessage,
  type HiddenParts,
} from '@nodewright/dashboard/rows';
import { useEffect, useState } from 'preact/hooks';
import { askServer, readServerRefusal, readToken } from './ask-server.ts';
import { readEvents } from './read-events.ts';

/** What the page knows now. */
export type LiveState = {
  readonly dashboard: Dashboard;
  /** False until the cluster has been read once. */
  readonly isComplete: boolean;
  readonly problem?: string;
  /** What AWS does not tell the server. */
  readonly untold?: string;
  /** What the reader may not see. */
  readonly hidden?: HiddenParts;
  readonly mayTest?: boolean;
  /** The server wants to know who reads. */
  readonly needsToken?: boolean;
};

const emptyState: LiveState = { dashboard: emptyDashboard, isComplete: false };

/** The state that a message leads to. */
export function receiveFeedMessage({ dashboard: before }: LiveState, message: FeedMessage): LiveState {
  const { dashboard, changes, isComplete, problem, untold, hidden, mayTest } = message;
  const whole = dashboard ?? before;
  return {
    dashboard: changes === undefined ? whole : applyDashboardChanges(whole, changes),
    isComplete,
    ...(problem === undefined ? {} : { problem }),
    ...(untold === undefined ? {} : { untold }),
    ...(hidden === undefined ? {} : { hidden }),
    ...(mayTest === undefined ? {} : { mayTest }),
  };
}

/** What the page shows, and how it begins anew with another token. */
type DashboardStream = { readonly state: LiveState; readonly restart: () => void };

/**
 * Follows the server, and connects again when the connection breaks; the first message of a connection has everything. A
 * page that is left may be kept for the way back: it gives its connection up, because a browser has only a few to one address.
 */
export function useDashboardStream(): DashboardStream {
  const [state, setState] = useState(emptyState);
  const [attempt, setAttempt] = useState(0);
  const restart = (): void => setAttempt((before) => before + 1);
  useEffect(() => {
    let ending = beginStream(setState);
    const leave = (): void => ending.abort();
    const comeBack = ({ persisted }: PageTransitionEvent): void => {
      if (persisted) ending = beginStream(setState);
    };
    addEventListener('pagehide', leave);
    addEventListener('pageshow', comeBack);
    return () => {
      removeEventListener('pagehide', leave);
      removeEventListener('pageshow', comeBack);
      ending.abort();
    };
  }, [attempt]);
  return { state, restart };
}

type StateChange = (change: (before: LiveState) => LiveState) => void;

function beginStream(setState: StateChange): AbortController {
  const ending = new AbortController();
  void followServer(setState, ending.signal);
  return ending;
}

const restMs = 2_000;

async function followServer(setState: StateChange, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const refusal = await followOnce(setState, signal).catch(() => lostConnection);
    if (signal.aborted) return;
    setState(refusal);
    if (refusal === wantToken) return;
    await untilRested(signal);
  }
}

/** As a change of what is shown: what was read before stays to be seen. */
const lostConnection = (before: LiveState): LiveState => ({
  ...before,
  problem: 'no connection: this is how it was before',
});

const wantToken = (): LiveState => ({
  ...emptyState,
  needsToken: true,
  ...(readToken() === '' ? {} : { problem: 'the cluster does not take this token; it may have ended' }),
});

async function followOnce(setState: StateChange, signal: AbortSignal): Promise<(before: LiveState) => LiveState> {
  const response = await askServer('/api/events', signal);
  const { status, ok, body } = response;
  if (status === 401) return wantToken;
  if (!ok || body === null) {
    const problem = await readServerRefusal(response);
    return (before) => ({ ...before, problem });
  }
  for await (const data of readEvents(body)) {
    const message = JSON.parse(data) as FeedMessage;
    setState((before) => receiveFeedMessage(before, message));
  }
  return lostConnection;
}

/** A short rest before the next attempt. */
export const untilRested = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    AbortSignal.any([signal, AbortSignal.timeout(restMs)]).addEventListener('abort', () => resolve(), { once: true });
  });
