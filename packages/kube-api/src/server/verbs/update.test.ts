import { describe, expect, test } from 'vitest';
import { anApiServer } from '@nodewright/testkit/worlds';

const configMaps = '/api/v1/namespaces/default/configmaps';
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
const modified = 'the object has been modified; please apply your changes to the latest version and try again';

type Body = Readonly<Record<string, unknown>>;
type Metadata = Readonly<Record<string, unknown>> & { readonly resourceVersion: string };
const metadataOf = (body: Body) => body['metadata'] as Metadata;

async function withConfigMap() {
  const api = anApiServer();
  const { body } = await api.send('POST', configMaps, { metadata: { name: 'a' }, data: { k: 'v' } });
  return { ...api, created: body, metadata: metadataOf(body) };
}

const deployment = (replicas: number) => ({
  metadata: { name: 'web' },
  spec: {
    replicas,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'c', image: 'registry.example/app:1' }] },
    },
  },
});

describe('an update', () => {
  test('replaces the content and keeps the identity', async () => {
    const { send, metadata } = await withConfigMap();
    const { status, body } = await send('PUT', `${configMaps}/a`, { metadata: { name: 'a' }, data: { other: 'v' } });
    expect([status, body['data']]).toEqual([200, { other: 'v' }]);
    expect(metadataOf(body)).toMatchObject({ uid: metadata['uid'], creationTimestamp: metadata['creationTimestamp'] });
    expect(Number(metadataOf(body).resourceVersion)).toBe(Number(metadata.resourceVersion) + 1);
  });

  test('of the same content keeps the version and sends no event', async () => {
    const { send, watch, time, created, metadata } = await withConfigMap();
    const { lines } = await watch(`${configMaps}?watch=true&resourceVersion=${metadata.resourceVersion}`);
    const { status, body } = await send('PUT', `${configMaps}/a`, created);
    await time.settle();
    expect([status, metadataOf(body).resourceVersion, lines]).toEqual([200, metadata.resourceVersion, []]);
  });

  test('with the version of the stored object succeeds', async () => {
    const { send, created } = await withConfigMap();
    expect(await send('PUT', `${configMaps}/a`, { ...created, data: { k: 'new' } })).toMatchObject({ status: 200 });
  });

  test('with an old version conflicts, so that the first of two writers wins', async () => {
    const { send, created } = await withConfigMap();
    const [first, second] = [
      await send('PUT', `${configMaps}/a`, { ...created, data: { k: 'first' } }),
      await send('PUT', `${configMaps}/a`, { ...created, data: { k: 'second' } }),
    ];
    expect(first).toMatchObject({ status: 200 });
    expect(second).toMatchObject({
      status: 409,
      body: { reason: 'Conflict', message: `Operation cannot be fulfilled on configmaps "a": ${modified}` },
    });
    expect((await send('GET', `${configMaps}/a`)).body['data']).toEqual({ k: 'first' });
  });

  test('with another UID conflicts', async () => {
    const { send, metadata } = await withConfigMap();
    const uid = '11111111-1111-1111-1111-111111111111';
    const { status, body } = await send('PUT', `${configMaps}/a`, { metadata: { name: 'a', uid } });
    expect([status, body['reason']]).toEqual([409, 'Conflict']);
    expect(body['message']).toContain(
      `Key: /registry/configmaps/default/a, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${uid}, UID in object meta: ${String(metadata['uid'])}`,
    );
  });

  const refused = [
    {
      fact: 'another name',
      metadata: { name: 'b' },
      message: 'the name of the object (b) does not match the name on the URL (a)',
    },
    {
      fact: 'no name',
      metadata: {},
      message: 'the name of the object (a based on URL) was undeterminable: name must be provided',
    },
    {
      fact: 'another namespace',
      metadata: { name: 'a', namespace: 'other' },
      message: 'the namespace of the provided object does not match the namespace sent on the request',
    },
  ] as const;
  for (const { fact, metadata, message } of refused) {
    test(`with ${fact} is refused`, async () => {
      const { send } = await withConfigMap();
      expect(await send('PUT', `${configMaps}/a`, { metadata })).toMatchObject({ status: 400, body: { message } });
    });
  }

  test('cannot change what the server sets', async () => {
    const { send, metadata } = await withConfigMap();
    const body = {
      metadata: {
        name: 'a',
        creationTimestamp: '2000-01-01T00:00:00Z',
        generation: 9,
        labels: { a: 'b' },
      },
    };
    const answer = metadataOf((await send('PUT', `${configMaps}/a`, body)).body);
    expect(answer).toMatchObject({ creationTimestamp: metadata['creationTimestamp'], labels: { a: 'b' } });
    expect(answer).not.toHaveProperty('generation');
  });

  test.each([
    { member: 'deletionTimestamp', value: '2000-01-01T00:00:00Z' },
    { member: 'deletionGracePeriodSeconds', value: 5 },
  ])('that marks an object as deleted by its $member is refused', async ({ member, value }) => {
    const { send } = await withConfigMap();
    const cause = {
      reason: 'FieldValueInvalid',
      message: `Invalid value: ${JSON.stringify(value)}: field is immutable`,
      field: `metadata.${member}`,
    };
    expect(await send('PUT', `${configMaps}/a`, { metadata: { name: 'a', [member]: value } })).toMatchObject({
      status: 422,
      body: { details: { causes: [cause, cause] } },
    });
  });

  test('of an absent object is refused', async () => {
    const { send } = anApiServer();
    expect(await send('PUT', `${configMaps}/nope`, { metadata: { name: 'nope' } })).toMatchObject({
      status: 404,
      body: { message: 'configmaps "nope" not found' },
    });
  });
});

describe('an update of a lease', () => {
  test('creates an absent one', async () => {
    const { send } = anApiServer();
    const answer = await send('PUT', `${leases}/le`, { metadata: { name: 'le' }, spec: { holderIdentity: 'me' } });
    expect(answer).toMatchObject({ status: 201, body: { spec: { holderIdentity: 'me' } } });
  });

  test('needs the version that it replaces', async () => {
    const { send } = anApiServer();
    await send('POST', leases, { metadata: { name: 'le' } });
    expect(await send('PUT', `${leases}/le`, { metadata: { name: 'le' } })).toMatchObject({
      status: 422,
      body: {
        message:
          'leases.coordination.k8s.io "le" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
      },
    });
  });
});

describe('the generation of a deployment', () => {
  const changes = [
    { fact: 'grows with its specification', change: { spec: deployment(3).spec }, generation: 2 },
    { fact: 'stays when its specification does', change: {}, generation: 1 },
    { fact: 'stays when labels change', change: { metadata: { name: 'web', labels: { a: 'b' } } }, generation: 1 },
    { fact: 'stays when a status is sent', change: { status: { replicas: 7 } }, generation: 1 },
  ] as const;
  for (const { fact, change, generation } of changes) {
    test(fact, async () => {
      const { send } = anApiServer();
      await send('POST', deployments, deployment(1));
      const { status, body } = await send('PUT', `${deployments}/web`, { ...deployment(1), ...change });
      expect([status, metadataOf(body)['generation']]).toEqual([200, generation]);
    });
  }

  test('stays when the status changes through its subresource', async () => {
    const { send } = anApiServer();
    const { body: created } = await send('POST', deployments, deployment(1));
    const { body } = await send('PUT', `${deployments}/web/status`, { ...created, status: { replicas: 1 } });
    expect(body).toMatchObject({ metadata: { generation: 1 }, status: { replicas: 1 } });
  });
});

describe('the main resource and the status subresource', () => {
  test('leave each other alone', async () => {
    const { send } = anApiServer();
    const { body: created } = await send('POST', deployments, deployment(1));
    const sent = { ...created, spec: deployment(5).spec, status: { replicas: 4 } };
    const viaStatus = await send('PUT', `${deployments}/web/status`, sent);
    expect(viaStatus.body).toMatchObject({ spec: { replicas: 1 }, status: { replicas: 4 } });
    const viaMain = await send('PUT', `${deployments}/web`, { ...deployment(5), status: { replicas: 9 } });
    expect(viaMain.body).toMatchObject({ spec: { replicas: 5 }, status: { replicas: 4 } });
  });

  test('share the version', async () => {
    const { send } = anApiServer();
    const { body: created } = await send('POST', deployments, deployment(1));
    await send('PUT', `${deployments}/web`, deployment(2));
    expect(await send('PUT', `${deployments}/web/status`, { ...created, status: { replicas: 1 } })).toMatchObject({
      status: 409,
      body: { reason: 'Conflict' },
    });
  });
});

test('a selector of a deployment is immutable', async () => {
  const { send } = anApiServer();
  await send('POST', deployments, deployment(1));
  const { spec } = deployment(1);
  const labels = { app: 'other' };
  const template = { ...spec.template, metadata: { labels } };
  const other = { ...spec, selector: { matchLabels: labels }, template };
  const { status, body } = await send('PUT', `${deployments}/web`, { metadata: { name: 'web' }, spec: other });
  expect(status).toBe(422);
  expect(body).toMatchObject({ details: { causes: [{ field: 'spec.selector' }] } });
});

test('a namespace changes its own finalizers through the finalize subresource only', async () => {
  const { send } = anApiServer();
  await send('POST', '/api/v1/namespaces', { metadata: { name: 'nsf' } });
  const sent = { metadata: { name: 'nsf' }, spec: { finalizers: ['kubernetes', 'example.com/x'] } };
  const viaMain = await send('PUT', '/api/v1/namespaces/nsf', sent);
  expect(viaMain.body).toMatchObject({ spec: { finalizers: ['kubernetes'] } });
  const viaFinalize = await send('PUT', '/api/v1/namespaces/nsf/finalize', sent);
  expect(viaFinalize.body).toMatchObject({ spec: { finalizers: ['kubernetes', 'example.com/x'] } });
});
