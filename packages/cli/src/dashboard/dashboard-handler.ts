import { gzipSync } from 'node:zlib';
import { NoSuchObjectError, restrictForecast, restrictHistory } from '@nodewright/dashboard';
import {
  type ClusterHistory,
  describeMissingRights,
  findPartOfExplanation,
  type ForeseenChanges,
  type HistoryMessage,
  listMissingKinds,
  sendHistorySince,
} from '@nodewright/dashboard/rows';
import type { HttpRequest, HttpResponse, RequestHandler } from '@nodewright/runtime';
import { refuseForeignRequests } from '@nodewright/sandbox';
import { admitEverybody, type CallerCheck, type CallerSight } from './caller-review.ts';
import type { DashboardFeed } from './dashboard-feed.ts';
import { describeFeedState, streamFeed } from './event-stream.ts';
import { explainRow } from './explain-row.ts';
import { hideUnread } from './hide-unread.ts';
import type { PageForecasts } from './page-forecasts.ts';
import { parseReceiverTrial, type TestingPorts, tryReceiver } from './receiver-trial.ts';
import type { PageFile, PageFiles } from './page-files.ts';

type DashboardServing = {
  readonly feed: DashboardFeed;
  readonly files: PageFiles;
  /** Names beside the loopback ones under which browsers reach the port. */
  readonly allowedHosts: readonly string[];
  /** What is expected of the coming hours. */
  readonly forecast?: () => ForeseenChanges | undefined;
  /** Forecasts that readers ask for [they cannot]. */
  readonly forecasts?: PageForecasts;
  /** Who gets to see what [everybody sees everything]. */
  readonly review?: CallerCheck;
  /** What receivers of notifications are tried with [they are not]. */
  readonly testing?: TestingPorts;
};

type ReviewedServing = DashboardServing & { readonly review: CallerCheck };

/**
 * The page and its data. Nothing here writes to the cluster; requests of other pages are refused. The one thing that a request
 * can bring about is a message of a test to a receiver of notifications, and a forecast, which only reads.
 */
export function createDashboardHandler({ review = admitEverybody, ...traits }: DashboardServing): RequestHandler {
  const { feed, files, allowedHosts } = traits;
  const serving = { ...traits, review: hideUnread(review, feed) };
  const handle: RequestHandler = async (request, signal) => {
    const path = readPath(request);
    if (path === testPath && request.method === 'POST') return answerTest(request, signal, serving);
    if (path === forecastPath && request.method === 'POST') return changeForecast('begin', request, serving);
    if (path === cancelPath && request.method === 'POST') return changeForecast('cancel', request, serving);
    if (request.method !== 'GET') return writeJson(405, { error: 'only GET is served here' });
    if (path.startsWith('/api/')) return answerData(request, signal, serving);
    const file = files.get(path) ?? (isViewPath(path) ? files.get('/') : undefined);
    return file === undefined ? writeJson(404, { error: `there is no ${path}` }) : writeFile(file);
  };
  return letOwnPagesThrough(refuseForeignRequests(handle, allowedHosts));
}

const readPath = ({ path }: HttpRequest): string => path.split('?')[0] ?? '/';

/** The page itself holds no data. Its data is given to whom the review knows, as far as that one may see it. */
async function answerData(request: HttpRequest, signal: AbortSignal, serving: ReviewedServing): Promise<HttpResponse> {
  const { feed, forecast, forecasts, review } = serving;
  const path = readPath(request);
  const reviewAgain = (): Promise<CallerSight | undefined> => review(request.headers);
  const sight = await reviewAgain().catch((failure: unknown) => failure as Error);
  if (sight instanceof Error)
    return writeJson(503, { error: `the API server cannot be asked who you are: ${sight.message}` });
  if (sight === undefined) return askForToken();
  if (path === '/api/events') return streamFeed({ feed, signal, isCompressed: acceptsGzip(request), reviewAgain });
  if (path === '/api/history')
    return writeJson(
      200,
      readHistory(request, sight, { feed, forecast: chooseLatest(forecast?.(), forecasts?.last()), forecasts }),
      acceptsGzip(request),
    );
  if (path === '/api/dashboard') return writeJson(200, describeFeedState(feed, sight));
  if (path.startsWith(explainPrefix)) return answerExplanation(path.slice(explainPrefix.length), sight, feed);
  return writeJson(404, { error: `there is no ${path}` });
}

const testPath = '/api/notifications/test';

async function answerTest(request: HttpRequest, signal: AbortSignal, serving: ReviewedServing): Promise<HttpResponse> {
  const { feed, review, testing } = serving;
  const sight = await review(request.headers).catch(() => undefined);
  if (sight === undefined) return askForToken();
  if (!sight.mayTest || sight.hidden.notifications !== undefined || testing === undefined)
    return writeJson(403, { error: 'a test needs the right to patch NodeRolloutPolicies' });
  const refusal = refuseOtherTypes(request);
  if (refusal !== undefined) return refusal;
  const test = parseReceiverTrial(request.body);
  const last = feed.lastReading();
  if (test === undefined || last === undefined) return writeJson(400, { error: 'the request names no receiver' });
  const answer = await tryReceiver(testing, last, test, signal);
  return answer === undefined
    ? writeJson(404, { error: `NodeRolloutPolicy ${test.policy} has no such receiver any more` })
    : writeJson(200, answer);
}

const forecastPath = '/api/forecast';

const cancelPath = `${forecastPath}/cancel`;

/** A forecast is made of the whole cluster: whoever sees a part of it cannot ask for one. */
async function changeForecast(
  change: 'begin' | 'cancel',
  request: HttpRequest,
  serving: ReviewedServing,
): Promise<HttpResponse> {
  const { feed, forecasts, review } = serving;
  const sight = await review(request.headers).catch(() => undefined);
  if (sight === undefined) return askForToken();
  if (forecasts === undefined)
    return writeJson(403, { error: 'no forecast is made here: `nodewright forecast` makes one' });
  const missing = listMissingKinds(sight.hidden);
  if (missing.length > 0)
    return writeJson(403, {
      error: `a forecast is made of the whole cluster: it needs ${describeMissingRights(missing)}`,
    });
  const refusal = refuseOtherTypes(request);
  if (refusal !== undefined) return refusal;
  // Which rights the reader of the cluster has is known by then.
  if (feed.lastReading() === undefined) return writeJson(503, { error: unreadYet });
  forecasts[change]();
  return writeJson(202, forecasts.standing());
}

/** No form of another page can send this type without being asked about. */
const refuseOtherTypes = ({ headers }: HttpRequest): HttpResponse | undefined =>
  /^application\/json\b/.test(headers['content-type'] ?? '')
    ? undefined
    : writeJson(415, { error: 'the request has to be of the type application/json' });

const askForToken = (): HttpResponse => {
  const answer = writeJson(401, { error: 'a bearer token of the cluster is needed' });
  return { ...answer, headers: { ...answer.headers, 'www-authenticate': 'Bearer' } };
};

const unreadYet = 'the cluster has not been read yet';

const explainPrefix = '/api/explain/';

/** Every view has a path of its own, and the page draws the one that it is opened with. */
const isViewPath = (path: string): boolean => /^\/[a-z]+$/.test(path);

/**
 * A link to a view may be followed from anywhere. The page that it opens holds no data, and no other page can read it or put
 * it into a frame; the Host is checked all the same.
 */
const letOwnPagesThrough =
  (handle: RequestHandler): RequestHandler =>
  (request, signal, serving) =>
    handle(
      isNavigationToView(request) ? withoutSite(request) : isOfSecurePage(request) ? withoutOrigin(request) : request,
      signal,
      serving,
    );

/** Behind a proxy with TLS, the origin of the page itself begins with https. */
const isOfSecurePage = ({ headers }: HttpRequest): boolean =>
  headers['sec-fetch-site'] === 'same-origin' && headers['origin'] === `https://${headers['host'] ?? ''}`;

function withoutOrigin(request: HttpRequest): HttpRequest {
  const { origin: _, ...headers } = request.headers;
  return { ...request, headers };
}

const isNavigationToView = ({ method, path, headers }: HttpRequest): boolean =>
  method === 'GET' &&
  !path.startsWith('/api/') &&
  headers['sec-fetch-mode'] === 'navigate' &&
  headers['sec-fetch-dest'] === 'document';

function withoutSite(request: HttpRequest): HttpRequest {
  const { 'sec-fetch-site': _, ...headers } = request.headers;
  return { ...request, headers };
}

type HistorySources = {
  readonly feed: DashboardFeed;
  readonly forecast: ForeseenChanges | undefined;
  readonly forecasts: PageForecasts | undefined;
};

/** What was foreseen last counts, whether it came from a file or was asked for here. */
const chooseLatest = (a: ForeseenChanges | undefined, b: ForeseenChanges | undefined): ForeseenChanges | undefined =>
  a === undefined || b === undefined ? (a ?? b) : Date.parse(a.takenAt) > Date.parse(b.takenAt) ? a : b;

/** `after=MARK` asks for what follows the message with that mark. */
function readHistory({ path }: HttpRequest, { hidden }: CallerSight, sources: HistorySources): HistoryMessage {
  const { feed, forecast, forecasts } = sources;
  const after = new URLSearchParams(path.split('?')[1]).get('after') ?? undefined;
  const reader = {
    reader: Object.keys(hidden).join(','),
    restrict: (whole: ClusterHistory) => restrictHistory(whole, hidden),
  };
  return {
    ...sendHistorySince(feed.history(), reader, after),
    ...(forecast === undefined ? {} : { forecast: restrictForecast(forecast, hidden) }),
    ...(forecasts === undefined || listMissingKinds(hidden).length > 0 ? {} : { forecasting: forecasts.standing() }),
  };
}

const acceptsGzip = ({ headers }: HttpRequest): boolean => /\bgzip\b/.test(headers['accept-encoding'] ?? '');

function answerExplanation(path: string, { hidden }: CallerSight, feed: DashboardFeed): HttpResponse {
  const missing = hidden[findPartOfExplanation(path)];
  if (missing !== undefined)
    return writeJson(403, {
      error: `an explanation of ${path} is not shown to you: it needs ${describeMissingRights(missing)}`,
    });
  const last = feed.lastReading();
  if (last === undefined) return writeJson(503, { error: unreadYet });
  try {
    return writeJson(200, explainRow(path, last, feed.clock.now()));
  } catch (failure) {
    if (failure instanceof NoSuchObjectError) return writeJson(404, { error: failure.message });
    if (failure instanceof URIError) return writeJson(400, { error: `${path} is no path of an object` });
    throw failure;
  }
}

/** Everything comes from here, and no other page shows it. */
const securityHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

const writeFile = ({ contentType, body }: PageFile): HttpResponse => ({
  status: 200,
  headers: { ...securityHeaders, 'content-type': contentType, 'cache-control': 'no-cache' },
  body,
});

function writeJson(status: number, answer: object, isCompressed = false): HttpResponse {
  const text = Buffer.from(`${JSON.stringify(answer)}\n`);
  return {
    status,
    headers: {
      ...securityHeaders,
      'content-type': 'application/json',
      'cache-control': 'no-store',
      ...(isCompressed ? { 'content-encoding': 'gzip' } : {}),
    },
    body: isCompressed ? gzipSync(text) : text,
  };
}
