import { fromTimestamp, instant, seconds } from '@nodewright/apis';
import { viewDashboard } from '@nodewright/dashboard';
import {
  emptyHistory,
  type FeedMessage,
  type HistoryMessage,
  recordHistory,
  emptyDashboard,
} from '@nodewright/dashboard/rows';
import {
  type HttpResponse,
  inProcessTransport,
  type KubernetesClient,
  kubernetesClient,
  realTime,
} from '@nodewright/runtime';
import { aClusterReading, aNode, aPod } from '@nodewright/testkit';
import { anApiServer } from '@nodewright/testkit/worlds';
import { describe, expect, test } from 'vitest';
import { createCallerCheck } from './caller-review.ts';
import type { DashboardFeed } from './dashboard-feed.ts';
import { createDashboardHandler } from './dashboard-handler.ts';

const now = fromTimestamp('2024-03-01T12:00:00Z');

/** The page of a cluster with two nodes and a pod that waits, before a real API server. */
async function aGuardedPage(unread: readonly string[] = []) {
  const api = anApiServer();
  const { server, time, send } = api;
  const peer = { clientCertificate: { commonName: 'admin', organizations: ['system:masters'] } };
  const transport = inProcessTransport(realTime().gate, server.handle, { peer });
  const client = kubernetesClient({ transport, gate: realTime().gate, userAgent: 'page' });
  const reading = aClusterReading({ nodes: [aNode('a'), aNode('b')], pods: [aPod('waits')] });
  const dashboard = viewDashboard({ reading, reports: [], now });
  const history = recordHistory(emptyHistory, emptyDashboard, dashboard);
  let tell = (): void => undefined;
  const feed: DashboardFeed = {
    state: () => ({ dashboard, isComplete: true, unread: new Set(unread) }),
    lastReading: () => ({ reading, reports: [] }),
    history: () => history,
    clock: time.clock,
    subscribe(listener) {
      tell = listener;
      return () => undefined;
    },
    stop: () => Promise.resolve(),
  };
  const reviews = countedClient(client);
  const review = createCallerCheck({ client: reviews.client, clock: time.clock });
  const handler = createDashboardHandler({ feed, files: new Map(), allowedHosts: [], review });
  const ask = (path: string, token?: string): Promise<HttpResponse> =>
    handler(
      {
        method: 'GET',
        path,
        headers: { host: 'localhost:1', ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
        body: new Uint8Array(),
      },
      new AbortController().signal,
    );
  /** A ServiceAccount that may list so much, with a token of it. */
  const tokenFor = async (name: string, kinds: readonly string[]): Promise<string> => {
    await send('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name } });
    const rbac = '/apis/rbac.authorization.k8s.io/v1';
    const rules = kinds.map((kind) => {
      const [resource = '', ...group] = kind.split('.');
      return { apiGroups: [group.join('.')], resources: [resource], verbs: ['list'] };
    });
    await send('POST', `${rbac}/clusterroles`, { metadata: { name }, rules });
    await send('POST', `${rbac}/clusterrolebindings`, {
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
      subjects: [{ kind: 'ServiceAccount', name, namespace: 'default' }],
    });
    const { body } = await send('POST', `/api/v1/namespaces/default/serviceaccounts/${name}/token`, { spec: {} });
    return (body['status'] as { readonly token: string }).token;
  };
  return { ask, tokenFor, send, time, asked: reviews.asked, tell: () => tell() };
}

function countedClient(client: KubernetesClient) {
  const asked: string[] = [];
  const create: KubernetesClient['create'] = (type, object, options) => {
    asked.push(type.plural);
    return client.create(type, object, options);
  };
  return { client: { create }, asked };
}

const decodeAnswer = <T>({ body }: HttpResponse): T =>
  JSON.parse(Buffer.from(body as Uint8Array).toString('utf8')) as T;

const sectionsWithRows = ({ dashboard }: FeedMessage): readonly string[] =>
  Object.entries(dashboard ?? {}).flatMap(([name, rows]) => (Array.isArray(rows) && rows.length > 0 ? [name] : []));

const kindsOfPools = ['nodes', 'nodeclaims.karpenter.sh', 'nodepools.karpenter.sh'];
const everyKind = [
  ...kindsOfPools,
  'noderolloutpolicies.nodewright.dev',
  'noderollouts.nodewright.dev',
  'imagerules.nodewright.dev',
  'ec2nodeclasses.karpenter.k8s.aws',
  'disruptionpauses.nodewright.dev',
  'nodegroups.nodewright.dev',
  'pods',
  'persistentvolumeclaims',
  'poddisruptionbudgets.policy',
];

describe('the page in a controller', () => {
  test('asks for a token of the cluster before it gives data', async () => {
    const { ask } = await aGuardedPage();
    for (const path of ['/api/dashboard', '/api/events', '/api/history', '/api/explain/node/a']) {
      const { status, headers } = await ask(path);
      expect([path, status, headers['www-authenticate']]).toEqual([path, 401, 'Bearer']);
      expect((await ask(path, 'made-up')).status).toBe(401);
    }
  });

  for (const { fact, kinds, sections, tracks, statuses } of [
    { fact: 'nothing without rights', kinds: [], sections: [], tracks: [], statuses: [403, 403] },
    {
      fact: 'nodes as they say they are to who may list nodes alone',
      kinds: ['nodes'],
      sections: ['nodes'],
      tracks: [],
      statuses: [403, 403],
    },
    {
      fact: 'waiting pods without a reason to who may list nodes and pods',
      kinds: ['nodes', 'pods'],
      sections: ['nodes', 'waiting'],
      tracks: [],
      statuses: [403, 403],
    },
    {
      fact: 'costs to who may list pools and nodes',
      kinds: kindsOfPools,
      sections: ['nodes', 'spending'],
      tracks: [],
      statuses: [403, 403],
    },
    {
      fact: 'waiting pods, and no sentence about nodes, to who may not list budgets',
      kinds: everyKind.filter((kind) => kind !== 'poddisruptionbudgets.policy'),
      sections: ['nodes', 'spending', 'waiting'],
      tracks: ['waiting'],
      statuses: [403, 200],
    },
    {
      fact: 'everything to who may list everything',
      kinds: everyKind,
      sections: ['nodes', 'spending', 'waiting'],
      tracks: ['nodes', 'waiting'],
      statuses: [200, 200],
    },
  ]) {
    test(`shows ${fact}`, async () => {
      const { ask, tokenFor } = await aGuardedPage();
      const token = await tokenFor('reader', kinds);
      expect(sectionsWithRows(decodeAnswer<FeedMessage>(await ask('/api/dashboard', token))).toSorted()).toEqual(
        sections,
      );
      const paths = ['/api/explain/node/a', '/api/explain/pod/default/waits'];
      const explained = await Promise.all(paths.map((path) => ask(path, token)));
      expect(explained.map(({ status }) => status)).toEqual(statuses);
      const { history } = decodeAnswer<HistoryMessage>(await ask('/api/history', token));
      const kept = new Set(history?.base.map(({ track }) => track));
      expect([...kept].toSorted()).toEqual(tracks);
    });
  }

  test('shows nobody what rests on kinds that the controller may not read', async () => {
    const { ask, tokenFor } = await aGuardedPage(['poddisruptionbudgets.policy']);
    const message = decodeAnswer<FeedMessage>(await ask('/api/dashboard', await tokenFor('reader', everyKind)));
    expect(message.hidden?.blockers).toEqual(['poddisruptionbudgets.policy']);
    expect([message.hidden?.spending, message.hidden?.podReasons]).toEqual([undefined, undefined]);
  });

  test('asks the API server once in a while, and takes back what somebody loses', async () => {
    const { ask, tokenFor, send, time, asked, tell } = await aGuardedPage();
    const token = await tokenFor('reader', everyKind);
    const { body } = await ask('/api/events', token);
    const events = (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
    const next = async (): Promise<FeedMessage> =>
      JSON.parse(
        Buffer.from((await events.next()).value as Uint8Array)
          .toString('utf8')
          .slice('data: '.length),
      ) as FeedMessage;
    expect(sectionsWithRows(await next())).toContain('nodes');
    await ask('/api/dashboard', token);
    expect(asked.filter((plural) => plural === 'tokenreviews')).toHaveLength(1);
    await send('DELETE', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/reader');
    await time.run(instant(time.clock.now() + seconds(31)));
    tell();
    const after = await next();
    expect([sectionsWithRows(after), after.hidden?.spending]).toEqual([[], kindsOfPools]);
    await send('DELETE', '/api/v1/namespaces/default/serviceaccounts/reader');
    await time.run(instant(time.clock.now() + seconds(31)));
    tell();
    expect((await events.next()).done).toBe(true);
  });

  test('says so where the API server reviews no tokens for it', async () => {
    const review = createCallerCheck({
      client: { create: () => Promise.reject(new Error('tokenreviews is forbidden')) },
      clock: (await aGuardedPage()).time.clock,
    });
    await expect(review({ authorization: 'Bearer x' })).rejects.toThrow('forbidden');
  });
});
