import { describe, expect, test } from 'vitest';
import { anApiServer, type Answer } from '@nodewright/testkit/worlds';
import type { WebhookAnswer, WebhookRequest } from '../webhook-calls.ts';

const registration = '/apis/admissionregistration.k8s.io/v1';
const configMaps = '/api/v1/namespaces/default/configmaps';

type Review = {
  readonly uid: string;
  readonly name: string;
  readonly operation: string;
  readonly object: {
    metadata: { labels?: Record<string, string>; name: string };
    data?: Record<string, string>;
    spec?: object;
  } | null;
  readonly [field: string]: unknown;
};
type Decide = (review: Review, request: WebhookRequest) => object | Promise<object>;

const encoded = (patch: readonly object[]) => ({
  allowed: true,
  patchType: 'JSONPatch',
  patch: Buffer.from(JSON.stringify(patch)).toString('base64'),
});

const addLabel = (name: string, value: string) => (review: Review) =>
  encoded(
    review.object?.metadata.labels === undefined
      ? [{ op: 'add', path: '/metadata/labels', value: { [name]: value } }]
      : [{ op: 'add', path: `/metadata/labels/${name}`, value }],
  );

/** Webhooks by the path of their URL. */
function withWebhooks(webhooks: Readonly<Record<string, Decide>>) {
  const asked: { path: string; review: Review }[] = [];
  const callWebhook = async (request: WebhookRequest): Promise<WebhookAnswer> => {
    const path = new URL(request.url).pathname.slice(1);
    const review = request.body['request'] as unknown as Review;
    asked.push({ path, review });
    const response = await webhooks[path]?.(review, request);
    if (response === undefined) return { kind: 'failed', error: 'nobody there' };
    return { kind: 'answered', body: { response: { uid: review.uid, ...response } } };
  };
  const api = anApiServer({ version: '1.36', callWebhook });
  return { ...api, asked };
}

type Api = ReturnType<typeof withWebhooks>;

const onConfigMaps = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] }];

const aWebhook = (path: string, traits: object = {}) => ({
  name: `${path}.example.com`,
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
  clientConfig: { url: `https://hooks.test/${path}` },
  rules: onConfigMaps,
  ...traits,
});

const configure = async ({ send }: Api, kind: 'mutating' | 'validating', ...webhooks: readonly object[]) => {
  const answer = await send('POST', `${registration}/${kind}webhookconfigurations`, {
    metadata: { name: kind },
    webhooks,
  });
  expect(answer.status).toBe(201);
};

const create = ({ send }: Api, name = 'x', query = '') =>
  send('POST', `${configMaps}${query}`, { metadata: { name }, data: { a: 'b' } });

const refusal = ({ status, body }: Answer) => [status, body['message']];
const labelsOf = ({ body }: Answer) => (body['metadata'] as { readonly labels?: object }).labels;

test('a validating webhook sees the write and refuses it in its words', async () => {
  const api = withWebhooks({
    check: ({ name }) => ({ allowed: name === 'ok', status: { message: 'no', code: 418, reason: 'Teapot' } }),
  });
  await configure(api, 'validating', aWebhook('check'));
  expect((await create(api, 'ok')).status).toBe(201);
  expect(await create(api)).toMatchObject({
    status: 418,
    body: { message: 'admission webhook "check.example.com" denied the request: no', reason: 'Teapot', code: 418 },
  });
  expect(api.asked.at(-1)?.review).toMatchObject({
    operation: 'CREATE',
    name: 'x',
    namespace: 'default',
    kind: { group: '', version: 'v1', kind: 'ConfigMap' },
    resource: { group: '', version: 'v1', resource: 'configmaps' },
    userInfo: { username: 'admin', groups: ['system:masters', 'system:authenticated'] },
    object: { metadata: { name: 'x' }, data: { a: 'b' } },
    oldObject: null,
    dryRun: false,
  });
});

test('mutating webhooks change the object one after the other, before it is validated', async () => {
  const api = withWebhooks({ one: addLabel('one', '1'), two: addLabel('two', '2'), check: () => ({ allowed: true }) });
  await configure(api, 'mutating', aWebhook('one'), aWebhook('two'));
  await configure(api, 'validating', aWebhook('check'));
  expect(labelsOf(await create(api))).toEqual({ one: '1', two: '2' });
  expect(api.asked.map(({ path }) => path)).toEqual(['one', 'two', 'check']);
  const bad = withWebhooks({ one: addLabel('one', 'not valid!') });
  await configure(bad, 'mutating', aWebhook('one'));
  expect((await create(bad)).status).toBe(422);
});

test('a webhook is called again when it asks for it and another one changed the object', async () => {
  const api = withWebhooks({ one: addLabel('one', '1'), two: addLabel('two', '2') });
  await configure(api, 'mutating', aWebhook('one', { reinvocationPolicy: 'IfNeeded' }), aWebhook('two'));
  expect(labelsOf(await create(api))).toEqual({ one: '1', two: '2' });
  expect(api.asked.map(({ path }) => path)).toEqual(['one', 'two', 'one']);
});

test('a container that a webhook adds gets the token of the service account', async () => {
  const sidecar = { name: 'sidecar', image: 'i' };
  const api = withWebhooks({ inject: () => encoded([{ op: 'add', path: '/spec/containers/-', value: sidecar }]) });
  await configure(api, 'mutating', aWebhook('inject', { rules: [{ ...onConfigMaps[0], resources: ['pods'] }] }));
  const pod = { metadata: { generateName: 'p-' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const { status, body } = await api.send('POST', '/api/v1/namespaces/default/pods', pod);
  const { containers } = body['spec'] as { containers: { volumeMounts?: object[]; imagePullPolicy?: string }[] };
  expect([status, containers.map(({ volumeMounts = [] }) => volumeMounts.length)]).toEqual([201, [1, 1]]);
  expect(containers[1]?.imagePullPolicy).toBe('Always');
  expect(api.asked).toHaveLength(1);
});

describe('a webhook that fails', () => {
  test('refuses the write, as recorded', async () => {
    const api = withWebhooks({});
    await configure(api, 'validating', aWebhook('gone'));
    expect(await create(api)).toMatchObject({
      status: 500,
      body: {
        message:
          'Internal error occurred: failed calling webhook "gone.example.com": failed to call webhook: nobody there',
        reason: 'InternalError',
        details: {
          causes: [{ message: 'failed calling webhook "gone.example.com": failed to call webhook: nobody there' }],
        },
      },
    });
  });

  test('is ignored when its failures are', async () => {
    const api = withWebhooks({});
    await configure(api, 'validating', aWebhook('gone', { failurePolicy: 'Ignore' }));
    await configure(api, 'mutating', aWebhook('gone', { failurePolicy: 'Ignore' }));
    expect((await create(api)).status).toBe(201);
  });

  test('because it has a service, whose pods do not answer', async () => {
    const api = withWebhooks({});
    const service = { namespace: 'default', name: 'hook', path: '/x' };
    await configure(api, 'validating', aWebhook('svc', { clientConfig: { service } }));
    const call =
      'Internal error occurred: failed calling webhook "svc.example.com": failed to call webhook: Post "https://hook.default.svc:443/x?timeout=10s"';
    expect(refusal(await create(api))[1]).toBe(`${call}: service "hook" not found`);
    await api.send('POST', '/api/v1/namespaces/default/services', {
      metadata: { name: 'hook' },
      spec: { ports: [{ port: 443 }] },
    });
    expect(refusal(await create(api))[1]).toBe(`${call}: no endpoints available for service "hook"`);
  });

  test('because it answers another question', async () => {
    const api = withWebhooks({ other: () => ({ uid: 'other', allowed: true }) });
    await configure(api, 'validating', aWebhook('other'));
    expect(String(refusal(await create(api))[1])).toContain(
      'received invalid webhook response: expected response.uid="',
    );
  });
});

describe('a webhook is asked', () => {
  test('about the kinds, namespaces, objects and conditions that it names', async () => {
    const no = () => ({ allowed: false });
    const api = withWebhooks({ no });
    await configure(
      api,
      'validating',
      aWebhook('no', { objectSelector: { matchLabels: { a: 'b' } } }),
      aWebhook('no', { name: 'b.example.com', namespaceSelector: { matchLabels: { a: 'b' } } }),
      aWebhook('no', {
        name: 'c.example.com',
        matchConditions: [{ name: 'c', expression: "object.metadata.name == 'y'" }],
      }),
      aWebhook('no', { name: 'd.example.com', rules: [{ ...onConfigMaps[0], resources: ['secrets'] }] }),
    );
    expect((await create(api)).status).toBe(201);
    expect(api.asked).toEqual([]);
    expect(refusal(await create(api, 'y'))).toEqual([
      400,
      'admission webhook "c.example.com" denied the request without explanation',
    ]);
  });

  test('about another version of the kind, unless it wants the exact one', async () => {
    const api = withWebhooks({ no: () => ({ allowed: false }) });
    const rules = [
      {
        apiGroups: ['autoscaling'],
        apiVersions: ['v1'],
        operations: ['CREATE'],
        resources: ['horizontalpodautoscalers'],
      },
    ];
    await configure(api, 'validating', aWebhook('no', { rules, matchPolicy: 'Exact' }));
    const scaler = {
      metadata: { name: 'x' },
      spec: { maxReplicas: 2, scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' } },
    };
    const path = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers';
    expect((await api.send('POST', `${path}?dryRun=All`, scaler)).status).toBe(201);
    await api.send('DELETE', `${registration}/validatingwebhookconfigurations/validating`);
    await configure(api, 'validating', aWebhook('no', { rules, matchPolicy: 'Equivalent' }));
    expect((await api.send('POST', path, scaler)).status).toBe(400);
    expect(api.asked.at(-1)?.review).toMatchObject({
      kind: { version: 'v1' },
      requestKind: { version: 'v2' },
      object: { apiVersion: 'autoscaling/v1' },
    });
  });

  test('about deletions, with the old object', async () => {
    const api = withWebhooks({ no: ({ operation }) => ({ allowed: operation !== 'DELETE' }) });
    await configure(api, 'validating', aWebhook('no'));
    await create(api);
    expect((await api.send('DELETE', `${configMaps}/x`)).status).toBe(400);
    expect((await api.send('DELETE', configMaps)).status).toBe(400);
    expect(api.asked.at(-1)?.review).toMatchObject({
      operation: 'DELETE',
      object: null,
      oldObject: { data: { a: 'b' } },
    });
  });

  test('never about objects that configure admission', async () => {
    const api = withWebhooks({ no: () => ({ allowed: false }) });
    await configure(
      api,
      'validating',
      aWebhook('no', { rules: [{ ...onConfigMaps[0], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] }] }),
    );
    expect((await create(api)).status).toBe(400);
    expect((await api.send('DELETE', `${registration}/validatingwebhookconfigurations/validating`)).status).toBe(200);
    expect((await create(api)).status).toBe(201);
  });
});

test('a dry run calls webhooks, all of which are without side effects', async () => {
  const api = withWebhooks({ a: () => ({ allowed: true }) });
  await configure(api, 'validating', aWebhook('a', { sideEffects: 'None' }));
  expect((await create(api, 'x', '?dryRun=All')).status).toBe(201);
  expect(api.asked.at(-1)?.review).toMatchObject({ dryRun: true });
});

test('warnings of webhooks reach the client', async () => {
  const api = withWebhooks({ a: () => ({ allowed: true, warnings: ['mind the gap'] }) });
  await configure(api, 'validating', aWebhook('a'));
  expect((await create(api)).headers['warning']).toBe('299 - "mind the gap"');
});

test('who writes meanwhile is seen: the webhook is asked about what is there then', async () => {
  let between: (() => Promise<unknown>) | undefined;
  const api = withWebhooks({
    slow: async () => {
      await between?.();
      return { allowed: true };
    },
  });
  await create(api);
  await configure(api, 'validating', aWebhook('slow'));
  const merge = { 'content-type': 'application/merge-patch+json' };
  const change = (data: object) => api.send('PATCH', `${configMaps}/x`, { data }, merge);
  between = () => {
    between = undefined;
    return change({ other: 'y' });
  };
  const { status, body } = await change({ mine: 'x' });
  expect([status, body['data']]).toEqual([200, { a: 'b', mine: 'x', other: 'y' }]);
});

test('a name and an identity that were generated stay while webhooks answer', async () => {
  const api = withWebhooks({ one: addLabel('one', '1'), check: () => ({ allowed: true }) });
  await configure(api, 'mutating', aWebhook('one'));
  await configure(api, 'validating', aWebhook('check'));
  const { body } = await api.send('POST', configMaps, { metadata: { generateName: 'x-' } });
  expect(api.asked.map(({ review }) => review.name)).toEqual([
    (body['metadata'] as { name: string }).name,
    (body['metadata'] as { name: string }).name,
  ]);
});
