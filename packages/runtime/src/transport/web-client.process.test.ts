import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { realTime } from '../time/real-time.ts';
import { proxyAgents } from './proxy-agents.ts';
import { createWebClient, mostAnswerBytes } from './web-client.ts';

const servers: Server[] = [];

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

afterAll(() => {
  for (const server of servers) server.close().closeAllConnections();
});

const client = createWebClient({ gate: realTime().gate });
const minute = 60_000;

test('a body is posted whole, with its headers, and the answer comes back', async () => {
  const seen: string[] = [];
  const url = await serve((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      seen.push(`${request.method} ${request.url} ${request.headers['authorization']} ${body}`);
      response.writeHead(202).end('taken');
    });
  });
  const headers = { authorization: 'Bearer t' };
  expect(
    await client.send({ method: 'POST', url: `${url}/hook?x=1`, headers, body: 'größe', timeoutMs: minute }),
  ).toEqual({ kind: 'answered', status: 202, text: 'taken' });
  expect(seen).toEqual(['POST /hook?x=1 Bearer t größe']);
});

test('a redirect is an answer and is not followed', async () => {
  const url = await serve((_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end());
  expect(await client.send({ method: 'GET', url, timeoutMs: minute })).toMatchObject({ status: 302 });
});

test('a server that says nothing, too much or breaks off is unreachable, and no path is told', async () => {
  const silent = await serve(() => undefined);
  const large = await serve((_, response) => response.end(Buffer.alloc(mostAnswerBytes + 1)));
  const broken = await serve((_, response) => {
    response.writeHead(200, { 'content-length': '10' }).write('half');
    response.destroy();
  });
  const reasonOf = async (url: string, timeoutMs = minute): Promise<string> => {
    const answer = await client.send({ method: 'GET', url: `${url}/secret`, timeoutMs });
    return answer.kind === 'unreachable' ? answer.because : 'answered';
  };
  expect(await reasonOf(silent, 50)).toBe(`${silent}: no answer within 0.05 s`);
  expect(await reasonOf(large)).toBe(`${large}: its answer has more than 1048576 bytes`);
  expect(await reasonOf(broken)).toMatch(/aborted|socket hang up/);
  expect(await reasonOf('http://127.0.0.1:1')).toContain('ECONNREFUSED');
  expect(await reasonOf('no url')).toBe('its URL cannot be read');
});

test('the agents are used: a proxy is asked for the way', async () => {
  const asked: string[] = [];
  const proxy = await serve(() => undefined);
  servers.at(-1)?.on('connect', (request, socket) => {
    asked.push(request.url ?? '');
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  const agents = proxyAgents({ environment: { HTTPS_PROXY: proxy } });
  const through = createWebClient({ gate: realTime().gate, agents });
  const answer = await through.send({ method: 'GET', url: 'https://receiver.example/', timeoutMs: minute });
  expect([asked, answer.kind]).toEqual([['receiver.example:443'], 'unreachable']);
});
