import { anApiServer } from '@nodewright/testkit/worlds';
import { describe, expect, test } from 'vitest';

const maps = '/api/v1/namespaces/default/configmaps';
const administrator = { clientCertificate: { commonName: 'admin', organizations: ['system:masters'] } };

/** Sends a text as it is, so that it may be one that no client writes. */
async function sendText(server: ReturnType<typeof anApiServer>['server'], sent: { [name: string]: string }) {
  const { method = 'POST', path = maps, type = 'application/json', body = '' } = sent;
  const answer = await server.handle(
    { method, path, headers: { 'content-type': type }, body: Buffer.from(body), peer: administrator },
    new AbortController().signal,
  );
  const text = Buffer.from(answer.body as Uint8Array).toString('utf8');
  return JSON.parse(text) as Readonly<Record<string, unknown>>;
}

const deep = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
const deepList = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

describe('the depth of a body', () => {
  const { server } = anApiServer();

  test.each([
    { fact: 'JSON', type: 'application/json', body: deep(200_000) },
    { fact: 'JSON of lists', type: 'application/json', body: `{"a":${deepList(1_000_000)}}` },
    { fact: 'JSON just above the limit', type: 'application/json', body: deep(1_002) },
    { fact: 'YAML', type: 'application/yaml', body: `{a: ${deepList(100_000)}}` },
  ])('is limited in $fact', async ({ type, body }) => {
    expect(await sendText(server, { type, body })).toMatchObject({
      kind: 'Status',
      code: 400,
      message: expect.stringMatching(/exceeded max depth$/),
    });
  });

  test.each(['merge-patch+json', 'strategic-merge-patch+json', 'json-patch+json', 'apply-patch+yaml'])(
    'is limited in a patch: %s',
    async (form) => {
      const { send, server: own } = anApiServer();
      await send('POST', maps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm' } });
      const patch = { method: 'PATCH', path: `${maps}/m?fieldManager=me`, type: `application/${form}` };
      expect(await sendText(own, { ...patch, body: deep(200_000) })).toMatchObject({
        code: 400,
        message: expect.stringMatching(/exceeded max depth$/),
      });
    },
  );

  test('is limited in what copies of a JSON patch make', async () => {
    const { send } = anApiServer();
    await send('POST', maps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm' }, data: {} });
    // Each copy goes into the innermost object and makes it twice as deep.
    const nest = Array.from({ length: 12 }, (_, at) => ({
      op: 'copy',
      from: '/metadata/annotations',
      path: `/metadata/annotations${'/x'.repeat(2 ** at)}`,
    }));
    const patch = [{ op: 'add', path: '/metadata/annotations', value: {} }, ...nest];
    const answer = await send('PATCH', `${maps}/m`, patch, { 'content-type': 'application/json-patch+json' });
    expect(answer.body).toMatchObject({ code: 400, message: 'error applying patch: exceeded max depth' });
  });
});

test('a JSON patch has at most 10,000 operations', async () => {
  const { send } = anApiServer();
  await send('POST', maps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm' } });
  const patch = Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/kind', value: 'ConfigMap' }));
  const answer = await send('PATCH', `${maps}/m`, patch, { 'content-type': 'application/json-patch+json' });
  expect(answer.body).toMatchObject({
    code: 413,
    reason: 'RequestEntityTooLarge',
    message: 'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
  });
});

test('a JSON patch moves a bounded number of items', async () => {
  const { send } = anApiServer();
  const all = Array.from({ length: 100_000 }, () => 'x');
  await send('POST', maps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm' } });
  const patch = [
    { op: 'add', path: '/metadata/finalizers', value: all },
    ...Array.from({ length: 9_000 }, () => ({ op: 'add', path: '/metadata/finalizers/0', value: 'y' })),
  ];
  const answer = await send('PATCH', `${maps}/m`, patch, { 'content-type': 'application/json-patch+json' });
  expect(answer).toMatchObject({ status: 422 });
});

test('a request target has a limited length', async () => {
  const { send } = anApiServer();
  expect(await send('GET', `${maps}?labelSelector=${'a'.repeat(70_000)}`)).toMatchObject({ status: 414 });
});

test('a body above 3 MiB is refused', async () => {
  const { send } = anApiServer();
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm' }, data: { a: 'x'.repeat(3 * 2 ** 20) } };
  expect((await send('POST', maps, map)).body).toMatchObject({
    code: 413,
    message: 'Request entity too large: limit is 3145728',
  });
});

test('annotations have at most 256 KiB together', async () => {
  const { send } = anApiServer();
  const annotations = { a: 'x'.repeat(200_000), b: 'x'.repeat(70_000) };
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm', annotations } };
  expect((await send('POST', maps, map)).body).toMatchObject({
    code: 422,
    message: 'ConfigMap "m" is invalid: metadata.annotations: Too long: may not be more than 262144 bytes',
  });
});

test('more unknown members than a call has arguments are warned of', async () => {
  const { send } = anApiServer();
  const unknown = Object.fromEntries(Array.from({ length: 150_000 }, (_, at) => [`m${at}`, 1]));
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm' }, ...unknown };
  expect(await send('POST', `${maps}?fieldValidation=Warn`, map)).toMatchObject({ status: 201 });
});
