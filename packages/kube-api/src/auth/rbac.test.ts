import { expect, test } from 'vitest';
import { anApiServer } from '@nodewright/testkit/worlds';

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const role = (kind: 'Role' | 'ClusterRole', rules: readonly object[]) => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind,
  metadata: { name: 'reader' },
  rules,
});
const binding = (kind: 'Role' | 'ClusterRole', subject: object) => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: `${kind}Binding`,
  metadata: { name: 'readers' },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name: 'reader' },
  subjects: [subject],
});
const podReader = [{ apiGroups: [''], resources: ['pods', 'pods/log'], verbs: ['get', 'list'] }];
const ann = { apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'ann' };

function world() {
  const { server, send } = anApiServer();
  const may = (verb: string, plural: string, namespace = 'default', user = 'ann', groups: readonly string[] = []) => {
    const [name = '', subresource = ''] = plural.split('/');
    const resource = { group: '', plural: name, subresource, namespace, name: 'x' };
    return server.isAllowed({ name: user, groups }, { verb, resource });
  };
  return { server, send, may };
}

test('somebody whom no role names may do nothing with resources', () => {
  expect(world().may('list', 'pods')).toBe(false);
});

test('a role holds in its namespace, for its verbs, resources and subresources', async () => {
  const { may, send } = world();
  await send('POST', `${rbac}/namespaces/default/roles`, role('Role', podReader));
  await send('POST', `${rbac}/namespaces/default/rolebindings`, binding('Role', ann));
  expect(may('list', 'pods')).toBe(true);
  expect(may('get', 'pods/log')).toBe(true);
  expect([may('delete', 'pods'), may('list', 'nodes'), may('list', 'pods', 'kube-system')]).toEqual([
    false,
    false,
    false,
  ]);
  expect(may('list', 'pods', 'default', 'bob')).toBe(false);
});

for (const { fact, subject, user, groups } of [
  { fact: 'a group', subject: { ...ann, kind: 'Group', name: 'ops' }, user: 'bob', groups: ['ops'] },
  {
    fact: 'a service account',
    subject: { kind: 'ServiceAccount', namespace: 'ci', name: 'bot' },
    user: 'system:serviceaccount:ci:bot',
    groups: [],
  },
]) {
  test(`a cluster role that is bound to ${fact} holds everywhere, until the binding goes`, async () => {
    const { may, send } = world();
    await send('POST', `${rbac}/clusterroles`, role('ClusterRole', [{ ...podReader[0], resourceNames: ['x'] }]));
    await send('POST', `${rbac}/clusterrolebindings`, binding('ClusterRole', subject));
    expect(may('get', 'pods', 'kube-system', user, groups)).toBe(true);
    await send('DELETE', `${rbac}/clusterrolebindings/readers`);
    expect(may('get', 'pods', 'kube-system', user, groups)).toBe(false);
  });
}

test('OBJ-8: EKS is the user eks:node-manager, and may do what the cluster role of that name says', () => {
  const { may } = world();
  const eks = (verb: string, plural: string) => may(verb, plural, 'app', 'eks:node-manager');
  expect([eks('watch', 'pods'), eks('create', 'pods/eviction'), eks('patch', 'nodes')]).toEqual([true, true, true]);
  expect([eks('create', 'pods'), eks('delete', 'nodes'), eks('list', 'secrets')]).toEqual([false, false, false]);
});
