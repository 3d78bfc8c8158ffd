import { describe, expect, test } from 'vitest';
import { anApiServer } from '@nodewright/testkit/worlds';

const pods = '/api/v1/namespaces/default/pods';
const bindings = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';
const bind = (clusterRole: string, subject: object) => ({
  metadata: { name: `everybody-${clusterRole}` },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: clusterRole },
  subjects: [{ apiGroup: 'rbac.authorization.k8s.io', ...subject }],
});

/** What an administrator gets when acting as somebody else. */
function world() {
  const { send } = anApiServer();
  const as =
    (headers: Readonly<Record<string, string>>) =>
    (method: string, path: string, body?: unknown): ReturnType<typeof send> =>
      send(method, path, body, headers);
  return { send, as };
}

describe('who acts as somebody else', () => {
  test('may do what that user may, and hears in whose name it was refused', async () => {
    const answer = await world().as({ 'impersonate-user': 'nobody' })('GET', pods);
    expect(answer).toMatchObject({
      status: 403,
      body: {
        message:
          'pods is forbidden: User "nobody" cannot list resource "pods" in API group "" in the namespace "default"',
      },
    });
  });

  test.each([
    { fact: 'a user', headers: { 'impersonate-user': 'ann' }, subject: { kind: 'User', name: 'ann' } },
    {
      fact: 'a group',
      headers: { 'impersonate-user': 'ann', 'impersonate-group': 'dev, ops' },
      subject: { kind: 'Group', name: 'ops' },
    },
    {
      fact: 'everybody who is signed in',
      headers: { 'impersonate-user': 'ann' },
      subject: { kind: 'Group', name: 'system:authenticated' },
    },
    {
      fact: 'the service accounts of a namespace',
      headers: { 'impersonate-user': 'system:serviceaccount:ci:bot' },
      subject: { kind: 'Group', name: 'system:serviceaccounts:ci' },
    },
  ])('may look once view is bound to $fact', async ({ headers, subject }) => {
    const { send, as } = world();
    await send('POST', bindings, bind('view', subject));
    expect(await as(headers)('GET', pods)).toMatchObject({ status: 200 });
    expect(await as(headers)('DELETE', `${pods}/x`)).toMatchObject({ status: 403 });
  });

  test('is asked about as that user', async () => {
    const review = { spec: { resourceAttributes: { verb: 'list', resource: 'nodes' } } };
    const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
    const headers = { 'impersonate-user': 'nobody' };
    expect((await world().as(headers)('POST', path, review)).body).toMatchObject({ status: { allowed: false } });
    const administrator = { ...headers, 'impersonate-group': 'system:masters' };
    expect((await world().as(administrator)('POST', path, review)).body).toMatchObject({ status: { allowed: true } });
  });

  test('has to name a user', async () => {
    expect(await world().as({ 'impersonate-group': 'ops' })('GET', pods)).toMatchObject({ status: 500 });
  });
});

test('nobody may act as somebody else without a role that allows it', async () => {
  const { server } = anApiServer();
  const { body } = await server.handle(
    {
      method: 'GET',
      path: pods,
      headers: { 'impersonate-user': 'ann' },
      body: new Uint8Array(),
      peer: { clientCertificate: { commonName: 'bob', organizations: [] } },
    },
    new AbortController().signal,
  );
  expect(Buffer.from(body as Uint8Array).toString('utf8')).toContain(
    String.raw`users \"ann\" is forbidden: User \"bob\" cannot impersonate resource \"users\" in API group \"\" at the cluster scope`,
  );
});

test('who is bound to edit changes workloads and nothing of the cluster', async () => {
  const { send, as } = world();
  await send('POST', bindings, bind('edit', { kind: 'User', name: 'ann' }));
  const ann = as({ 'impersonate-user': 'ann' });
  const metadata = { name: 'x' };
  expect(await ann('POST', '/api/v1/namespaces/default/configmaps', { metadata })).toMatchObject({ status: 201 });
  expect(await ann('POST', '/api/v1/namespaces', { metadata })).toMatchObject({ status: 403 });
  const path = '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews';
  const { body } = await ann('POST', path, { spec: { namespace: 'default' } });
  expect(JSON.stringify(body)).toContain('"deployments/scale"');
});
