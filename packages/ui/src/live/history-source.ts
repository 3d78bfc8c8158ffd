import {
  type ClusterHistory,
  emptyHistory,
  extendHistory,
  type ForeseenChanges,
  type HistoryMessage,
} from '@nodewright/dashboard/rows';
import { useEffect, useRef, useState } from 'preact/hooks';
import { askServer } from './ask-server.ts';

/** What the page knows of the past and of what is expected. */
export type HistoryState = {
  readonly history: ClusterHistory;
  /** That of the last message. */
  readonly mark?: string;
  readonly forecast?: ForeseenChanges;
  readonly problem?: string;
};

/** The history that a message leads to. */
export function receiveHistory({ history }: HistoryState, message: HistoryMessage): HistoryState {
  const { forecast, more, mark } = message;
  return {
    history: message.history ?? (more === undefined ? history : extendHistory(history, more)),
    mark,
    ...(forecast === undefined ? {} : { forecast }),
  };
}

/** The history of the server: all of it at first, then what is new whenever the cluster has been read again. */
export function useHistory(at: string): HistoryState | undefined {
  const [known, setKnown] = useState<HistoryState>();
  const latest = useRef<HistoryState | undefined>(undefined);
  useEffect(() => {
    const ending = new AbortController();
    void askHistory(latest.current?.mark, ending.signal).then((message) => {
      if (ending.signal.aborted) return;
      const before = latest.current ?? { history: emptyHistory };
      latest.current = typeof message === 'string' ? { ...before, problem: message } : receiveHistory(before, message);
      setKnown(latest.current);
    });
    return () => ending.abort();
  }, [at]);
  return known;
}

async function askHistory(mark: string | undefined, signal: AbortSignal): Promise<HistoryMessage | string> {
  const after = mark === undefined ? '' : `?after=${encodeURIComponent(mark)}`;
  try {
    const response = await askServer(`/api/history${after}`, signal);
    return response.ok ? ((await response.json()) as HistoryMessage) : `status ${response.status}`;
  } catch {
    return 'no connection';
  }
}
