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

/** Follows the server. The browser connects again by itself, and the first message of a connection has everything. */
export function useDashboardStream(): LiveState {
  const [state, setState] = useState(emptyState);
  useEffect(() => {
    const source = new EventSource('/api/events');
    source.addEventListener('message', ({ data }: MessageEvent<string>) => {
      const message = JSON.parse(data) as FeedMessage;
      setState((before) => receiveFeedMessage(before, message));
    });
    source.addEventListener('error', () =>
      setState((before) => ({ ...before, problem: 'no connection: this is how it was before' })),
    );
    return () => source.close();
  }, []);
  return state;
}
