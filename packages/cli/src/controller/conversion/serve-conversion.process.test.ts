import { request } from 'node:https';
import { instant, minutes } from '@nodewright/apis';
import { realTime } from '@nodewright/runtime';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConversionServer, serveConversion } from './serve-conversion.ts';
import { makeCertificates, type WebhookCertificates } from './webhook-certificates.ts';

const host = 'karpenter-conversion.karpenter.svc';
const made = { hosts: [host], now: realTime().clock.now() };
const later = { hosts: [host], now: instant(made.now + minutes(1)) };

let server: ConversionServer;
let certificates: WebhookCertificates;

beforeAll(async () => {
  server = await serveConversion(0);
  certificates = await makeCertificates('begin', undefined, made);
  server.use(certificates.serving);
});
afterAll(() => server.close());

type Sent = {
  readonly ca?: readonly string[];
  readonly method?: string;
  readonly path?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** As an API server calls: by the name of the Service, trusting the authorities of the definition alone. */
function send({ ca = certificates.authorities, method = 'POST', path = '/convert', body = '', headers = {} }: Sent) {
  return new Promise<string>((resolve, reject) => {
    const options = {
      host: '127.0.0.1',
      port: server.port,
      servername: host,
      ca: [...ca],
      agent: false,
      method,
      path,
      headers,
    };
    const sent = request(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve(`${response.statusCode} ${Buffer.concat(chunks).toString('utf8')}`));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const reviewOf = (desiredAPIVersion: string, object: object): string =>
  JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'ConversionReview',
    request: { uid: 'asked', desiredAPIVersion, objects: [object] },
  });

const claim = {
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodeClaim',
  metadata: { name: 'a', uid: 'u' },
  spec: {
    nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'a' },
    requirements: [],
    expireAfter: '10h',
  },
};

const convertedBy = async (desired: string, object: object): Promise<object> => {
  const answer = await send({ body: reviewOf(desired, object) });
  expect(answer).toMatch(/^200 /);
  const { response } = JSON.parse(answer.slice(4)) as {
    response: { uid: string; convertedObjects: readonly object[] };
  };
  expect(response).toMatchObject({ uid: 'asked', result: { status: 'Success' } });
  return response.convertedObjects[0] ?? {};
};

test('objects are converted both ways over HTTPS', async () => {
  const old = await convertedBy('karpenter.sh/v1beta1', claim);
  expect(old).toMatchObject({ apiVersion: 'karpenter.sh/v1beta1', metadata: { uid: 'u' } });
  expect(old).not.toHaveProperty('spec.expireAfter');
  expect(await convertedBy('karpenter.sh/v1', old)).toMatchObject({ spec: claim.spec });
});

test('new connections get a new certificate; the old authority is trusted beside the new one', async () => {
  const added = await makeCertificates('addAuthority', certificates, later);
  expect(await send({ ca: added.authorities, method: 'GET' })).toMatch(/^405/);
  const renewed = await makeCertificates('issueServing', added, later);
  server.use(renewed.serving);
  await expect(send({ ca: certificates.authorities })).rejects.toThrow(/certificate/);
  expect(await send({ ca: renewed.authorities, method: 'GET' })).toMatch(/^405/);
  server.use(certificates.serving);
});

test.each<readonly [string, Sent, RegExp]>([
  ['another path', { path: '/' }, /^404/],
  ['another method', { method: 'GET' }, /^405/],
  ['no JSON', { body: 'text' }, /^400 the body is no ConversionReview/],
  ['another kind', { body: '{"kind":"AdmissionReview"}' }, /^400/],
  ['a body that is too large', { headers: { 'content-length': '99999999' } }, /^413/],
])('%s is refused', async (_case, sent, answer) => {
  expect(await send(sent)).toMatch(answer);
});
