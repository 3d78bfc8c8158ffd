import { expect, test } from 'vitest';
import { anApiServer } from '@nodewright/testkit/worlds';

const nodes = '/api/v1/nodes';

/** A server whose kubelets answer with the node, the path and the pods that they are asked for. */
function aServedNode() {
  const world = anApiServer({
    kubelets: {
      read: ({ metadata }, path, pods) =>
        path === 'missing'
          ? undefined
          : { contentType: 'application/json', text: JSON.stringify({ node: metadata.name, path, pods: pods.length }) },
    },
  });
  return { ...world, create: () => world.send('POST', nodes, { metadata: { name: 'n1' } }) };
}

for (const name of ['n1', 'n1:10250', 'https:n1:10250']) {
  test(`GET nodes/${name}/proxy asks the kubelet of n1`, async () => {
    const { send, create } = aServedNode();
    await create();
    const { status, body } = await send('GET', `${nodes}/${name}/proxy/stats/summary`);
    expect([status, body]).toEqual([200, { node: 'n1', path: 'stats/summary', pods: 0 }]);
  });
}

test('a path that a kubelet does not have, and a node that is not there, are 404', async () => {
  const { send, create } = aServedNode();
  await create();
  expect(await send('GET', `${nodes}/n1/proxy/missing`)).toMatchObject({ status: 404 });
  expect(await send('GET', `${nodes}/n2/proxy/metrics`)).toMatchObject({
    status: 404,
    body: { message: 'nodes "n2" not found' },
  });
});

test('a kubelet that the control plane does not hear does not answer', async () => {
  const { send, create } = aServedNode();
  await create();
  const status = {
    conditions: [{ type: 'Ready', status: 'Unknown' }],
    addresses: [{ type: 'InternalIP', address: '10.0.0.7' }],
  };
  const merge = { 'content-type': 'application/merge-patch+json' };
  await send('PATCH', `${nodes}/n1/status`, { status }, merge);
  expect(await send('GET', `${nodes}/n1/proxy/metrics`)).toMatchObject({
    status: 503,
    body: { message: 'error trying to reach service: dial tcp 10.0.0.7:10250: i/o timeout' },
  });
});

test('whoever may get nodes/proxy may ask for every path', async () => {
  const { send, create } = aServedNode();
  await create();
  const rbac = '/apis/rbac.authorization.k8s.io/v1';
  const rules = [{ apiGroups: [''], resources: ['nodes/proxy'], verbs: ['get'] }];
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'scrape' };
  const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'prometheus' }];
  await send('POST', `${rbac}/clusterroles`, { metadata: { name: 'scrape' }, rules });
  await send('POST', `${rbac}/clusterrolebindings`, { metadata: { name: 'scrape' }, roleRef, subjects });
  const asScraper = { 'impersonate-user': 'prometheus' };
  expect(await send('GET', `${nodes}/n1/proxy/metrics/cadvisor`, undefined, asScraper)).toMatchObject({ status: 200 });
  expect(await send('GET', `${nodes}/n1`, undefined, asScraper)).toMatchObject({ status: 403 });
});
