import { anApiServer } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';

const metrics = '/apis/metrics.k8s.io/v1beta1';

async function aMeasuredCluster() {
  const api = anApiServer({
    usage: {
      ofNode: (_, pods) => ({ cpu: `${pods.length}`, memory: '1Gi' }),
      ofPod: () => [{ name: 'main', usage: { cpu: '5m', memory: '10Mi' } }],
    },
  });
  await api.send('POST', '/api/v1/nodes', { metadata: { name: 'n' } });
  for (const name of ['a', 'b']) {
    const spec = { nodeName: 'n', containers: [{ name: 'main', image: 'main' }] };
    await api.send('POST', '/api/v1/namespaces/default/pods', { metadata: { name, labels: { app: name } }, spec });
  }
  return api;
}

test('the use of nodes and pods is measured when it is read', async () => {
  const { send } = await aMeasuredCluster();
  expect((await send('GET', `${metrics}/nodes`)).body).toMatchObject({
    kind: 'NodeMetricsList',
    items: [{ metadata: { name: 'n' }, window: '30s', usage: { cpu: '2', memory: '1Gi' } }],
  });
  const containers = [{ name: 'main', usage: { cpu: '5m', memory: '10Mi' } }];
  expect((await send('GET', `${metrics}/namespaces/default/pods?labelSelector=app%3Db`)).body).toMatchObject({
    kind: 'PodMetricsList',
    items: [{ metadata: { name: 'b', namespace: 'default' }, containers }],
  });
  expect((await send('GET', `${metrics}/pods`)).body['items']).toHaveLength(2);
  expect((await send('GET', `${metrics}/namespaces/default/pods/a`)).body).toMatchObject({
    kind: 'PodMetrics',
    containers,
  });
  expect(await send('GET', `${metrics}/nodes/absent`)).toMatchObject({ status: 404 });
  expect(await send('DELETE', `${metrics}/nodes/n`)).toMatchObject({ status: 405 });
});

test('clients discover metrics, and only where somebody measures', async () => {
  const { send } = await aMeasuredCluster();
  const groups = JSON.stringify((await send('GET', '/apis')).body);
  expect(groups).toContain('"name":"metrics.k8s.io"');
  expect((await send('GET', metrics)).body).toMatchObject({
    resources: [
      { name: 'nodes', kind: 'NodeMetrics', namespaced: false, verbs: ['get', 'list'] },
      { name: 'pods', kind: 'PodMetrics', namespaced: true, verbs: ['get', 'list'] },
    ],
  });
  expect((await send('GET', '/openapi/v3')).status).toBe(200);
  expect((await send('GET', '/openapi/v2')).status).toBe(200);
  expect(JSON.stringify((await anApiServer().send('GET', '/apis')).body)).not.toContain('metrics.k8s.io');
});
