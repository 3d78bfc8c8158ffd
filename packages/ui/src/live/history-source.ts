import {
  type ClusterHistory,
  emptyHistory,
  extendHistory,
  type ForecastStanding,
  type ForeseenChanges,
  type HistoryMessage,
} from '@nodewright/dashboard/rows';
import { useEffect, useRef, useState } from 'preact/hooks';
import { askServer, readServerRefusal } from './ask-server.ts';
import { untilRested } from './dashboard-stream.ts';

/** What the page knows of the past and of what is expected. */
export type HistoryState = {
  readonly history: ClusterHistory;
  /** That of the last message. */
  readonly mark?: string;
  readonly forecast?: ForeseenChanges;
  readonly forecasting?: ForecastStanding;
  readonly problem?: string;
};

/** The history that a message leads to. */
export function receiveHistory({ history }: HistoryState, message: HistoryMessage): HistoryState {
  const { forecast, forecasting, more, mark } = message;
  return {
    history: message.history ?? (more === undefined ? history : extendHistory(history, more)),
    mark,
    ...(forecast === undefined ? {} : { forecast }),
    ...(forecasting === undefined ? {} : { forecasting }),
  };
}

type HistorySource = { readonly known?: HistoryState; readonly lookAgain: () => void };

/** The history of the server: all of it at first, then what is new whenever the cluster has been read again. */
export function useHistory(at: string): HistorySource {
  const [known, setKnown] = useState<HistoryState>();
  const latest = useRef<HistoryState | undefined>(undefined);
  const [looks, setLooks] = useState(0);
  const lookAgain = (): void => setLooks((before) => before + 1);
  const isRunning = known?.forecasting?.isRunning === true;
  useEffect(() => {
    if (!isRunning) return;
    const ending = new AbortController();
    void untilRested(ending.signal).then(() => ending.signal.aborted || lookAgain());
    return () => ending.abort();
  }, [isRunning, looks]);
  useEffect(() => {
    const ending = new AbortController();
    void askHistory(latest.current?.mark, ending.signal).then((message) => {
      if (ending.signal.aborted) return;
      const before = latest.current ?? { history: emptyHistory };
      latest.current = typeof message === 'string' ? { ...before, problem: message } : receiveHistory(before, message);
      setKnown(latest.current);
    });
    return () => ending.abort();
  }, [at, looks]);
  return { ...(known === undefined ? {} : { known }), lookAgain };
}

async function askHistory(mark: string | undefined, signal: AbortSignal): Promise<HistoryMessage | string> {
  const after = mark === undefined ? '' : `?after=${encodeURIComponent(mark)}`;
  try {
    const response = await askServer(`/api/history${after}`, signal);
    return response.ok ? ((await response.json()) as HistoryMessage) : await readServerRefusal(response);
  } catch {
    return 'no connection';
  }
}
