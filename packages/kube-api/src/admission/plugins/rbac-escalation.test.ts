import { expect, test } from 'vitest';
import { anApiServer, type Answer } from '@nodewright/testkit/worlds';

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const group = 'rbac.authorization.k8s.io';
const bob = { 'impersonate-user': 'bob', 'impersonate-group': 'devs' };

const roles = `${rbac}/namespaces/default/roles`;
const bindings = `${rbac}/namespaces/default/rolebindings`;

const refusal = ({ status, body }: Answer) => [status, body['message']];

/** Bob may read pods, and write roles and bindings. */
async function withBob(...more: readonly object[]) {
  const api = anApiServer();
  await api.send('POST', `${rbac}/clusterroles`, {
    metadata: { name: 'bob' },
    rules: [
      { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] },
      { apiGroups: [group], resources: ['*'], verbs: ['get', 'create', 'update', 'patch'] },
      ...more,
    ],
  });
  await api.send('POST', `${rbac}/clusterrolebindings`, {
    metadata: { name: 'bob' },
    roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'bob' },
    subjects: [{ apiGroup: group, kind: 'User', name: 'bob' }],
  });
  return (path: string, body: object, method = 'POST', headers = {}) =>
    api.send(method, path, body, { ...bob, ...headers });
}

const role = (verbs: readonly string[], resources = ['pods']) => ({
  metadata: { name: 'r' },
  rules: [{ apiGroups: [''], resources, verbs }],
});
const bindingTo = (kind: string, name: string) => ({
  metadata: { name: 'b' },
  roleRef: { apiGroup: group, kind, name },
  subjects: [{ apiGroup: group, kind: 'User', name: 'bob' }],
});

test('a user makes himself no administrator', async () => {
  const send = await withBob();
  const answer = await send(bindings, bindingTo('ClusterRole', 'cluster-admin'));
  expect(refusal(answer)).toEqual([
    403,
    `rolebindings.${group} "b" is forbidden: user "bob" (groups=["devs" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:["*"], Resources:["*"], Verbs:["*"]}\n{NonResourceURLs:["*"], Verbs:["*"]}`,
  ]);
});

test('a role grants what its writer has, and nothing more', async () => {
  const send = await withBob();
  expect((await send(roles, role(['get']))).status).toBe(201);
  const more = await send(`${roles}/r`, role(['get', 'delete', 'watch'], ['pods', 'secrets']), 'PUT');
  expect(refusal(more)).toEqual([
    403,
    `roles.${group} "r" is forbidden: user "bob" (groups=["devs" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["pods"], Verbs:["delete" "watch"]}\n{APIGroups:[""], Resources:["secrets"], Verbs:["get" "delete" "watch"]}`,
  ]);
  const merge = { 'content-type': 'application/merge-patch+json' };
  expect((await send(`${roles}/r`, { metadata: { labels: { a: 'b' } } }, 'PATCH', merge)).status).toBe(200);
});

test('a binding to an absent role is not found', async () => {
  const send = await withBob();
  expect(refusal(await send(bindings, bindingTo('Role', 'nope')))).toEqual([404, `roles.${group} "nope" not found`]);
});

test('who may escalate writes any role, and who may bind a role binds it', async () => {
  const escalating = await withBob({ apiGroups: [group], resources: ['roles'], verbs: ['escalate'] });
  expect((await escalating(roles, role(['delete'], ['secrets']))).status).toBe(201);
  const verbs = ['bind'];
  const binding = await withBob({ apiGroups: [group], resources: ['clusterroles'], resourceNames: ['view'], verbs });
  expect((await binding(bindings, bindingTo('ClusterRole', 'view'))).status).toBe(201);
  expect((await binding(bindings, { ...bindingTo('ClusterRole', 'edit'), metadata: { name: 'c' } })).status).toBe(403);
});
