import { listKarpenterCrds } from '@nodewright/apis';
import { type FeedMessage, listMissingKinds } from '@nodewright/dashboard/rows';
import { type HttpResponse, inProcessTransport, kubernetesClient, realTime } from '@nodewright/runtime';
import { aNode, fakeCloud } from '@nodewright/testkit';
import { anApiServer } from '@nodewright/testkit/worlds';
import { onTestFinished, expect, test } from 'vitest';
import { readSchedulingSettings } from '../controller/scheduling-settings.ts';
import { listTopLines, summarizeDashboard } from '../commands/top/top-lines.ts';
import { type DashboardFeed, startDashboardFeed } from './dashboard-feed.ts';
import { createDashboardHandler } from './dashboard-handler.ts';
import { createOwnRightsCheck } from './own-rights.ts';
import { createPageForecasts } from './page-forecasts.ts';

const { clock, gate } = realTime();

/** `nodewright ui` of somebody who may list and watch these kinds, before an API server with two nodes and a pod that waits. */
async function aPageOf(kinds: readonly string[], { hasDefinitions = true } = {}) {
  const { server, send } = anApiServer();
  for (const definition of hasDefinitions ? listKarpenterCrds() : [])
    await send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
  await send('POST', '/api/v1/nodes', aNode('a').node);
  await send('POST', '/api/v1/nodes', aNode('b').node);
  await send('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
  const waits = { metadata: { name: 'waits' }, spec: { containers: [{ name: 'main', image: 'pause' }] } };
  await send('POST', '/api/v1/namespaces/default/pods', waits);
  const rbac = '/apis/rbac.authorization.k8s.io/v1';
  const rules = kinds.map((kind) => {
    const [resource = '', ...group] = kind.split('.');
    return { apiGroups: [kind === '*' ? '*' : group.join('.')], resources: [resource], verbs: ['list', 'watch'] };
  });
  await send('POST', `${rbac}/clusterroles`, { metadata: { name: 'reader' }, rules });
  await send('POST', `${rbac}/clusterrolebindings`, {
    metadata: { name: 'reader' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'reader' },
    subjects: [{ kind: 'User', name: 'person', apiGroup: 'rbac.authorization.k8s.io' }],
  });
  const peer = { clientCertificate: { commonName: 'person', organizations: [] } };
  const transport = inProcessTransport(gate, server.handle, { peer });
  const client = kubernetesClient({ transport, gate, userAgent: 'page' });
  const cloud = fakeCloud({ now: () => clock.now(), instanceTypes: [], images: () => [] });
  const scheduling = readSchedulingSettings({}, {});
  const feed = startDashboardFeed({ client, cloud, clock, scheduling, keepsHistory: true });
  onTestFinished(() => feed.stop());
  await untilComplete(feed);
  const forecasts = createPageForecasts({ takeSnapshot: () => new Promise(() => undefined), forecast: async () => '' });
  const review = createOwnRightsCheck({ client, clock });
  const handler = createDashboardHandler({ feed, files: new Map(), allowedHosts: [], review, forecasts });
  const ask = (method: string, path: string): Promise<HttpResponse> =>
    handler(
      {
        method,
        path,
        headers: { host: 'localhost:1', 'content-type': 'application/json' },
        body: Buffer.from('{}'),
      },
      new AbortController().signal,
    );
  return { feed, ask };
}

const untilComplete = (feed: DashboardFeed): Promise<void> =>
  new Promise((resolve) => {
    const end = feed.subscribe(() => {
      if (!feed.state().isComplete) return;
      end();
      resolve();
    });
  });

const readBody = <T>({ body }: HttpResponse): T => JSON.parse(Buffer.from(body as Uint8Array).toString('utf8')) as T;

const seen = async ({ ask }: Awaited<ReturnType<typeof aPageOf>>): Promise<FeedMessage> =>
  readBody<FeedMessage>(await ask('GET', '/api/dashboard'));

test('shows nodes as they say they are to who may read nodes alone, and names what it leaves out', async () => {
  const page = await aPageOf(['nodes']);
  const { dashboard, hidden = {}, problem } = await seen(page);
  expect(dashboard?.nodes.map(({ id, answer, pods }) => ({ id, answer, pods }))).toEqual([
    { id: 'a', answer: 'is ready', pods: undefined },
    { id: 'b', answer: 'is ready', pods: undefined },
  ]);
  expect([problem, dashboard?.waiting, hidden.nodes, hidden.nodeUse, hidden.waiting]).toEqual([
    undefined,
    [],
    undefined,
    ['pods'],
    ['pods'],
  ]);
  expect(hidden.blockers).toContain('poddisruptionbudgets.policy');
  expect(hidden.savings).toContain('daemonsets.apps');
});

test('every kind that it reads is missed by some part', async () => {
  const page = await aPageOf([]);
  const { hidden = {} } = await seen(page);
  const { unread = new Set() } = page.feed.state();
  expect(unread.size).toBeGreaterThan(15);
  expect(listMissingKinds(hidden).toSorted()).toEqual([...unread].toSorted());
});

test('kinds that the API server does not have are not missed', async () => {
  const { feed } = await aPageOf(['nodes', 'pods'], { hasDefinitions: false });
  expect([...(feed.state().unread ?? [])].filter((kind) => /karpenter|nodewright/.test(kind))).toEqual([]);
});

test('a waiting pod is shown with what the scheduler says to who may read pods alone', async () => {
  const { dashboard, hidden = {} } = await seen(await aPageOf(['pods']));
  expect(dashboard?.waiting.map(({ answer, names }) => [answer, names])).toEqual([
    ['waits for a node', ['default/waits']],
  ]);
  expect([hidden.podReasons?.includes('nodes'), hidden.nodes]).toEqual([true, ['nodes']]);
});

test.each([
  ['POST', '/api/forecast', 'a forecast is made of the whole cluster: it needs the right to list nodeclaims'],
  ['GET', '/api/explain/node/a', 'an explanation of node/a is not shown to you: it needs the right to list nodeclaims'],
  ['GET', '/api/explain/pod/default/waits', 'an explanation of pod/default/waits is not shown to you'],
])('%s %s is refused at once, with the missing rights', async (method, path, why) => {
  const answer = await (await aPageOf(['nodes', 'pods'])).ask(method, path);
  expect([answer.status, readBody<{ readonly error: string }>(answer).error]).toEqual([
    403,
    expect.stringContaining(why),
  ]);
});

test('who sees everything has a forecast made', async () => {
  const page = await aPageOf(['*']);
  expect((await seen(page)).hidden).toBeUndefined();
  expect((await page.ask('POST', '/api/forecast')).status).toBe(202);
});

test('the terminal view says what it leaves out', async () => {
  const { dashboard, hidden } = await seen(await aPageOf(['nodes']));
  if (dashboard === undefined || hidden === undefined) throw new Error('nothing was sent');
  const linesOf = (view: 'nodes' | 'pods') => listTopLines({ dashboard, hidden }, view, 10_000).map(({ text }) => text);
  expect(linesOf('pods')).toEqual([
    'waiting pods are not shown to you: you would need the right to list pods in the whole cluster',
  ]);
  expect(linesOf('nodes')[0]).toMatch(
    /^what is to become of nodes.* not shown to you: you would need the right to list/,
  );
  expect(linesOf('nodes')[1]?.trim().split(/ +/)).toEqual(['NODE', 'STATE', 'IMAGE', 'AGE', 'TYPE']);
  expect(summarizeDashboard({ dashboard, hidden })).toBe(`${dashboard.at} | 2 nodes: 2 ready`);
});
