import { createPublicKey, verify } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { hours, instant, minutes } from '@nodewright/apis';
import { anApiServer, type Answer } from '@nodewright/testkit/worlds';
import { createTokenKey } from './signing-key.ts';

const core = '/api/v1/namespaces/default';
const reviews = '/apis/authentication.k8s.io/v1/tokenreviews';
const apiAudience = 'https://kubernetes.default.svc.cluster.local';

type Api = ReturnType<typeof anApiServer>;
type Text = Readonly<Record<string, unknown>>;

const statusOf = ({ body }: Answer) => body['status'] as Text;
const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')) as Text;

async function tokenOf({ send }: Api, spec: object = {}): Promise<string> {
  const answer = await send('POST', `${core}/serviceaccounts/default/token`, { spec });
  expect(answer.status).toBe(201);
  return String(statusOf(answer)['token']);
}

const reviewOf = async ({ send }: Api, token: string, audiences?: readonly string[]) =>
  statusOf(await send('POST', reviews, { spec: { token, ...(audiences && { audiences }) } }));

/** As the bearer of a token, without a client certificate. */
async function codeFor({ server }: Api, token: string): Promise<number> {
  const request = {
    method: 'GET',
    path: '/apis',
    headers: { authorization: `Bearer ${token}` },
    body: new Uint8Array(),
  };
  return (await server.handle(request, new AbortController().signal)).status;
}

async function aPod(api: Api, name: string, nodeName = 'n1') {
  await api.send('POST', '/api/v1/nodes', { metadata: { name: nodeName } });
  const spec = { nodeName, containers: [{ name: 'c', image: 'i' }] };
  const { body } = await api.send('POST', `${core}/pods`, { metadata: { name }, spec });
  return (body['metadata'] as { readonly uid: string }).uid;
}

test('a token names its account, audience, time and bound objects', async () => {
  const api = anApiServer();
  const uid = await aPod(api, 'p');
  const token = await tokenOf(api, { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'p', uid } });
  const now = Date.UTC(2024, 0, 28) / 1000;
  expect(claimsOf(token)).toMatchObject({
    aud: [apiAudience],
    iss: apiAudience,
    iat: now,
    nbf: now,
    exp: now + 3600,
    sub: 'system:serviceaccount:default:default',
    'kubernetes.io': {
      namespace: 'default',
      pod: { name: 'p', uid },
      node: { name: 'n1' },
      serviceaccount: { name: 'default' },
    },
  });
  expect(await reviewOf(api, token)).toMatchObject({
    authenticated: true,
    audiences: [apiAudience],
    user: {
      username: 'system:serviceaccount:default:default',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
      extra: {
        'authentication.kubernetes.io/credential-id': [expect.stringMatching(/^JTI=/)],
        'authentication.kubernetes.io/node-name': ['n1'],
        'authentication.kubernetes.io/pod-name': ['p'],
        'authentication.kubernetes.io/pod-uid': [uid],
      },
    },
  });
});

test('anybody can verify a token with the published key', async () => {
  const api = anApiServer({ serverAddress: () => '127.0.0.1:6443' });
  const token = await tokenOf(api);
  const { body } = await api.send('GET', '/openid/v1/jwks');
  const [key = {}] = body['keys'] as readonly Text[];
  const [head = '', claims = '', signature = ''] = token.split('.');
  const publicKey = createPublicKey({ key, format: 'jwk' });
  const text = Buffer.from(`${head}.${claims}`);
  const how = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;
  expect(verify('sha256', text, how, Buffer.from(signature, 'base64url'))).toBe(true);
  expect((await api.send('GET', '/.well-known/openid-configuration')).body).toMatchObject({
    issuer: apiAudience,
    jwks_uri: 'https://127.0.0.1:6443/openid/v1/jwks',
    id_token_signing_alg_values_supported: [key['alg']],
  });
});

test('a token is good for its audiences only', async () => {
  const api = anApiServer();
  const token = await tokenOf(api, { audiences: ['sts.amazonaws.com'] });
  expect(await codeFor(api, token)).toBe(401);
  expect(await reviewOf(api, token)).toEqual({
    user: {},
    error: `[invalid bearer token, token audiences ["sts.amazonaws.com"] is invalid for the target audiences ["${apiAudience}"]]`,
  });
  expect(await reviewOf(api, token, ['sts.amazonaws.com', 'other'])).toMatchObject({
    authenticated: true,
    audiences: ['sts.amazonaws.com'],
  });
});

test('a token ends at its time', async () => {
  const api = anApiServer();
  const token = await tokenOf(api, { expirationSeconds: 600 });
  expect(await codeFor(api, token)).toBe(200);
  await api.time.run(instant(api.time.clock.now() + minutes(10)));
  expect(await codeFor(api, token)).toBe(401);
  expect((await reviewOf(api, token))['error']).toBe('[invalid bearer token, service account token has expired]');
});

test('the token of a mounted volume outlives the time that it is renewed after', async () => {
  const api = anApiServer();
  const uid = await aPod(api, 'p');
  const bound = { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'p', uid } };
  const token = await tokenOf(api, { ...bound, expirationSeconds: 3607 });
  await api.time.run(instant(api.time.clock.now() + hours(2)));
  expect(await codeFor(api, token)).toBe(200);
});

describe('a token ends with', () => {
  const bind = (kind: string, name: string) => ({ boundObjectRef: { kind, apiVersion: 'v1', name } });
  const grace = { gracePeriodSeconds: 0 };
  const ends = async (api: Api, token: string, path: string) => {
    expect(await codeFor(api, token)).toBe(200);
    await api.send('DELETE', path, grace);
    expect((await reviewOf(api, token))['error']).toBe(
      '[invalid bearer token, service account token has been invalidated]',
    );
    expect(await codeFor(api, token)).toBe(401);
  };

  test('its account, although a new one has its name', async () => {
    const api = anApiServer();
    await ends(api, await tokenOf(api), `${core}/serviceaccounts/default`);
  });

  test('its pod', async () => {
    const api = anApiServer();
    await aPod(api, 'p');
    await ends(api, await tokenOf(api, bind('Pod', 'p')), `${core}/pods/p`);
  });

  test('its secret', async () => {
    const api = anApiServer();
    await api.send('POST', `${core}/secrets`, { metadata: { name: 's' } });
    await ends(api, await tokenOf(api, bind('Secret', 's')), `${core}/secrets/s`);
  });

  test('its node', async () => {
    const api = anApiServer();
    await api.send('POST', '/api/v1/nodes', { metadata: { name: 'n' } });
    await ends(api, await tokenOf(api, bind('Node', 'n')), '/api/v1/nodes/n');
  });
});

test('a token of another key, a changed one, and any other text are refused', async () => {
  const api = anApiServer();
  const foreign = await tokenOf(anApiServer());
  const [head, , signature] = (await tokenOf(api)).split('.');
  const changed = Buffer.from(JSON.stringify({ sub: 'system:serviceaccount:kube-system:admin' })).toString('base64url');
  for (const token of [foreign, `${head}.${changed}.${signature}`, 'x.y.z', 'x', `${head}..`]) {
    expect(await codeFor(api, token)).toBe(401);
    expect((await reviewOf(api, token))['error']).toBe('invalid bearer token');
  }
});

test('a kept key verifies the tokens of an earlier start', async () => {
  const tokenKey = createTokenKey();
  const before = anApiServer({ tokenKey });
  const token = await tokenOf(before);
  const after = anApiServer({ tokenKey, snapshot: before.server.snapshot() });
  expect(await codeFor(after, token)).toBe(200);
});

test.each([
  { spec: { expirationSeconds: 599 }, code: 422, message: 'may not specify a duration less than 10 minutes' },
  { spec: { expirationSeconds: 2 ** 33 }, code: 422, message: 'may not specify a duration larger than 2^32 seconds' },
  { spec: { boundObjectRef: { kind: 'Pod', name: 'nope' } }, code: 404, message: 'pods "nope" not found' },
  {
    spec: { boundObjectRef: { kind: 'ConfigMap', apiVersion: 'v1', name: 'x' } },
    code: 400,
    message: 'cannot bind token to object of type v1, Kind=ConfigMap',
  },
  {
    spec: { boundObjectRef: { kind: 'Node', name: 'n', uid: 'other' } },
    code: 409,
    message: 'the UID in the bound object reference (other) does not match the UID in record',
  },
])('a request for a token is refused: $message', async ({ spec, code, message }) => {
  const { send } = anApiServer();
  await send('POST', '/api/v1/nodes', { metadata: { name: 'n' } });
  const { status, body } = await send('POST', `${core}/serviceaccounts/default/token`, { spec });
  expect([status, String(body['message'])]).toEqual([code, expect.stringContaining(message)]);
});
