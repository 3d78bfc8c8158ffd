import { describe, expect, test } from 'vitest';
import { anApiServer } from '@nodewright/testkit/worlds';

const namespaced = '/api/v1/namespaces/default';
const pods = `${namespaced}/pods`;
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const merge = { 'content-type': 'application/merge-patch+json' };
const containers = [
  { name: 'main', image: 'registry.example/app:1' },
  { name: 'side', image: 'registry.example/side:1' },
];

type Body = Readonly<Record<string, unknown>>;
const success = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };

describe('scale', () => {
  const withDeployment = async (replicas = 0) => {
    const api = anApiServer();
    const labels = { a: 'b' };
    await api.send('POST', deployments, {
      metadata: { name: 'web' },
      spec: { replicas, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
    });
    const scale = (method: string, body?: Body) =>
      api.send(method, `${deployments}/web/scale`, body, method === 'PATCH' ? merge : {});
    return { ...api, scale };
  };

  test('has the selector as text and leaves a zero out of its specification', async () => {
    const { scale } = await withDeployment();
    expect((await scale('GET')).body).toMatchObject({
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      metadata: { name: 'web', namespace: 'default' },
      spec: {},
      status: { replicas: 0, selector: 'a=b' },
    });
    expect((await scale('GET')).body['spec']).toEqual({});
  });

  test('changes the replicas and the generation of the deployment', async () => {
    const { send, scale } = await withDeployment();
    const { body } = await scale('GET');
    expect(await scale('PUT', { ...body, spec: { replicas: 2 } })).toMatchObject({ body: { spec: { replicas: 2 } } });
    expect(await scale('PATCH', { spec: { replicas: 3 } })).toMatchObject({ body: { spec: { replicas: 3 } } });
    expect((await send('GET', `${deployments}/web`)).body).toMatchObject({
      metadata: { generation: 3 },
      spec: { replicas: 3 },
    });
  });

  test('conflicts with an old version', async () => {
    const { scale } = await withDeployment();
    const { body } = await scale('GET');
    await scale('PATCH', { spec: { replicas: 3 } });
    const answer = await scale('PUT', { ...body, spec: { replicas: 2 } });
    expect(answer).toMatchObject({ status: 409, body: { reason: 'Conflict' } });
    expect(answer.body['message']).toContain('Operation cannot be fulfilled on deployments.apps "web"');
  });

  const refused = [
    {
      fact: 'a negative number',
      body: { metadata: { name: 'web' }, spec: { replicas: -1 } },
      status: 422,
      message:
        'Scale.autoscaling "web" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
    },
    {
      fact: 'another kind',
      body: { kind: 'Deployment', apiVersion: 'apps/v1', metadata: { name: 'web' } },
      status: 400,
      message:
        'Deployment in version "v1" cannot be handled as a Scale: converting (v1.Deployment) to (autoscaling.Scale): unknown conversion',
    },
    {
      fact: 'another name',
      body: { metadata: { name: 'other' } },
      status: 400,
      message: 'the name of the object (other) does not match the name on the URL (web)',
    },
  ] as const;
  for (const { fact, body, status, message } of refused) {
    test(`refuses ${fact}`, async () => {
      const { scale } = await withDeployment();
      expect(await scale('PUT', body)).toMatchObject({ status, body: { message } });
    });
  }

  test('of an absent deployment is not found', async () => {
    const { send } = anApiServer();
    expect(await send('GET', `${deployments}/nope/scale`)).toMatchObject({
      status: 404,
      body: { message: 'deployments.apps "nope" not found' },
    });
  });
});

describe('binding', () => {
  const withPod = async () => {
    const api = anApiServer();
    await api.send('POST', pods, { metadata: { name: 'p' }, spec: { containers } });
    const bind = (target: Body) => api.send('POST', `${pods}/p/binding`, { target });
    return { ...api, bind };
  };

  test('assigns the node and sets the condition', async () => {
    const { send, bind } = await withPod();
    expect(await bind({ kind: 'Node', name: 'n1' })).toMatchObject({ status: 201, body: success });
    expect((await send('GET', `${pods}/p`)).body).toMatchObject({
      spec: { nodeName: 'n1' },
      status: { conditions: [{ type: 'PodScheduled', status: 'True' }] },
    });
  });

  test('happens once', async () => {
    const { bind } = await withPod();
    await bind({ kind: 'Node', name: 'n1' });
    expect(await bind({ kind: 'Node', name: 'other' })).toMatchObject({
      status: 409,
      body: {
        reason: 'Conflict',
        message: 'Operation cannot be fulfilled on pods/binding "p": pod p is already assigned to node "n1"',
      },
    });
  });

  test('needs a target', async () => {
    const { bind } = await withPod();
    expect(await bind({})).toMatchObject({ status: 500, body: { message: 'target.name: Required value' } });
  });

  test('of an absent pod is not found', async () => {
    const { send } = anApiServer();
    const body = { target: { kind: 'Node', name: 'n1' } };
    expect(await send('POST', `${pods}/nope/binding`, body)).toMatchObject({ status: 404 });
  });
});

describe('the log of a pod', () => {
  const asked: Body[] = [];
  const lines = async function* () {
    await Promise.resolve();
    for (const line of ['one\n', 'two\n', 'three\n']) yield new TextEncoder().encode(line);
  };
  const only = [{ name: 'main', image: 'registry.example/app:1' }];
  const withLog = async (of = only) => {
    asked.length = 0;
    const api = anApiServer({
      podLogs: (pod, { signal: _signal, ...options }) => {
        asked.push({ ...pod, ...options });
        return lines();
      },
    });
    await api.send('POST', pods, { metadata: { name: 'p' }, spec: { containers: of } });
    const log = async (query = '') => {
      const peer = { clientCertificate: { commonName: 'admin', organizations: ['system:masters'] } };
      const request = { method: 'GET', path: `${pods}/p/log${query}`, headers: {}, body: new Uint8Array(), peer };
      const { status, headers, body } = await api.server.handle(request, new AbortController().signal);
      const chunks: Uint8Array[] = [];
      if (body instanceof Uint8Array) chunks.push(body);
      else for await (const chunk of body) chunks.push(chunk);
      return { status, type: headers['content-type'], text: Buffer.concat(chunks).toString('utf8') };
    };
    return log;
  };

  test('is a stream of text', async () => {
    const log = await withLog();
    expect(await log()).toEqual({ status: 200, type: 'text/plain', text: 'one\ntwo\nthree\n' });
  });

  test('is that of the only container unless the request names one', async () => {
    const log = await withLog();
    await log();
    await log('?container=main');
    expect(asked.map(({ container }) => container)).toEqual(['main', 'main']);
  });

  test('of a pod of several containers names its container', async () => {
    const log = await withLog(containers);
    expect(JSON.parse((await log('?container=')).text)).toMatchObject({
      code: 400,
      message: 'a container name must be specified for pod p, choose one of: [main side]',
    });
    expect((await log('?container=side')).status).toBe(200);
    expect(asked.map(({ container }) => container)).toEqual(['side']);
  });

  test('passes the options on', async () => {
    const log = await withLog();
    await log('?follow=true&tailLines=5&timestamps=true&sinceSeconds=60');
    expect(asked).toMatchObject([
      { follow: true, tailLines: 5, timestamps: true, since: Date.UTC(2024, 0, 28) - 60_000 },
    ]);
    await log('?sinceTime=2024-01-27T00%3A00%3A00Z');
    expect(asked[1]).toMatchObject({ follow: false, since: Date.UTC(2024, 0, 27) });
  });

  test('ends after the limit of bytes', async () => {
    const log = await withLog();
    expect((await log('?limitBytes=6')).text).toBe('one\ntw');
  });

  test.each([
    ['?container=nope', 'container nope is not valid for pod p'],
    ['?previous=true', 'previous terminated container "main" in pod "p" not found'],
    ['?tailLines=many', 'strconv.ParseInt: parsing "many": invalid syntax'],
  ])('refuses %s', async (query, message) => {
    const log = await withLog();
    const { status, text } = await log(query);
    expect([status, (JSON.parse(text) as Body)['message']]).toEqual([400, message]);
  });
});

/** As kube-apiserver 1.36 answers. */
describe('the options of a log', () => {
  const answerTo = async (query: string, pod = 'p') => {
    const { send } = anApiServer();
    await send('POST', pods, { metadata: { name: 'p' }, spec: { containers } });
    const { status, body } = await send('GET', `${pods}/${pod}/log?${query}`);
    return [status, body['message']];
  };
  const invalid = (text: string, pod = 'p') => [422, `PodLogOptions "${pod}" is invalid: ${text}`];
  const unreadableInteger = (text: string) => [400, `strconv.ParseInt: parsing "${text}": invalid syntax`];
  const tailLines = 'tailLines: Invalid value: -1: must be greater than or equal to 0';
  const limitBytes = 'limitBytes: Invalid value: 0: must be greater than 0';
  const twoStarts = '[]: Forbidden: at most one of `sinceTime` or `sinceSeconds` may be specified';

  test.each([
    ['tailLines=-1', invalid(tailLines)],
    ['limitBytes=0', invalid(limitBytes)],
    ['sinceSeconds=0', invalid('sinceSeconds: Invalid value: 0: must be greater than 0')],
    ['sinceSeconds=5&sinceTime=2024-01-01T00:00:00Z', invalid(twoStarts)],
    ['sinceSeconds=-5&sinceTime=2024-01-01T00:00:00Z&tailLines=-1', invalid(`[${tailLines}, ${twoStarts}]`)],
    ['limitBytes=0&tailLines=-1', invalid(`[${tailLines}, ${limitBytes}]`)],
    ['container=side&stream=', invalid('stream: Forbidden: may not be specified')],
    ['limitBytes=z&sinceSeconds=w', unreadableInteger('w')],
    ['tailLines=', unreadableInteger('')],
    ['sinceTime=2024-02-30T00:00:00Z&tailLines=x', [400, 'parsing time "2024-02-30T00:00:00Z": day out of range']],
    ['container=nope', [400, 'container nope is not valid for pod p']],
    ['container=nope&tailLines=-1', invalid(tailLines)],
  ])('%s', async (query, answer) => expect(await answerTo(query)).toEqual(answer));

  test.each(['sinceTime=', 'sinceTime=null', 'sinceTime=2024-01-01T00:00:00%2B02:00', 'tailLines=0', 'follow=maybe'])(
    '%s is allowed',
    async (query) => expect((await answerTo(`container=side&${query}`))[0]).toBe(200),
  );

  test('are looked at before the pod is looked for', async () => {
    expect(await answerTo('tailLines=-1', 'none')).toEqual(invalid(tailLines, 'none'));
    expect(await answerTo('', 'none')).toEqual([404, 'pods "none" not found']);
  });
});

test('proxy needs a real container', async () => {
  const { send } = anApiServer();
  await send('POST', pods, { metadata: { name: 'p' }, spec: { containers } });
  expect(await send('POST', `${pods}/p/proxy`)).toMatchObject({ status: 501, body: { reason: 'NotImplemented' } });
});

test('a token stands for its service account until it expires', async () => {
  const { send } = anApiServer();
  await send('POST', `${namespaced}/serviceaccounts`, { metadata: { name: 'bot' } });
  const request = { spec: { audiences: ['sts.amazonaws.com'], expirationSeconds: 600 } };
  const { status, body } = await send('POST', `${namespaced}/serviceaccounts/bot/token`, request);
  expect([status, body['kind'], body['apiVersion']]).toEqual([201, 'TokenRequest', 'authentication.k8s.io/v1']);
  expect(body).toMatchObject({ ...request, status: { expirationTimestamp: '2024-01-28T00:10:00Z' } });
  const { token } = body['status'] as { readonly token: string };
  const review = await send('POST', '/apis/authentication.k8s.io/v1/tokenreviews', {
    spec: { token, audiences: request.spec.audiences },
  });
  expect(review.body['status']).toMatchObject({
    authenticated: true,
    user: { username: 'system:serviceaccount:default:bot' },
  });
});

test('a token lasts an hour by default', async () => {
  const { send } = anApiServer();
  await send('POST', `${namespaced}/serviceaccounts`, { metadata: { name: 'bot' } });
  const { body } = await send('POST', `${namespaced}/serviceaccounts/bot/token`, {});
  expect(body['status']).toMatchObject({ expirationTimestamp: '2024-01-28T01:00:00Z' });
});

describe('resize and ephemeral containers', () => {
  test('change what the pod itself does not let change', async () => {
    const { send } = anApiServer({ version: '1.33' });
    const resources = { requests: { cpu: '100m' } };
    await send('POST', pods, { metadata: { name: 'p' }, spec: { containers: [{ ...containers[0], resources }] } });
    const strategic = { 'content-type': 'application/strategic-merge-patch+json' };
    const change = { spec: { containers: [{ name: 'main', resources: { requests: { cpu: '150m' } } }] } };
    expect(await send('PATCH', `${pods}/p`, change, strategic)).toMatchObject({ status: 422 });
    expect(await send('PATCH', `${pods}/p/resize`, change, strategic)).toMatchObject({
      status: 200,
      body: { metadata: { generation: 2 } },
    });
    const debug = { spec: { ephemeralContainers: [{ name: 'dbg', image: 'd' }] } };
    expect(await send('PATCH', `${pods}/p/ephemeralcontainers`, debug, strategic)).toMatchObject({
      status: 200,
      body: { spec: { ephemeralContainers: [{ name: 'dbg' }] } },
    });
  });
});
