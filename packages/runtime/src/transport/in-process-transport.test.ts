import { instant } from '@nodewright/apis';
import { expect, test } from 'vitest';
import type { HttpRequest, RequestHandler } from '../http.ts';
import { virtualTime } from '../time/virtual-time.ts';
import { inProcessTransport } from './in-process-transport.ts';

const request: HttpRequest = { method: 'GET', path: '/version', headers: {}, body: new Uint8Array() };
const ok = { status: 200, headers: {} };

function aWorld(handler: RequestHandler) {
  const time = virtualTime(instant(0));
  const transport = inProcessTransport(time.gate, handler, {
    peer: { clientCertificate: { commonName: 'admin', organizations: [] } },
  });
  const send = (signal?: AbortSignal) =>
    time.gate.call((ticket) => transport.send(request, signal === undefined ? { ticket } : { ticket, signal }));
  return { time, send };
}

test('a request is answered when its turn comes, and the server knows who asks', async () => {
  const { time, send } = aWorld(async ({ path, peer }) => ({
    ...ok,
    body: Buffer.from(`${path} for ${peer?.clientCertificate?.commonName}`),
  }));
  const response = await time.finish(send());
  expect(Buffer.from(response.body as Uint8Array).toString()).toBe('/version for admin');
});

test('a request that is aborted before its turn never reaches the server', async () => {
  const { time, send } = aWorld(() => {
    throw new Error('served');
  });
  const sent = send(AbortSignal.abort(new Error('client left')));
  await expect(time.finish(sent)).rejects.toThrow('client left');
});

test('a server that is slow on purpose lets time pass meanwhile', async () => {
  const { time, send } = aWorld(async (_request, signal, serving) => {
    await serving?.wait(() => time.clock.sleep(800, signal));
    return { ...ok, body: Buffer.from(String(time.clock.now())) };
  });
  const ticks: number[] = [];
  time.clock.at(instant(500), () => ticks.push(time.clock.now()));
  const answers = await time.finish(Promise.all([send(), send()]));
  expect(answers.map(({ body }) => Buffer.from(body as Uint8Array).toString())).toEqual(['800', '800']);
  expect(ticks).toEqual([500]);
});

test('a client that leaves a slow server holds nothing up', async () => {
  const controller = new AbortController();
  const { time, send } = aWorld(async (_request, signal, serving) => {
    await serving?.wait(() => time.clock.sleep(60_000, signal));
    return { ...ok, body: new Uint8Array() };
  });
  time.clock.at(instant(5), () => controller.abort(new Error('client left')));
  await expect(time.finish(send(controller.signal))).rejects.toThrow('client left');
  expect([await time.step(), time.clock.now()]).toEqual(['idle', 5]);
});

test('a stream is read after the call has ended, and an abort ends it while it waits', async () => {
  const controller = new AbortController();
  let closed = false;
  async function* body(signal: AbortSignal) {
    yield Buffer.from('one');
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    closed = true;
  }
  const { time, send } = aWorld(async (_request, signal) => ({ ...ok, body: body(signal) }));
  const { body: stream } = await time.finish(send(controller.signal));
  const read = async (): Promise<readonly string[]> => {
    const chunks: string[] = [];
    try {
      for await (const chunk of stream as AsyncIterable<Uint8Array>) chunks.push(Buffer.from(chunk).toString());
    } catch (error) {
      chunks.push(String(error));
    }
    return chunks;
  };
  time.clock.at(instant(5), () => controller.abort(new Error('client left')));
  expect(await time.finish(read())).toEqual(['one', 'Error: client left']);
  await time.settle();
  expect(closed).toBe(true);
});
