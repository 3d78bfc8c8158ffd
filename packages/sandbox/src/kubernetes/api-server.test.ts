import { instant } from '@nodewright/apis';
import { seededRandom, virtualTime } from '@nodewright/runtime';
import { expect, test } from 'vitest';
import { createApiServer } from './api-server.ts';

const administrator = { clientCertificate: { commonName: 'admin', organizations: ['system:masters'] } };

function aServer() {
  const { clock } = virtualTime(instant(Date.UTC(2024, 0, 28)));
  const server = createApiServer({ clock, random: seededRandom('test'), version: '1.28' });
  const send = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await server.handle(
      {
        method,
        path,
        headers: { 'content-type': 'application/json', 'user-agent': 'test/1', ...headers },
        body: body === undefined ? new Uint8Array() : Buffer.from(JSON.stringify(body)),
        peer: administrator,
      },
      new AbortController().signal,
    );
    const text = response.body instanceof Uint8Array ? Buffer.from(response.body).toString() : '';
    return { status: response.status, headers: response.headers, body: text.startsWith('{') ? JSON.parse(text) : text };
  };
  return { server, send };
}

test('an object goes through its life: created, read, patched, deleted', async () => {
  const { send } = aServer();
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
