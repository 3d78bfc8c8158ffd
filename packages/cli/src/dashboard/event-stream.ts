import { pipeline, Readable } from 'node:stream';
import { constants, createGzip } from 'node:zlib';
import { type Dashboard, compareDashboards, type FeedMessage } from '@nodewright/dashboard/rows';
import type { HttpResponse } from '@nodewright/runtime';
import type { DashboardFeed, FeedState } from './dashboard-feed.ts';

/** Server-sent events: the whole dashboard first, then what has changed since the message before, as fast as the reader reads. */
export function streamFeed(feed: DashboardFeed, signal: AbortSignal, isCompressed: boolean): HttpResponse {
  const events = followFeed(feed, signal);
  return {
    status: 200,
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      ...(isCompressed ? { 'content-encoding': 'gzip' } : {}),
    },
    body: isCompressed ? compressEvents(events) : events,
  };
}

async function* followFeed(feed: DashboardFeed, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  let isNew = true;
  let resume = (): void => undefined;
  const call = (): void => {
    isNew = true;
    resume();
  };
  const unsubscribe = feed.subscribe(call);
  signal.addEventListener('abort', call, { once: true });
  let sent: Dashboard | undefined;
  try {
    while (!signal.aborted) {
      if (isNew) {
        isNew = false;
        const state = feed.state();
        yield writeEvent(buildFeedMessage(sent, state));
        sent = state.dashboard;
      } else {
        await new Promise<void>((resolve) => {
          resume = resolve;
        });
      }
    }
  } finally {
    unsubscribe();
    signal.removeEventListener('abort', call);
  }
}

function buildFeedMessage(sent: Dashboard | undefined, { dashboard, isComplete, problem }: FeedState): FeedMessage {
  return {
    ...(sent === undefined ? { dashboard } : { changes: compareDashboards(sent, dashboard) }),
    isComplete,
    ...(problem === undefined ? {} : { problem }),
  };
}

const writeEvent = (message: FeedMessage): Uint8Array => Buffer.from(`data: ${JSON.stringify(message)}\n\n`);

/** Each event leaves at once: the compressor is flushed after it. */
function compressEvents(events: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const gzip = createGzip({ flush: constants.Z_SYNC_FLUSH });
  // A reader that goes away ends both; there is nobody to tell of it.
  pipeline(Readable.from(events), gzip, () => undefined);
  return gzip as AsyncIterable<Buffer>;
}
