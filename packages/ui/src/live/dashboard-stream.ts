import { applyDashboardChanges, type Dashboard, emptyDashboard, type FeedMessage } from '@nodewright/dashboard/rows';
import { useEffect, useState } from 'preact/hooks';

/** What the page knows now. */
export type LiveState = {
  readonly dashboard: Dashboard;
  /** False until the cluster has been read once. */
  readonly isComplete: boolean;
  readonly problem?: string;
};

const emptyState: LiveState = { dashboard: emptyDashboard, isComplete: false };

/** The state that a message leads to. */
export function receiveFeedMessage({ dashboard: before }: LiveState, message: FeedMessage): LiveState {
  const { dashboard, changes, isComplete, problem } = message;
  const whole = dashboard ?? before;
  return {
    dashboard: changes === undefined ? whole : applyDashboardChanges(whole, changes),
    isComplete,
    ...(problem === undefined ? {} : { problem }),
  };
}

/**
 * Follows the server. The browser connects again by itself, and the first message of a connection has everything. A page
 * that is left may be kept for the way back: it gives its connection up, because a browser has only a few to one address.
 */
export function useDashboardStream(): LiveState {
  const [state, setState] = useState(emptyState);
  useEffect(() => {
    let source = openStream(setState);
    const leave = (): void => source.close();
    const comeBack = ({ persisted }: PageTransitionEvent): void => {
      if (persisted) source = openStream(setState);
    };
    addEventListener('pagehide', leave);
    addEventListener('pageshow', comeBack);
    return () => {
      removeEventListener('pagehide', leave);
      removeEventListener('pageshow', comeBack);
      source.close();
    };
  }, []);
  return state;
}

type StateChange = (change: (before: LiveState) => LiveState) => void;

function openStream(setState: StateChange): EventSource {
  const source = new EventSource('/api/events');
  source.addEventListener('message', ({ data }: MessageEvent<string>) => {
    const message = JSON.parse(data) as FeedMessage;
    setState((before) => receiveFeedMessage(before, message));
  });
  source.addEventListener('error', () =>
    setState((before) => ({ ...before, problem: 'no connection: this is how it was before' })),
  );
  return source;
}
