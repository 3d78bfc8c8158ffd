import { pipeline, Readable } from 'node:stream';
import { constants, createGzip } from 'node:zlib';
import { type Dashboard, compareDashboards, type FeedMessage, listMissingKinds } from '@nodewright/dashboard/rows';
import { restrictDashboard } from '@nodewright/dashboard';
import type { HttpResponse } from '@nodewright/runtime';
import { lacksAwsAlone } from './aws-silence.ts';
import type { CallerSight } from './caller-review.ts';
import type { DashboardFeed, FeedState } from './dashboard-feed.ts';

type FeedStream = {
  readonly feed: DashboardFeed;
  readonly signal: AbortSignal;
  readonly isCompressed: boolean;
  /** What the reader gets to see now; `undefined` ends the stream. */
  readonly reviewAgain: () => Promise<CallerSight | undefined>;
};

/** Server-sent events: the whole dashboard first, then what has changed since the message before, as fast as the reader reads. */
export function streamFeed(stream: FeedStream): HttpResponse {
  const events = followFeed(stream);
  return {
    status: 200,
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      ...(stream.isCompressed ? { 'content-encoding': 'gzip' } : {}),
    },
    body: stream.isCompressed ? compressEvents(events) : events,
  };
}

type SentState = { readonly dashboard: Dashboard; readonly hidden: string };

async function* followFeed({ feed, signal, reviewAgain }: FeedStream): AsyncGenerator<Uint8Array> {
  let isNew = true;
  let resume = (): void => undefined;
  const call = (): void => {
    isNew = true;
    resume();
  };
  const unsubscribe = feed.subscribe(call);
  signal.addEventListener('abort', call, { once: true });
  let sent: SentState | undefined;
  try {
    while (!signal.aborted) {
      if (isNew) {
        isNew = false;
        const sight = await reviewAgain().catch(() => undefined);
        if (sight === undefined) return;
        const state = restrictFeedState(feed, sight);
        // Whoever gets to see more or less than before gets everything again.
        const hidden = Object.keys(sight.hidden).join(',');
        yield writeEvent(buildFeedMessage(sent?.hidden === hidden ? sent.dashboard : undefined, state, sight));
        sent = { dashboard: state.dashboard, hidden };
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

/** Everything that a reader gets to see now. */
export const describeFeedState = (feed: DashboardFeed, sight: CallerSight): FeedMessage =>
  buildFeedMessage(undefined, restrictFeedState(feed, sight), sight);

type ShownState = Pick<FeedState, 'dashboard' | 'isComplete' | 'problem' | 'untold'>;

/** What stands in the way of a newer dashboard may name anything: it is for those who may see everything. */
function restrictFeedState(feed: DashboardFeed, { hidden, isOwnReading = false }: CallerSight): ShownState {
  const { dashboard, isComplete, problem, untold } = feed.state();
  const isTold = isOwnReading || lacksAwsAlone(listMissingKinds(hidden));
  return {
    dashboard: restrictDashboard(dashboard, hidden, feed.lastReading()?.reading),
    isComplete,
    ...(problem === undefined
      ? {}
      : { problem: isTold ? problem : 'the cluster cannot be read now; an administrator sees why' }),
    ...(untold === undefined
      ? {}
      : { untold: isTold ? untold : 'AWS does not answer the server of this page; an administrator sees why' }),
  };
}

function buildFeedMessage(
  sent: Dashboard | undefined,
  { dashboard, isComplete, problem, untold }: ShownState,
  { hidden, mayTest }: CallerSight,
): FeedMessage {
  return {
    ...(sent === undefined ? { dashboard } : { changes: compareDashboards(sent, dashboard) }),
    isComplete,
    ...(problem === undefined ? {} : { problem }),
    ...(untold === undefined ? {} : { untold }),
    ...(Object.keys(hidden).length === 0 ? {} : { hidden }),
    ...(mayTest ? { mayTest } : {}),
  };
}

const writeEvent = (message: FeedMessage): Uint8Array => Buffer.from(`data: ${JSON.stringify(message)}\n\n`);

/** Each event leaves at once: the compressor is flushed after it. */
function compressEvents(events: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const gzip = createGzip({ flush: constants.Z_SYNC_FLUSH });
  // A reader that disconnects ends both; that is not reported.
  pipeline(Readable.from(events), gzip, () => undefined);
  return gzip as AsyncIterable<Buffer>;
}
