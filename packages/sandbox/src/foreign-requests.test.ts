import type { RequestHandler } from '@nodewright/runtime';
import { expect, test } from 'vitest';
import { refuseForeignRequests } from './foreign-requests.ts';

const served: RequestHandler = async () => ({ status: 200, headers: {}, body: new Uint8Array() });

async function answerTo(headers: Readonly<Record<string, string>>, hosts: readonly string[] = []) {
  const request = { method: 'POST', path: '/clock', headers, body: new Uint8Array() };
  return refuseForeignRequests(served, hosts)(request, new AbortController().signal);
}

for (const host of [
  '127.0.0.1:8080',
  '127.1.2.3',
  'localhost:8080',
  'LOCALHOST.:8080',
  'sandbox.localhost:1',
  '[::1]:8080',
]) {
  test(`a request for ${host} is served`, async () => {
    expect((await answerTo({ host })).status).toBe(200);
  });
}

for (const host of [
  'evil.example:8080',
  '127.0.0.1.evil.example',
  'localhost.evil.example:8080',
  'evil.example#@localhost',
  'localhost@evil.example',
  '0.0.0.0:8080',
  '[::]:8080',
  '169.254.169.254',
  '',
]) {
  test(`a request for "${host}" is refused, and the answer names the flag`, async () => {
    const { status, body } = await answerTo({ host });
    expect(status).toBe(403);
    expect(Buffer.from(body as Uint8Array).toString()).toContain('--allowed-hosts');
  });
}

test('a request without a host is refused', async () => {
  expect((await answerTo({})).status).toBe(403);
});

test('names that are allowed are served, on any port, and others are not', async () => {
  const hosts = ['host.docker.internal', '[fe80::1]'];
  expect((await answerTo({ host: 'Host.Docker.Internal:9' }, hosts)).status).toBe(200);
  expect((await answerTo({ host: '[fe80::1]:9' }, hosts)).status).toBe(200);
  expect((await answerTo({ host: 'docker.internal:9' }, hosts)).status).toBe(403);
});

for (const { page, headers } of [
  { page: 'another site', headers: { origin: 'https://evil.example' } },
  { page: 'another port', headers: { origin: 'http://127.0.0.1:3000' } },
  { page: 'another scheme', headers: { origin: 'https://127.0.0.1:8080' } },
  { page: 'a sandboxed frame', headers: { origin: 'null' } },
  { page: 'another site, without an origin', headers: { 'sec-fetch-site': 'cross-site' } },
  { page: 'a page of the same site, without an origin', headers: { 'sec-fetch-site': 'same-site' } },
]) {
  test(`a request of ${page} is refused, without a CORS header`, async () => {
    const answer = await answerTo({ host: '127.0.0.1:8080', ...headers });
    expect(answer.status).toBe(403);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
}

test('a page of the port itself, and an address that a person types, are served', async () => {
  const host = '127.0.0.1:8080';
  expect((await answerTo({ host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' })).status).toBe(200);
  expect((await answerTo({ host, 'sec-fetch-site': 'none' })).status).toBe(200);
});
