import { instant, nodes } from '@nodewright/apis';
import { expect, test } from 'vitest';
import type { HttpResponse, RequestHandler } from '../http.ts';
import { kubernetesClient } from '../kubernetes/rest-client.ts';
import { virtualTime } from '../time/virtual-time.ts';
import { inProcessTransport } from './in-process-transport.ts';
import { documentResponse, documentStream, withHeaders } from './known-document.ts';
import { severableTransport } from './severable-transport.ts';

const stored = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'a' } };
const event = { type: 'ADDED', object: stored } as const;

/** A server that knows what it says, and counts how often it has to write it. */
function aServer() {
  const written = { times: 0 };
  const write = (document: unknown): Uint8Array => {
    written.times += 1;
    return Buffer.from(`${JSON.stringify(document)}\n`);
  };
  async function* events(): AsyncGenerator<typeof event> {
    yield event;
  }
  const whole = (): HttpResponse => documentResponse(200, {}, { document: stored, write: () => write(stored) });
  const handle: RequestHandler = async ({ path }) =>
    path.includes('watch') ? { status: 200, headers: {}, body: documentStream(events(), write) } : whole();
  return { handle, written, whole };
}

function aClient(handle: RequestHandler) {
  const time = virtualTime(instant(0));
  const { gate } = time;
  const transport = severableTransport(inProcessTransport(gate, handle));
  return { time, client: kubernetesClient({ transport, gate, userAgent: 't' }) };
}

const first = async <T>(parts: AsyncIterable<T>): Promise<T | undefined> => {
  for await (const part of parts) return part;
  return undefined;
};

test('a client in the same process takes what the server has at hand, and nothing is written', async () => {
  const { handle, written } = aServer();
  const { client, time } = aClient(async (...call) => withHeaders(await handle(...call), { etag: '1' }));
  expect(await time.finish(client.get(nodes, { name: 'a' }))).toBe(stored);
  expect((await time.finish(first(client.watch(nodes, { resourceVersion: '1' }))))?.object).toBe(stored);
  expect(written.times).toBe(0);
});

test('an answer that was changed on its way says what its bytes say', async () => {
  const { handle } = aServer();
  const { client, time } = aClient(async (...call) => ({ ...(await handle(...call)), body: Buffer.from('{"a":1}') }));
  expect(await time.finish(client.get(nodes, { name: 'a' }))).toEqual({ a: 1 });
});

test('whoever reads bytes gets them, written once', async () => {
  const { whole, handle, written } = aServer();
  const answer = withHeaders(whole(), { etag: '1' });
  expect(answer.headers).toEqual({ etag: '1' });
  expect(Buffer.from(answer.body as Uint8Array).toString()).toBe(`${JSON.stringify(stored)}\n`);
  expect(answer.body).toBe(answer.body);
  expect(written.times).toBe(1);
  const request = { method: 'GET', path: '/?watch', headers: {}, body: new Uint8Array() };
  const { body } = await handle(request, new AbortController().signal);
  const line = await first(body as AsyncIterable<Uint8Array>);
  expect(JSON.parse(Buffer.from(line ?? []).toString())).toEqual(event);
});
