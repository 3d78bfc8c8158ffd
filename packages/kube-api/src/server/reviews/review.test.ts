import { describe, expect, test } from 'vitest';
import { anApiServer } from '@nodewright/testkit/worlds';

const authorization = '/apis/authorization.k8s.io/v1';
const authentication = '/apis/authentication.k8s.io/v1';
const limited = { 'impersonate-user': 'limited-user', 'impersonate-group': 'limited' };
const rbac = '/apis/rbac.authorization.k8s.io/v1';

type Body = Readonly<Record<string, unknown>>;

/** `limited-user` may read pods in the namespace `default`, and nothing else. */
async function withRole() {
  const api = anApiServer();
  await api.send('POST', `${rbac}/namespaces/default/roles`, {
    metadata: { name: 'reader' },
    rules: [{ apiGroups: [''], resources: ['pods', 'pods/log'], verbs: ['get', 'list'] }],
  });
  await api.send('POST', `${rbac}/namespaces/default/rolebindings`, {
    metadata: { name: 'reader' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'limited-user' }],
  });
  return api;
}

const allowedIn = (body: Body): unknown => (body['status'] as { readonly allowed?: unknown }).allowed;

const accesses = [
  { fact: 'list pods in default', attributes: { verb: 'list', resource: 'pods', namespace: 'default' }, allowed: true },
  {
    fact: 'read logs in default',
    attributes: { verb: 'get', resource: 'pods', subresource: 'log', namespace: 'default' },
    allowed: true,
  },
  {
    fact: 'create pods in default',
    attributes: { verb: 'create', resource: 'pods', namespace: 'default' },
    allowed: false,
  },
  {
    fact: 'list pods in other namespaces',
    attributes: { verb: 'list', resource: 'pods', namespace: 'other' },
    allowed: false,
  },
  { fact: 'list pods in all namespaces', attributes: { verb: 'list', resource: 'pods' }, allowed: false },
  {
    fact: 'evict pods in default',
    attributes: { verb: 'create', resource: 'pods', subresource: 'eviction', namespace: 'default' },
    allowed: false,
  },
  { fact: 'get nodes', attributes: { verb: 'get', resource: 'nodes' }, allowed: false },
  {
    fact: 'list deployments in default',
    attributes: { verb: 'list', group: 'apps', resource: 'deployments', namespace: 'default' },
    allowed: false,
  },
] as const;

for (const { fact, attributes, allowed } of accesses) {
  test(`a limited user may ${allowed ? '' : 'not '}${fact}, whoever asks`, async () => {
    const { send } = await withRole();
    const spec = { resourceAttributes: attributes };
    const self = await send('POST', `${authorization}/selfsubjectaccessreviews`, { spec }, limited);
    const asked = { ...spec, user: 'limited-user', groups: ['limited'] };
    const other = await send('POST', `${authorization}/subjectaccessreviews`, { spec: asked });
    expect([self, other].map(({ status }) => status)).toEqual([201, 201]);
    expect([self, other].map(({ body }) => allowedIn(body))).toEqual([allowed, allowed]);
    const local = await send('POST', `${authorization}/namespaces/default/localsubjectaccessreviews`, { spec: asked });
    const isOfDefault = 'namespace' in attributes && attributes.namespace === 'default';
    expect(local.status).toBe(isOfDefault ? 201 : 422);
    if (isOfDefault) expect(allowedIn(local.body)).toBe(allowed);
  });
}

test('an administrator may do everything', async () => {
  const { send } = await withRole();
  for (const { attributes } of accesses) {
    const spec = { resourceAttributes: attributes };
    const { body } = await send('POST', `${authorization}/selfsubjectaccessreviews`, { spec });
    expect(body).toMatchObject({ kind: 'SelfSubjectAccessReview', spec, status: { allowed: true } });
  }
});

describe('paths that are no resources', () => {
  const paths = [
    { path: '/version', verb: 'get', allowed: true },
    { path: '/healthz', verb: 'get', allowed: true },
    { path: '/apis/apps/v1', verb: 'get', allowed: true },
    { path: '/openapi/v3', verb: 'get', allowed: true },
    { path: '/metrics', verb: 'get', allowed: false },
    { path: '/apis', verb: 'post', allowed: false },
  ] as const;
  for (const { path, verb, allowed } of paths) {
    test(`${verb} ${path} is ${allowed ? 'open to' : 'closed for'} a user without a role`, async () => {
      const { send } = await withRole();
      const spec = { nonResourceAttributes: { path, verb } };
      const { body } = await send('POST', `${authorization}/selfsubjectaccessreviews`, { spec }, limited);
      expect(allowedIn(body)).toBe(allowed);
    });
  }
});

describe('a rules review', () => {
  const review = { spec: { namespace: 'default' } };
  type Rules = { readonly resourceRules: readonly Body[]; readonly nonResourceRules: readonly Body[] };
  const rulesFor = async (headers: Readonly<Record<string, string>>) => {
    const { send } = await withRole();
    const { status, body } = await send('POST', `${authorization}/selfsubjectrulesreviews`, review, headers);
    expect([status, body['spec']]).toEqual([201, {}]);
    return body['status'] as Rules;
  };
  const reviews = { verbs: ['create'], apiGroups: ['authentication.k8s.io'], resources: ['selfsubjectreviews'] };

  test('of a limited user has the rules of its roles and those of every user', async () => {
    const { resourceRules, nonResourceRules } = await rulesFor(limited);
    expect(resourceRules).toContainEqual({ apiGroups: [''], resources: ['pods', 'pods/log'], verbs: ['get', 'list'] });
    expect(resourceRules).toContainEqual(reviews);
    expect(JSON.stringify(nonResourceRules)).toContain('/healthz');
  });

  test('of an administrator begins with everything', async () => {
    const { resourceRules, nonResourceRules } = await rulesFor({});
    expect(resourceRules[0]).toEqual({ verbs: ['*'], apiGroups: ['*'], resources: ['*'] });
    expect(nonResourceRules[0]).toEqual({ verbs: ['*'], nonResourceURLs: ['*'] });
  });
});

test('a self review has the name, the UID, the groups and the extra values of the sender', async () => {
  const { send } = anApiServer();
  const headers = { ...limited, 'impersonate-uid': 'uid-limited', 'impersonate-extra-team': 'a, b' };
  const { status, body } = await send('POST', `${authentication}/selfsubjectreviews`, {}, headers);
  expect(status).toBe(201);
  expect(body).toMatchObject({
    kind: 'SelfSubjectReview',
    metadata: { creationTimestamp: '2024-01-28T00:00:00Z' },
    status: {
      userInfo: {
        username: 'limited-user',
        uid: 'uid-limited',
        groups: ['limited', 'system:authenticated'],
        extra: { team: ['a', 'b'] },
      },
    },
  });
});

describe('a token review', () => {
  test('of an unknown token says so', async () => {
    const { send } = anApiServer();
    const { body } = await send('POST', `${authentication}/tokenreviews`, { spec: { token: 'x.y.z' } });
    expect(body).toMatchObject({ spec: { token: 'x.y.z' }, status: { user: {}, error: 'invalid bearer token' } });
  });

  test('asks the readers in their order', async () => {
    const reader = (name: string) => (token: string) => (token === 'shared' ? { name, groups: ['g'] } : undefined);
    const { send } = anApiServer({ tokens: [() => undefined, reader('first'), reader('second')] });
    const { body } = await send('POST', `${authentication}/tokenreviews`, { spec: { token: 'shared' } });
    expect(body['status']).toEqual({
      authenticated: true,
      user: { username: 'first', groups: ['g', 'system:authenticated'] },
    });
  });
});

test('reviews are not stored', async () => {
  const { server, send } = anApiServer();
  const { revision } = server.snapshot();
  await send('POST', `${authorization}/selfsubjectaccessreviews`, { spec: {} });
  expect(server.snapshot().revision).toBe(revision);
});

test('a forbidden request names the user, the verb, the resource and the namespace', async () => {
  const { send } = await withRole();
  expect(await send('GET', '/api/v1/namespaces/sub/pods', undefined, limited)).toMatchObject({
    status: 403,
    body: {
      reason: 'Forbidden',
      message:
        'pods is forbidden: User "limited-user" cannot list resource "pods" in API group "" in the namespace "sub"',
      details: { kind: 'pods' },
    },
  });
  expect(await send('GET', '/api/v1/nodes', undefined, limited)).toMatchObject({
    body: {
      message:
        'nodes is forbidden: User "limited-user" cannot list resource "nodes" in API group "" at the cluster scope',
    },
  });
  expect(await send('GET', '/metrics', undefined, limited)).toMatchObject({
    status: 403,
    body: { message: 'forbidden: User "limited-user" cannot get path "/metrics"' },
  });
});

test('an access review has no name, and asks about one thing', async () => {
  const { send } = anApiServer();
  const path = `${authorization}/selfsubjectaccessreviews`;
  const spec = { resourceAttributes: { verb: 'get', resource: 'pods' } };
  expect(await send('POST', path, { metadata: { name: '' }, spec })).toMatchObject({ status: 201 });
  expect(await send('POST', path, { metadata: { name: 'a' }, spec })).toMatchObject({
    status: 422,
    body: { details: { group: 'authorization.k8s.io', causes: [{ field: 'metadata' }] } },
  });
  expect(await send('POST', path, { spec: {} })).toMatchObject({
    status: 422,
    body: { details: { causes: [{ field: 'spec.resourceAttributes' }] } },
  });
});
