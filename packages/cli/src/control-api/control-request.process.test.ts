import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { sendControlRequest } from './control-request.ts';

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a request is sent with its body, and its answer comes whole', async () => {
  const url = await serve((request, response) => {
    request.setEncoding('utf8').on('data', (text: string) => {
      response.writeHead(409);
      response.write(`${request.method} ${request.url} `);
      response.end(text);
    });
  });
  const answer = await sendControlRequest({ url, method: 'POST', path: '/clock', body: { advance: '1h' } });
  expect([answer.status, await answer.text()]).toEqual([409, 'POST /clock {"advance":"1h"}']);
});

test('nothing but the caller ends the wait for an answer', async () => {
  const limits: number[] = [];
  const end = new AbortController();
  const url = await serve((request) => {
    limits.push(request.socket.timeout ?? 0);
    end.abort();
  });
  await expect(sendControlRequest({ url, path: '/clock', signal: end.signal })).rejects.toThrow('aborted');
  expect(limits).toEqual([0]);
});

test('a connection that breaks before the answer ends the request', async () => {
  const url = await serve((request) => void request.socket.destroy());
  await expect(sendControlRequest({ url, path: '/clock' })).rejects.toThrow('socket hang up');
});
