import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { days, minutes } from '@nodewright/apis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { certificateAuthority, createApiServer, type KeyPair } from '@nodewright/kube-api';
import { realTime, seededRandom } from '@nodewright/runtime';
import { callWebhook } from './call-webhook.ts';

/** A webhook that refuses what is named `bad`, fails at `/broken` and never answers at `/silent`. */
function aWebhookServer({ cert, key }: KeyPair): Server {
  return createServer({ cert, key }, (request, response) => {
    if (request.url?.startsWith('/silent') === true) return;
    if (request.url?.startsWith('/broken') === true) {
      response.writeHead(503, { 'content-type': 'text/plain' }).end('come back later');
      return;
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const review = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { request: { uid: string; name: string } };
      const allowed = review.request.name !== 'bad';
      response.end(JSON.stringify({ response: { uid: review.request.uid, allowed } }));
    });
  });
}

const now = realTime().clock.now();
const validity = { notBefore: new Date(now - days(1)), notAfter: new Date(now + days(1)) };

let server: Server;
let port = 0;
let ca = '';
let otherCa = '';

beforeAll(async () => {
  const authority = await certificateAuthority(validity);
  ca = authority.cert;
  otherCa = (await certificateAuthority(validity)).cert;
  server = aWebhookServer(await authority.server(['127.0.0.1']));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const call = (path: string, traits: object = {}) =>
  callWebhook({
    url: `https://127.0.0.1:${port}/${path}`,
    ca,
    body: { request: { uid: 'u' } },
    timeoutMs: minutes(10),
    ...traits,
  });

test('an answer is read', async () => {
  expect(await call('')).toEqual({ kind: 'answered', body: { response: { uid: 'u', allowed: true } } });
});

test('a certificate of another authority is refused', async () => {
  const error = `Post "https://127.0.0.1:${port}/": tls: failed to verify certificate: x509: certificate signed by unknown authority`;
  expect(await call('', { ca: otherCa })).toEqual({ kind: 'failed', error });
});

test('a port without a server, as recorded', async () => {
  const url = 'https://127.0.0.1:1/x?timeout=1s';
  const error = `Post ${JSON.stringify(url)}: dial tcp 127.0.0.1:1: connect: connection refused`;
  expect(await call('', { url })).toEqual({ kind: 'failed', error });
});

test('an answer that does not come', async () => {
  const { kind, error } = (await call('silent', { timeoutMs: 100 })) as { kind: string; error?: string };
  expect([kind, error]).toEqual(['failed', expect.stringContaining('context deadline exceeded')]);
});

test('an error', async () => {
  const error = 'an error on the server ("come back later") has prevented the request from succeeding';
  expect(await call('broken')).toEqual({ kind: 'failed', error });
});

test('the API server asks a webhook over HTTPS', async () => {
  const kubernetes = createApiServer({
    clock: realTime().clock,
    random: seededRandom('x'),
    version: '1.36',
    callWebhook,
  });
  const peer = { clientCertificate: { commonName: 'admin', organizations: ['system:masters'] } };
  const post = async (path: string, body: object): Promise<number> => {
    const request = {
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify(body)),
      peer,
    };
    return (await kubernetes.handle(request, new AbortController().signal)).status;
  };
  const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }];
  const clientConfig = { url: `https://127.0.0.1:${port}/`, caBundle: Buffer.from(ca).toString('base64') };
  const webhook = { name: 'a.example.com', admissionReviewVersions: ['v1'], sideEffects: 'None', rules, clientConfig };
  const configurations = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
  expect(await post(configurations, { metadata: { name: 'a' }, webhooks: [webhook] })).toBe(201);
  const configMaps = '/api/v1/namespaces/default/configmaps';
  expect(await post(configMaps, { metadata: { name: 'good' } })).toBe(201);
  expect(await post(configMaps, { metadata: { name: 'bad' } })).toBe(400);
});
