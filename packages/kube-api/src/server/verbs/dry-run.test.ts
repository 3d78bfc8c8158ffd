import { expect, test } from 'vitest';
import { anApiServer } from '@nodewright/testkit/worlds';

const configMaps = '/api/v1/namespaces/default/configmaps';
const pods = '/api/v1/namespaces/default/pods';
const merge = { 'content-type': 'application/merge-patch+json' };
const apply = { 'content-type': 'application/apply-patch+yaml' };
const applied = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { k: 'applied' } };
const spec = { nodeName: 'n1', containers: [{ name: 'c', image: 'registry.example/app:1' }] };
const dryOptions = { kind: 'DeleteOptions', apiVersion: 'v1', dryRun: ['All'] };

type Body = Readonly<Record<string, unknown>>;

/** Each write with `dryRun=All`: what it answers with, as if it had happened. */
const writes: readonly {
  readonly fact: string;
  readonly method: string;
  readonly path: string;
  readonly body?: Body;
  readonly headers?: Readonly<Record<string, string>>;
  readonly answer: Body;
}[] = [
  {
    fact: 'create',
    method: 'POST',
    path: `${configMaps}?dryRun=All`,
    body: { metadata: { name: 'new' }, data: { k: 'v' } },
    answer: { status: 201, body: { metadata: { name: 'new', namespace: 'default' }, data: { k: 'v' } } },
  },
  {
    fact: 'create of what exists',
    method: 'POST',
    path: `${configMaps}?dryRun=All`,
    body: { metadata: { name: 'a' } },
    answer: { status: 409, body: { reason: 'AlreadyExists' } },
  },
  {
    fact: 'create of an invalid object',
    method: 'POST',
    path: `${configMaps}?dryRun=All`,
    body: { metadata: { name: 'Bad_Name' } },
    answer: { status: 422, body: { reason: 'Invalid' } },
  },
  {
    fact: 'create of a namespace',
    method: 'POST',
    path: '/api/v1/namespaces?dryRun=All',
    body: { metadata: { name: 'never' } },
    answer: { status: 201, body: { spec: { finalizers: ['kubernetes'] }, status: { phase: 'Active' } } },
  },
  {
    fact: 'update',
    method: 'PUT',
    path: `${configMaps}/a?dryRun=All`,
    body: { metadata: { name: 'a' }, data: { new: '1' } },
    answer: { status: 200, body: { data: { new: '1' } } },
  },
  {
    fact: 'update that creates',
    method: 'PUT',
    path: '/apis/coordination.k8s.io/v1/namespaces/default/leases/le?dryRun=All',
    body: { metadata: { name: 'le' } },
    answer: { status: 201, body: { metadata: { name: 'le' } } },
  },
  {
    fact: 'patch',
    method: 'PATCH',
    path: `${configMaps}/a?dryRun=All`,
    body: { data: { p: '1' } },
    headers: merge,
    answer: { status: 200, body: { data: { k: 'v', p: '1' } } },
  },
  {
    fact: 'apply',
    method: 'PATCH',
    path: `${configMaps}/a?dryRun=All&fieldManager=m&force=true`,
    body: applied,
    headers: apply,
    answer: { status: 200, body: { data: { k: 'applied' } } },
  },
  {
    fact: 'delete in the query',
    method: 'DELETE',
    path: `${configMaps}/a?dryRun=All`,
    answer: { status: 200, body: { status: 'Success', details: { name: 'a', kind: 'configmaps' } } },
  },
  {
    fact: 'delete in the options',
    method: 'DELETE',
    path: `${configMaps}/a`,
    body: dryOptions,
    answer: { status: 200, body: { status: 'Success', details: { name: 'a' } } },
  },
  {
    fact: 'delete of a running pod',
    method: 'DELETE',
    path: `${pods}/p`,
    body: dryOptions,
    answer: { status: 200, body: { metadata: { deletionGracePeriodSeconds: 30 } } },
  },
  {
    fact: 'delete of a collection',
    method: 'DELETE',
    path: `${configMaps}?dryRun=All`,
    answer: { status: 200, body: { kind: 'ConfigMapList', items: [{ metadata: { name: 'a' } }] } },
  },
  {
    fact: 'scale',
    method: 'PATCH',
    path: '/apis/apps/v1/namespaces/default/deployments/web/scale?dryRun=All',
    body: { spec: { replicas: 3 } },
    headers: merge,
    answer: { status: 200, body: { kind: 'Scale', spec: { replicas: 3 } } },
  },
  {
    fact: 'binding',
    method: 'POST',
    path: `${pods}/free/binding?dryRun=All`,
    body: { target: { kind: 'Node', name: 'n1' } },
    answer: { status: 201, body: { status: 'Success' } },
  },
  {
    fact: 'eviction in the query',
    method: 'POST',
    path: `${pods}/p/eviction?dryRun=All`,
    body: { metadata: { name: 'p' } },
    answer: { status: 201, body: { status: 'Success' } },
  },
  {
    fact: 'eviction in the options',
    method: 'POST',
    path: `${pods}/p/eviction`,
    body: { metadata: { name: 'p' }, deleteOptions: dryOptions },
    answer: { status: 201, body: { status: 'Success' } },
  },
];

for (const { fact, method, path, body, headers, answer } of writes) {
  test(`a dry ${fact} answers as the real one and stores nothing`, async () => {
    const { server, send } = anApiServer();
    await send('POST', configMaps, { metadata: { name: 'a' }, data: { k: 'v' } });
    await send('POST', pods, { metadata: { name: 'p' }, spec });
    await send('POST', pods, { metadata: { name: 'free' }, spec: { containers: spec.containers } });
    await send('POST', '/apis/apps/v1/namespaces/default/deployments', {
      metadata: { name: 'web' },
      spec: {
        selector: { matchLabels: { a: 'b' } },
        template: { metadata: { labels: { a: 'b' } }, spec: { containers: spec.containers } },
      },
    });
    const stored = (): readonly unknown[] => Object.values(server.snapshot().collections).flat();
    const before = stored();
    expect(await send(method, path, body, headers)).toMatchObject(answer);
    expect(stored()).toEqual(before);
  });
}

test('a dry create has a UID and no version', async () => {
  const { send } = anApiServer();
  const { body } = await send('POST', `${configMaps}?dryRun=All`, { metadata: { name: 'd' } });
  expect(body).toMatchObject({ metadata: { uid: expect.any(String) } });
  expect(body['metadata']).not.toHaveProperty('resourceVersion');
});

test.each(['POST', 'PUT', 'PATCH'])('an unknown dry run of a %s is refused', async (method) => {
  const { send } = anApiServer();
  const path = method === 'POST' ? configMaps : `${configMaps}/a`;
  const kind = { POST: 'CreateOptions', PUT: 'UpdateOptions', PATCH: 'PatchOptions' }[method];
  const headers = method === 'PATCH' ? merge : {};
  expect(await send(method, `${path}?dryRun=Bogus`, { metadata: { name: 'a' } }, headers)).toMatchObject({
    status: 422,
    body: {
      message: `${kind}.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["Bogus"]: supported values: "All"`,
    },
  });
});
