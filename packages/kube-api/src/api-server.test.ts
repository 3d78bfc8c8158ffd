import { expect, test } from 'vitest';
import { anApiServer } from '@nodewright/testkit/worlds';

test('an object goes through its life: created, read, patched, deleted', async () => {
  const { send } = anApiServer();
  const path = '/api/v1/namespaces/default/configmaps';
  const created = await send('POST', path, { metadata: { name: 'a' }, data: { k: 'v' } });
  expect(created).toMatchObject({
    status: 201,
    body: { kind: 'ConfigMap', metadata: { name: 'a' }, data: { k: 'v' } },
  });
  const patch = { 'content-type': 'application/merge-patch+json' };
  expect(await send('PATCH', `${path}/a`, { data: { k: null, l: 'w' } }, patch)).toMatchObject({
    status: 200,
    body: { data: { l: 'w' } },
  });
  expect(await send('GET', path)).toMatchObject({
    status: 200,
    body: { kind: 'ConfigMapList', items: [{ data: { l: 'w' } }] },
  });
  expect(await send('DELETE', `${path}/a`)).toMatchObject({ status: 200, body: { status: 'Success' } });
  expect(await send('GET', `${path}/a`)).toMatchObject({ status: 404, body: { reason: 'NotFound' } });
});
