import { fromTimestamp, type NodeRolloutPolicy, type RolloutReceiver } from '@nodewright/apis';
import { viewDashboard } from '@nodewright/dashboard';
import { emptyHistory } from '@nodewright/dashboard/rows';
import { receiverKey } from '@nodewright/engine';
import { type HttpResponse, inProcessTransport, kubernetesClient, realTime } from '@nodewright/runtime';
import { aClusterReading } from '@nodewright/testkit';
import { anApiServer, FakeWeb } from '@nodewright/testkit/worlds';
import { describe, expect, test } from 'vitest';
import { createCallerCheck } from './caller-review.ts';
import type { DashboardFeed } from './dashboard-feed.ts';
import { createDashboardHandler } from './dashboard-handler.ts';
import { createOwnRightsCheck } from './own-rights.ts';

const now = fromTimestamp('2024-03-01T12:00:00Z');
const password = 'T0P-S3CRET';
const receiver: RolloutReceiver = { format: 'Slack', url: `https://hooks.example/${password}` };
const policy: NodeRolloutPolicy = {
  metadata: { name: 'production' },
  spec: { preset: 'standard', notify: [receiver] },
};
const wanted = { policy: 'production', receiver: receiverKey(receiver) };

/** The page of a cluster with a policy, before a real API server that says who may do what. */
function aTestingPage(kind: 'nodewright ui' | 'the controller') {
  const { server, time, send } = anApiServer();
  const web = new FakeWeb();
  const clientOf = (commonName: string, organizations: readonly string[] = []) => {
    const peer = { clientCertificate: { commonName, organizations } };
    const transport = inProcessTransport(realTime().gate, server.handle, { peer });
    return kubernetesClient({ transport, gate: realTime().gate, userAgent: 'page' });
  };
  const admin = clientOf('admin', ['system:masters']);
  const client = kind === 'nodewright ui' ? clientOf('person') : admin;
  const reading = aClusterReading({ rolloutObjects: { policies: [policy] } });
  const dashboard = viewDashboard({ reading, reports: [], now });
  const feed: DashboardFeed = {
    state: () => ({ dashboard, isComplete: true }),
    lastReading: () => ({ reading, reports: [] }),
    history: () => emptyHistory,
    clock: time.clock,
    subscribe: () => () => undefined,
    stop: () => Promise.resolve(),
  };
  const ports = { client, clock: time.clock };
  const review = kind === 'nodewright ui' ? createOwnRightsCheck(ports) : createCallerCheck(ports);
  const testing = { client: admin, web, clusterName: 'prod' };
  const handler = createDashboardHandler({ feed, files: new Map(), allowedHosts: [], review, testing });
  const tell = (request: unknown, headers: Readonly<Record<string, string>> = {}): Promise<HttpResponse> =>
    handler(
      {
        method: 'POST',
        path: '/api/notifications/test',
        headers: { host: 'localhost:1', 'content-type': 'application/json', ...headers },
        body: Buffer.from(JSON.stringify(request)),
      },
      new AbortController().signal,
    );
  /** Lets somebody list what the notifications are made from, and patch policies or not. */
  const allow = async (subject: object, verbs: readonly string[]): Promise<void> => {
    const rbac = '/apis/rbac.authorization.k8s.io/v1';
    const resources = ['noderolloutpolicies', 'noderollouts', 'imagerules'];
    const rules = [{ apiGroups: ['nodewright.dev'], resources, verbs }];
    await send('POST', `${rbac}/clusterroles`, { metadata: { name: 'tester' }, rules });
    await send('POST', `${rbac}/clusterrolebindings`, {
      metadata: { name: 'tester' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'tester' },
      subjects: [subject],
    });
  };
  return { web, tell, allow, send };
}

const readAnswer = ({ body }: HttpResponse): unknown => JSON.parse(Buffer.from(body as Uint8Array).toString('utf8'));

const person = { kind: 'User', name: 'person' };

describe('a receiver of notifications is tried', () => {
  test.each([
    { who: 'who may patch policies', verbs: ['list', 'patch'], status: 200, sent: 1 },
    { who: 'nobody who may only list them', verbs: ['list'], status: 403, sent: 0 },
  ])('by $who, in nodewright ui', async ({ verbs, status, sent }) => {
    const { web, tell, allow } = aTestingPage('nodewright ui');
    web.serve('https://hooks.example', 200);
    await allow(person, verbs);
    expect((await tell(wanted)).status).toBe(status);
    expect(web.requests).toHaveLength(sent);
  });

  test.each([
    { who: 'who may patch policies', verbs: ['list', 'patch'], status: 200, sent: 1 },
    { who: 'nobody who may only list them', verbs: ['list'], status: 403, sent: 0 },
  ])('by $who, in the controller', async ({ verbs, status, sent }) => {
    const { web, tell, allow, send } = aTestingPage('the controller');
    web.serve('https://hooks.example', 200);
    const account = { kind: 'ServiceAccount', name: 'person', namespace: 'default' };
    await send('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'person' } });
    await allow(account, verbs);
    const { body } = await send('POST', '/api/v1/namespaces/default/serviceaccounts/person/token', { spec: {} });
    const { token } = body['status'] as { readonly token: string };
    expect((await tell(wanted)).status).toBe(401);
    expect((await tell(wanted, { authorization: `Bearer ${token}` })).status).toBe(status);
    expect(web.requests).toHaveLength(sent);
  });

  test('with a message that says what it is', async () => {
    const { web, tell, allow } = aTestingPage('nodewright ui');
    web.serve('https://hooks.example', 200);
    await allow(person, ['list', 'patch']);
    expect(readAnswer(await tell(wanted))).toEqual({ isTaken: true });
    expect(web.posted('https://hooks.example')).toEqual([
      {
        text: '*Test* prod: This is a test of whether messages of NodeRolloutPolicy production arrive here',
      },
    ]);
  });

  test('and what it answers is shown without the password in its address', async () => {
    const { web, tell, allow } = aTestingPage('nodewright ui');
    web.serve('https://hooks.example', 410);
    await allow(person, ['list', 'patch']);
    const answer = readAnswer(await tell(wanted));
    expect(answer).toEqual({ isTaken: false, because: 'https://hooks.example answers 410' });
    expect(JSON.stringify(answer)).not.toContain(password);
  });

  test('from no other page, by no form, and only where the policy has it', async () => {
    const { web, tell, allow } = aTestingPage('nodewright ui');
    await allow(person, ['list', 'patch']);
    const statuses = [
      await tell(wanted, { origin: 'https://evil.test' }),
      await tell(wanted, { origin: 'https://localhost:1', 'sec-fetch-site': 'cross-site' }),
      await tell(wanted, { 'content-type': 'text/plain' }),
      await tell({ ...wanted, receiver: 'other' }),
      await tell({ policy: 1 }),
      await tell('text'),
    ].map(({ status }) => status);
    expect(statuses).toEqual([403, 403, 415, 404, 400, 400]);
    expect(web.requests).toEqual([]);
    await tell(wanted, { origin: 'https://localhost:1', 'sec-fetch-site': 'same-origin' });
    expect(web.requests).toHaveLength(1);
  });
});
