import { request } from 'node:http';
import { connect } from 'node:net';
import {
  type Clock,
  describeDefect,
  HandlerDefect,
  type HttpResponse,
  mostBodyBytes,
  realTime,
  type RequestHandler,
} from '@nodewright/runtime';
import { afterEach, describe, expect, test } from 'vitest';
import type { DefectReport } from './answer-defect.ts';
import { listenOn, type Listening } from './listen.ts';

let listening: Listening | undefined;
afterEach(() => listening?.close());

type Answer = { readonly status: number; readonly text: string };

/** Sends `size` bytes in pieces, as a client that does not wait for an answer does. */
const upload = (url: string, size: number): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sending = request(url, { method: 'POST', headers: { 'content-length': String(size) } }, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += String(chunk)));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    sending.on('error', reject);
    // What is still being written when the answer is there may find the connection closed.
    sending.on('socket', (socket) => socket.on('error', () => undefined));
    const piece = Buffer.alloc(1 << 20);
    for (let left = size; left > 0; left -= piece.length) sending.write(piece.subarray(0, left));
    sending.end();
  });

const tellingLength: RequestHandler = ({ body }) =>
  Promise.resolve({ status: 200, headers: {}, body: Buffer.from(String(body.byteLength)) });

describe('a body', () => {
  test.each([
    { sent: 10, handed: 10 },
    { sent: mostBodyBytes, handed: mostBodyBytes },
    { sent: 100 << 20, handed: mostBodyBytes + 1 },
  ])('of $sent bytes reaches the handler as $handed bytes', async ({ sent, handed }) => {
    listening = await listenOn(tellingLength, { port: 0 });
    expect(await upload(listening.url, sent)).toEqual({ status: 200, text: String(handed) });
  });
});

test('a client gets the id of a defect and nothing else of it, and the log gets both', async () => {
  const reports: DefectReport[] = [];
  const thrown = new Error('ENOENT: /root/secret');
  listening = await listenOn(() => Promise.reject(thrown), { port: 0, onDefect: (report) => reports.push(report) });
  const { status, text } = await upload(`${listening.url}/path?token=secret`, 1);
  const [report] = reports;
  expect(status).toBe(500);
  expect(text).toBe(`${describeDefect(report?.id ?? '')}\n`);
  expect(reports).toEqual([{ id: report?.id, method: 'POST', path: '/path', error: thrown }]);
});

test('a defect is answered in the form of the handler that has one', async () => {
  const answer = (id: string): HttpResponse => ({ status: 500, headers: {}, body: Buffer.from(`<Id>${id}</Id>`) });
  const reports: DefectReport[] = [];
  listening = await listenOn(() => Promise.reject(new HandlerDefect(new Error('inside'), answer)), {
    port: 0,
    onDefect: (report) => reports.push(report),
  });
  const { text } = await upload(listening.url, 1);
  expect(text).toBe(`<Id>${reports[0]?.id}</Id>`);
  expect(reports[0]?.error).toEqual(new Error('inside'));
});

/** Sends a text over a socket of its own and returns everything that comes back until the server closes it. */
const exchangeText = (port: number, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let received = '';
    socket.on('data', (chunk) => (received += String(chunk)));
    socket.on('close', () => resolve(received));
    socket.on('error', reject);
  });

test.each([
  { fact: 'a request line', head: `GET /${'a'.repeat(200_000)} HTTP/1.1\r\nHost: x\r\n\r\n` },
  { fact: 'a header', head: `GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(200_000)}\r\n\r\n` },
])('$fact has a limited length', async ({ head }) => {
  listening = await listenOn(tellingLength, { port: 0 });
  expect(await exchangeText(listening.port, head)).toMatch(/^HTTP\/1\.1 431 /);
});

test('a body that does not end is answered when its time is over, on the clock of the server', async () => {
  const due: (() => void)[] = [];
  const clock: Clock = {
    ...realTime().clock,
    sleep: (_ms, signal) =>
      new Promise((resolve, reject) => {
        due.push(resolve);
        signal?.addEventListener('abort', () => reject(signal.reason as Error));
      }),
  };
  listening = await listenOn(tellingLength, { port: 0, clock });
  const answered = exchangeText(listening.port, 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf');
  while (due.length === 0) await new Promise((resolve) => setImmediate(resolve));
  due.forEach((end) => end());
  expect(await answered).toMatch(/^HTTP\/1\.1 408 /);
});
