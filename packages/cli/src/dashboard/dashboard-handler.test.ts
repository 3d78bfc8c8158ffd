import { gunzipSync } from 'node:zlib';
import { fromTimestamp } from '@nodewright/apis';
import { viewDashboard } from '@nodewright/dashboard';
import {
  emptyDashboard,
  emptyHistory,
  type FeedMessage,
  type HistoryMessage,
  recordHistory,
} from '@nodewright/dashboard/rows';
import type { HttpResponse } from '@nodewright/runtime';
import { virtualTime } from '@nodewright/runtime';
import { aClusterReading, aNode } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import type { DashboardFeed, FeedState } from './dashboard-feed.ts';
import { createDashboardHandler } from './dashboard-handler.ts';

const now = fromTimestamp('2024-03-01T12:00:00Z');

/** A feed that tells what a test gives it. */
function aFeed() {
  const listeners = new Set<() => void>();
  const reading = aClusterReading({ nodes: [aNode('a'), aNode('b')] });
  let state: FeedState = { dashboard: emptyDashboard, isComplete: false };
  const feed: DashboardFeed = {
    state: () => state,
    lastReading: () => (state.isComplete ? { reading, reports: [] } : undefined),
    history: () => recordHistory(emptyHistory, emptyDashboard, state.dashboard),
    clock: virtualTime(now).clock,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    stop: () => Promise.resolve(),
  };
  const show = (next: FeedState): void => {
    state = next;
    for (const listener of listeners) listener();
  };
  const whole = viewDashboard({ reading, reports: [], now });
  return { feed, show, whole, listeners };
}

const files = new Map(
  ['/', '/page.js'].map((path) => [path, { contentType: 'text/plain', body: Buffer.from(`file ${path}`) }]),
);

type RequestTraits = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
};

function aServer() {
  const fake = aFeed();
  const forecast = () => ({ takenAt: '', until: '', change: [], entries: [] });
  let begun = 0;
  const forecasts = {
    last: () => undefined,
    standing: () => ({ isRunning: begun > 0 }),
    begin: () => void (begun += 1),
    cancel: () => void (begun -= 1),
    stop: () => undefined,
  };
  const serving = { feed: fake.feed, files, allowedHosts: ['tunnel.test'], forecast, forecasts };
  const handler = createDashboardHandler(serving);
  const ask = (path: string, { method = 'GET', headers = {}, signal }: RequestTraits = {}): Promise<HttpResponse> =>
    handler(
      { method, path, headers: { host: '127.0.0.1:8080', ...headers }, body: new Uint8Array() },
      signal ?? new AbortController().signal,
    );
  return { ...fake, ask, begun: () => begun };
}

const bodyOf = ({ body }: HttpResponse): string => Buffer.from(body as Uint8Array).toString('utf8');

const navigation = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', 'sec-fetch-site': 'cross-site' };

describe('who is served', () => {
  for (const { fact, path = '/api/dashboard', headers = {}, method = 'GET', status } of [
    { fact: 'the page itself', headers: { 'sec-fetch-site': 'same-origin' }, status: 200 },
    { fact: 'a name that is allowed', headers: { host: 'tunnel.test:8080' }, status: 200 },
    { fact: 'no other name, which may be rebound to this address', headers: { host: 'evil.test' }, status: 403 },
    { fact: 'no data to another site', headers: { 'sec-fetch-site': 'cross-site' }, status: 403 },
    { fact: 'no data to another origin', headers: { origin: 'http://evil.test' }, status: 403 },
    { fact: 'no data to a navigation from another site', headers: navigation, status: 403 },
    { fact: 'a link to a view, from wherever it is followed', path: '/blockers?x=1', headers: navigation, status: 200 },
    {
      fact: 'no link to a view under another name',
      path: '/',
      headers: { ...navigation, host: 'evil.test' },
      status: 403,
    },
    { fact: 'no request that could change something', method: 'POST', status: 405 },
    { fact: 'no path outside of the page', path: '/../etc/passwd', status: 404 },
    { fact: 'no unknown data', path: '/api/secrets', status: 404 },
  ]) {
    test(fact, async () => {
      expect((await aServer().ask(path, { method, headers })).status).toBe(status);
    });
  }

  test('everything comes with a policy that lets nothing else be loaded', async () => {
    const { ask } = aServer();
    for (const path of ['/', '/page.js', '/money', '/api/dashboard', '/api/nope']) {
      const { headers } = await ask(path);
      expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'");
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });
});

describe('a forecast', () => {
  const json = { 'content-type': 'application/json' };
  test.each([
    { fact: 'is begun and cancelled by the page', headers: json, status: 202, count: 1 },
    { fact: 'is neither by a form of another page', headers: {}, status: 415, count: 0 },
    { fact: 'is neither by another page', headers: { ...json, origin: 'http://evil.test' }, status: 403, count: 0 },
  ])('$fact', async ({ headers, status, count }) => {
    const { ask, begun, show, whole } = aServer();
    show({ dashboard: whole, isComplete: true });
    expect((await ask('/api/forecast', { method: 'POST', headers })).status).toBe(status);
    expect(begun()).toBe(count);
    expect((await ask('/api/forecast/cancel', { method: 'POST', headers })).status).toBe(status);
    expect(begun()).toBe(0);
    expect(JSON.parse(bodyOf(await ask('/api/history')))).toMatchObject({ forecasting: { isRunning: false } });
  });

  test('is not begun before it is known what may be read', async () => {
    const { ask, begun } = aServer();
    expect((await ask('/api/forecast', { method: 'POST', headers: json })).status).toBe(503);
    expect(begun()).toBe(0);
  });
});

describe('explanations', () => {
  test('are those of the command line, with the command that prints them', async () => {
    const { ask, show, whole } = aServer();
    expect((await ask('/api/explain/node/a')).status).toBe(503);
    show({ dashboard: whole, isComplete: true });
    const explained = await ask('/api/explain/node/a');
    expect(JSON.parse(bodyOf(explained))).toMatchObject({
      subject: { kind: 'Node', name: 'a' },
      answer: 'stays: it is what its NodePool and NodeClass ask for',
      command: 'nodewright explain node a',
      pods: [],
    });
    const missing = await ask('/api/explain/node/nope');
    expect([missing.status, bodyOf(missing)]).toEqual([404, expect.stringContaining('there is a, b')]);
    expect((await ask('/api/explain/constructor/x')).status).toBe(404);
    expect((await ask('/api/explain/node/%zz')).status).toBe(400);
  });
});

describe('the history', () => {
  test('is sent whole at first, then what follows, with what a forecast expects', async () => {
    const { ask, show, whole } = aServer();
    show({ dashboard: whole, isComplete: true });
    const first = JSON.parse(bodyOf(await ask('/api/history'))) as HistoryMessage;
    expect(first.history?.base.map(({ id, words }) => `${id} ${words}`)).toEqual(['a ready', 'b ready']);
    expect(first.forecast?.entries).toEqual([]);
    const next = await ask(`/api/history?after=${encodeURIComponent(first.mark)}`, {
      headers: { 'accept-encoding': 'gzip' },
    });
    expect(next.headers['content-encoding']).toBe('gzip');
    const { more, history } = JSON.parse(gunzipSync(next.body as Uint8Array).toString('utf8')) as HistoryMessage;
    expect([history, more?.entries]).toEqual([undefined, []]);
  });
});

const messagesIn = (text: string): readonly FeedMessage[] =>
  [...text.matchAll(/^data: (.*)$/gm)].map(([, json = '']) => JSON.parse(json) as FeedMessage);

describe('events', () => {
  test('bring everything first, then only what has changed', async () => {
    const { ask, show, whole, listeners } = aServer();
    show({ dashboard: whole, isComplete: true });
    const ending = new AbortController();
    const { body, headers } = await ask('/api/events', { signal: ending.signal });
    expect(headers['content-type']).toContain('text/event-stream');
    const events = (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
    const next = async (): Promise<FeedMessage | undefined> =>
      messagesIn(Buffer.from((await events.next()).value as Uint8Array).toString('utf8'))[0];
    expect((await next())?.dashboard?.nodes.map(({ id }) => id)).toEqual(['a', 'b']);
    const [first, ...others] = whole.nodes;
    const changed = first === undefined ? [] : [{ ...first, pods: 7 }];
    show({ dashboard: { ...whole, nodes: [...changed, ...others] }, isComplete: true, problem: 'AWS is slow' });
    const message = await next();
    expect(message?.dashboard).toBeUndefined();
    expect(message?.problem).toBe('AWS is slow');
    expect(Object.keys(message?.changes?.sections ?? {})).toEqual(['nodes']);
    expect(message?.changes?.sections.nodes?.set.map(({ id }) => id)).toEqual(['a']);
    ending.abort();
    expect((await events.next()).done).toBe(true);
    expect(listeners.size).toBe(0);
  });

  test('are compressed for who can read that, and leave at once', async () => {
    const { ask, show, whole } = aServer();
    show({ dashboard: whole, isComplete: true });
    const ending = new AbortController();
    const { body, headers } = await ask('/api/events', {
      signal: ending.signal,
      headers: { 'accept-encoding': 'gzip, br' },
    });
    expect(headers['content-encoding']).toBe('gzip');
    const chunks: Uint8Array[] = [];
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      chunks.push(chunk);
      ending.abort();
    }
    const [message] = messagesIn(gunzipSync(Buffer.concat(chunks)).toString('utf8'));
    expect(message?.dashboard?.nodes).toHaveLength(2);
  });
});
