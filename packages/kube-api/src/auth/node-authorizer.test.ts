import { expect, test } from 'vitest';
import { anApiServer, type Answer } from '@nodewright/testkit/worlds';

const node = { 'impersonate-user': 'system:node:n1', 'impersonate-group': 'system:nodes' };
const core = '/api/v1/namespaces/default';

/** A pod on n1 that uses things called `used`, and the same things called `unused`. */
async function withPod(version = '1.28') {
  const api = anApiServer({ version });
  for (const plural of ['secrets', 'configmaps']) {
    for (const name of ['used', 'unused']) await api.send('POST', `${core}/${plural}`, { metadata: { name } });
  }
  await api.send('POST', '/api/v1/nodes', { metadata: { name: 'n1' } });
  await api.send('POST', '/api/v1/nodes', { metadata: { name: 'n2' } });
  const env = [{ name: 'A', valueFrom: { configMapKeyRef: { name: 'used', key: 'a' } } }];
  await api.send('POST', `${core}/pods`, {
    metadata: { name: 'p' },
    spec: {
      nodeName: 'n1',
      containers: [{ name: 'c', image: 'i', env }],
      volumes: [
        { name: 's', secret: { secretName: 'used' } },
        { name: 'd', persistentVolumeClaim: { claimName: 'used' } },
      ],
    },
  });
  return (method: string, path: string, body?: object) => api.send(method, path, body, node);
}

const code = async (answer: Promise<Answer>) => (await answer).status;

test('a node reads what its pods refer to, and nothing else', async () => {
  const send = await withPod();
  expect(await code(send('GET', `${core}/secrets/used`))).toBe(200);
  expect(await code(send('GET', `${core}/configmaps/used`))).toBe(200);
  expect(await code(send('GET', `${core}/configmaps/kube-root-ca.crt`))).toBe(404);
  expect(await send('GET', `${core}/secrets/unused`)).toMatchObject({
    status: 403,
    body: {
      message:
        'secrets "unused" is forbidden: User "system:node:n1" cannot get resource "secrets" in API group "" in the namespace "default": no relationship found between node \'n1\' and this object',
    },
  });
  expect(await code(send('GET', `${core}/secrets`))).toBe(403);
  expect(await code(send('GET', `${core}/persistentvolumeclaims/used`))).toBe(404);
  expect(await code(send('POST', `${core}/serviceaccounts/default/token`, { spec: {} }))).toBe(403);
});

test('since 1.32 a node reads itself and its pods alone', async () => {
  const send = await withPod('1.32');
  expect(await code(send('GET', '/api/v1/nodes/n1'))).toBe(200);
  expect(await code(send('GET', '/api/v1/nodes?fieldSelector=metadata.name%3Dn1'))).toBe(200);
  expect(await code(send('GET', '/api/v1/pods?fieldSelector=spec.nodeName%3Dn1'))).toBe(200);
  expect(await code(send('GET', `${core}/pods/p`))).toBe(200);
  for (const [path, because] of [
    ['/api/v1/nodes/n2', "node 'n1' cannot read 'n2', only its own Node object"],
    ['/api/v1/nodes', "node 'n1' cannot read all nodes, only its own Node object"],
    ['/api/v1/pods', 'can only list/watch pods with spec.nodeName field selector'],
    ['/api/v1/pods?fieldSelector=spec.nodeName%3Dn2', 'can only list/watch pods with spec.nodeName field selector'],
    [`${core}/pods/other`, "no relationship found between node 'n1' and this object"],
    ['/api/v1/persistentvolumes', 'can only get individual resources of this type'],
    ['/api/v1/secrets', 'can only read namespaced object of this type'],
    ['/apis/storage.k8s.io/v1/csinodes', 'can only get, create, update, patch, or delete a CSINode'],
  ] as const) {
    const { status, body } = await send('GET', path);
    expect([status, body['message']]).toEqual([403, expect.stringMatching(new RegExp(`: ${because}$`))]);
  }
  expect(await code((await withPod('1.31'))('GET', '/api/v1/pods'))).toBe(200);
});

test('a node is no administrator', async () => {
  const send = await withPod();
  expect(await code(send('POST', `${core}/configmaps`, { metadata: { name: 'x' } }))).toBe(403);
  expect(await code(send('DELETE', '/api/v1/nodes/n1'))).toBe(403);
  expect(await code(send('GET', '/apis/apps/v1/deployments'))).toBe(403);
});

test('a node writes its own lease and its own node', async () => {
  const send = await withPod();
  const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';
  expect(await code(send('POST', leases, { metadata: { name: 'n1' }, spec: {} }))).toBe(201);
  expect(await code(send('POST', leases, { metadata: { name: 'n2' }, spec: {} }))).toBe(403);
  expect(await code(send('GET', `${leases}/n2`))).toBe(403);
  const other = await send('PUT', '/api/v1/nodes/n2/status', {
    kind: 'Node',
    apiVersion: 'v1',
    metadata: { name: 'n2' },
  });
  expect(other.body['message']).toBe('nodes "n2" is forbidden: node "n1" is not allowed to modify node "n2"');
});

test('default roles follow the roles that they are made of', async () => {
  const { send } = anApiServer();
  const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
  const rules = [{ apiGroups: ['example.com'], resources: ['widgets'], verbs: ['get'] }];
  const labels = { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' };
  await send('POST', roles, { metadata: { name: 'widgets', labels }, rules });
  for (const name of ['view', 'edit', 'admin']) {
    expect((await send('GET', `${roles}/${name}`)).body['rules']).toContainEqual(rules[0]);
  }
  await send('DELETE', `${roles}/widgets`);
  expect((await send('GET', `${roles}/admin`)).body['rules']).not.toContainEqual(rules[0]);
});
