import { expect, test } from 'vitest';
import { anApiServer, type Answer } from '@nodewright/testkit/worlds';
import type { WebhookAnswer, WebhookRequest } from '../admission/webhook-calls.ts';

const hostDefinitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const hostPath = (version: string, name = ''): string =>
  `/apis/example.com/${version}/namespaces/default/hosts${name === '' ? '' : `/${name}`}`;

const hostVersion = (name: string, properties: object) => ({
  name,
  served: true,
  storage: name === 'v1',
  subresources: { status: {} },
  schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } },
});

const hostDefinition = (clientConfig: object = { url: 'https://hooks.test/convert' }) => ({
  metadata: { name: 'hosts.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'hosts', kind: 'Host' },
    conversion: { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'], clientConfig } },
    versions: [hostVersion('v1', { host: { type: 'string' } }), hostVersion('v2', { hostname: { type: 'string' } })],
  },
});

type Host = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly spec?: { readonly host?: string; readonly hostname?: string };
};
type HostReview = { readonly uid: string; readonly desiredAPIVersion: string; readonly objects: readonly Host[] };

const convertHost = ({ spec = {}, ...host }: Host, apiVersion: string): Host => {
  const name = spec.host ?? spec.hostname ?? '';
  return { ...host, apiVersion, spec: apiVersion.endsWith('v2') ? { hostname: name } : { host: name } };
};

const emptyReview = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview' };

const convertHosts = ({ uid, desiredAPIVersion, objects }: HostReview) => ({
  uid,
  result: { status: 'Success' },
  convertedObjects: objects.map((host) => convertHost(host, desiredAPIVersion)),
});

/** A server that keeps hosts as v1 and asks a webhook for v2. */
async function aServerOfHosts(clientConfig?: object) {
  const world = {
    answer: (request: HostReview): object => ({ ...emptyReview, response: convertHosts(request) }),
    asked: [] as number[],
    failure: undefined as string | undefined,
  };
  const callWebhook = (request: WebhookRequest): Promise<WebhookAnswer> => {
    const about = request.body['request'] as unknown as HostReview;
    world.asked.push(about.objects.length);
    return Promise.resolve(
      world.failure === undefined
        ? { kind: 'answered', body: world.answer(about) }
        : { kind: 'failed', error: world.failure },
    );
  };
  const api = anApiServer({ version: '1.36', callWebhook });
  expect(await api.send('POST', hostDefinitionsPath, hostDefinition(clientConfig))).toMatchObject({ status: 201 });
  return { ...api, world };
}

type Hosts = Awaited<ReturnType<typeof aServerOfHosts>>;

const createHostAs = ({ send }: Hosts, version: string, name: string, spec: object): Promise<Answer> =>
  send('POST', hostPath(version), { apiVersion: `example.com/${version}`, kind: 'Host', metadata: { name }, spec });

const refusalOfHost = ({ status, body }: Answer): unknown => [status, body['message'], body['reason']];

test('a webhook converts what is written and read in another version', async () => {
  const api = await aServerOfHosts();
  expect(await createHostAs(api, 'v2', 'a', { hostname: 'one' })).toMatchObject({
    status: 201,
    body: {
      apiVersion: 'example.com/v2',
      spec: { hostname: 'one' },
      metadata: { resourceVersion: expect.any(String) as string },
    },
  });
  expect(api.server.findObject('hosts.example.com', { namespace: 'default', name: 'a' })).toMatchObject({
    apiVersion: 'example.com/v1',
    spec: { host: 'one' },
  });
  const change = { spec: { hostname: 'two' } };
  expect(
    await api.send('PATCH', hostPath('v2', 'a'), change, { 'content-type': 'application/merge-patch+json' }),
  ).toMatchObject({
    status: 200,
    body: { spec: { hostname: 'two' }, metadata: { generation: 2 } },
  });
  expect((await api.send('GET', hostPath('v1', 'a'))).body).toMatchObject({ spec: { host: 'two' } });
  expect((await api.send('GET', hostPath('v2', 'a'))).body).toMatchObject({ spec: { hostname: 'two' } });
  expect(await api.send('DELETE', hostPath('v2', 'a'))).toMatchObject({ status: 200 });
});

test('a list asks once for each stored object, a read of one object every time', async () => {
  const api = await aServerOfHosts();
  await createHostAs(api, 'v1', 'a', { host: 'one' });
  await createHostAs(api, 'v1', 'b', { host: 'two' });
  expect(api.world.asked).toEqual([]);
  const names = async (): Promise<unknown> =>
    ((await api.send('GET', hostPath('v2'))).body['items'] as Host[]).map(({ spec }) => spec?.hostname);
  expect(await names()).toEqual(['one', 'two']);
  expect(await names()).toEqual(['one', 'two']);
  expect(api.world.asked).toEqual([2]);
  await api.send('GET', hostPath('v2', 'a'));
  await api.send('GET', hostPath('v2', 'a'));
  expect(api.world.asked).toEqual([2, 1, 1]);
});

test('a watch tells the changes in their order', async () => {
  const api = await aServerOfHosts();
  await createHostAs(api, 'v1', 'a', { host: 'one' });
  const { lines } = await api.watch(`${hostPath('v2')}?watch=true`);
  await api.time.settle();
  await createHostAs(api, 'v1', 'b', { host: 'two' });
  await api.send('DELETE', hostPath('v1', 'a'));
  await api.time.settle();
  expect(lines.map(({ type, object }) => [type, (object as Host).spec])).toEqual([
    ['ADDED', { hostname: 'one' }],
    ['ADDED', { hostname: 'two' }],
    ['DELETED', { hostname: 'one' }],
  ]);
  api.world.failure = 'gone';
  await createHostAs(api, 'v1', 'c', { host: 'three' });
  await api.time.settle();
  expect(lines.at(-1)).toMatchObject({
    type: 'ERROR',
    object: { code: 500, message: 'conversion webhook for example.com/v1, Kind=Host failed: gone' },
  });
});

const failedWords = 'conversion webhook for example.com/v1, Kind=Host failed:';
const returnedWords = 'conversion webhook for example.com/v1, Kind=Host returned';

const withHosts = (change: (host: Host) => object) => (request: HostReview) => {
  const response = convertHosts(request);
  return { ...emptyReview, response: { ...response, convertedObjects: response.convertedObjects.map(change) } };
};
const withHostMetadata = (metadata: object) =>
  withHosts((host) => ({ ...host, metadata: { ...host.metadata, ...metadata } }));

for (const { what, answer, message } of [
  {
    what: 'a refusal',
    answer: ({ uid }: HostReview) => ({
      ...emptyReview,
      response: { uid, result: { status: 'Failure', message: 'I will not' } },
    }),
    message: `${failedWords} I will not`,
  },
  {
    what: 'no result',
    answer: ({ uid }: HostReview) => ({ ...emptyReview, response: { uid, result: {} } }),
    message: `${failedWords} response.result.status was '', not 'Success'`,
  },
  {
    what: 'another kind of answer',
    answer: () => ({}),
    message: `${failedWords} expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got /, Kind=`,
  },
  { what: 'no response', answer: () => emptyReview, message: `${failedWords} no response provided` },
  {
    what: 'another question',
    answer: (request: HostReview) => ({ ...emptyReview, response: { ...convertHosts(request), uid: 'other' } }),
    message: new RegExp(`^${failedWords} expected response.uid="[0-9a-f-]{36}", got "other"$`),
  },
  {
    what: 'too few objects',
    answer: (request: HostReview) => ({ ...emptyReview, response: { ...convertHosts(request), convertedObjects: [] } }),
    message: `${returnedWords} 0 objects, expected 1`,
  },
  {
    what: 'another version',
    answer: withHosts((host) => ({ ...host, apiVersion: 'example.com/v9' })),
    message: `${returnedWords} invalid object at index 0: invalid groupVersion (expected example.com/v2, received example.com/v9)`,
  },
  {
    what: 'another kind',
    answer: withHosts((host) => ({ ...host, kind: 'Other' })),
    message: `${returnedWords} invalid object at index 0: invalid kind (expected Host, received Other)`,
  },
  {
    what: 'another name',
    answer: withHostMetadata({ name: 'x' }),
    message: `${returnedWords} invalid object: must have the same name: a != x`,
  },
  {
    what: 'a label that is none',
    answer: withHostMetadata({ labels: { 'a b': 'c' } }),
    message:
      /^conversion webhook for example.com\/v1, Kind=Host returned invalid metadata: metadata.labels: Invalid value: "a b": name part must consist/,
  },
]) {
  test(`${what} is a failure in the words of a real server`, async () => {
    const api = await aServerOfHosts();
    await createHostAs(api, 'v1', 'a', { host: 'one' });
    api.world.answer = answer;
    const found = await api.send('GET', hostPath('v2', 'a'));
    const expected: unknown = typeof message === 'string' ? message : expect.stringMatching(message);
    expect(refusalOfHost(found)).toEqual([500, expected, undefined]);
  });
}

test('a webhook changes labels and annotations, and no other metadata', async () => {
  const api = await aServerOfHosts();
  await createHostAs(api, 'v1', 'a', { host: 'one' });
  api.world.answer = withHostMetadata({ labels: { a: 'b' }, finalizers: ['example.com/x'], generation: 77 });
  const { metadata } = (await api.send('GET', hostPath('v2', 'a'))).body as unknown as Host;
  expect(metadata).toMatchObject({ labels: { a: 'b' }, generation: 1 });
  expect(metadata).not.toHaveProperty('finalizers');
});

test('a write that cannot be converted is not stored', async () => {
  const api = await aServerOfHosts();
  api.world.failure = 'Post "https://hooks.test/convert?timeout=30s": context deadline exceeded';
  expect(refusalOfHost(await createHostAs(api, 'v2', 'a', { hostname: 'one' }))).toEqual([
    500,
    `conversion webhook for example.com/v2, Kind=Host failed: ${api.world.failure}`,
    undefined,
  ]);
  expect(await api.send('GET', hostPath('v1', 'a'))).toMatchObject({ status: 404 });
});

test('a service that does not exist is not reached', async () => {
  const api = await aServerOfHosts({ service: { namespace: 'default', name: 'hook', path: '/x' } });
  await createHostAs(api, 'v1', 'a', { host: 'one' });
  expect(refusalOfHost(await api.send('GET', hostPath('v2', 'a')))).toEqual([
    500,
    `${failedWords} Post "https://hook.default.svc:443/x?timeout=30s": service "hook" not found`,
    undefined,
  ]);
});

test('a definition needs a review that the server writes, and an address over HTTPS', async () => {
  const { send } = anApiServer({ version: '1.36' });
  const wrong = hostDefinition({ url: 'http://hooks.test/convert' });
  wrong.spec.conversion.webhook.conversionReviewVersions = ['v7'];
  const { body } = await send('POST', hostDefinitionsPath, wrong);
  expect(body['details']).toMatchObject({
    causes: [
      { field: 'spec.conversion.webhookClientConfig.url' },
      {
        field: 'spec.conversion.conversionReviewVersions',
        message: 'Invalid value: ["v7"]: must include at least one of v1, v1beta1',
      },
    ],
  });
});
