import { anApiServer } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';

const pathInDefault = (path: string): string => path.replace(/\/(\w+)$/, '/namespaces/default/$1');
const mergeType = 'application/merge-patch+json';
const plainContainer = { name: 'c', image: 'i' };
const templateWithImage = (image: string) => ({
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ ...plainContainer, image }] },
});

async function createdInDefault(collection: string, object: object) {
  const api = anApiServer();
  const path = pathInDefault(collection);
  const { status, body } = await api.send('POST', path, { metadata: { name: 'a' }, ...object });
  expect(status, JSON.stringify(body)).toBe(201);
  return { ...api, path: `${path}/a`, body };
}

test('a secret that is patched with texts keeps the data that it has', async () => {
  const { send, path } = await createdInDefault('/api/v1/secrets', { data: { a: 'YQ==' } });
  const { body } = await send('PATCH', path, { stringData: { b: 'b' } }, { 'content-type': mergeType });
  expect(body).toMatchObject({ data: { a: 'YQ==', b: 'Yg==' } });
});

test('each change of the templateWithImage of a daemon set is counted', async () => {
  const selector = { matchLabels: { app: 'web' } };
  const { send, path } = await createdInDefault('/apis/apps/v1/daemonsets', {
    spec: { selector, template: templateWithImage('i:1') },
  });
  const patch = (spec: object) => send('PATCH', path, { spec }, { 'content-type': mergeType });
  const counted = ({ body }: { body: object }) =>
    (body as { metadata: { annotations: Record<string, string> } }).metadata.annotations[
      'deprecated.daemonset.template.generation'
    ];
  expect(counted(await patch({ template: templateWithImage('i:2') }))).toBe('2');
  expect(counted(await patch({ minReadySeconds: 5 }))).toBe('2');
});

const claimed = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
const snapshotSource = { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 's' };
const otherSource = { apiGroup: 'example.com', kind: 'Backup', name: 's' };

test.each([
  {
    fact: 'a source of a known kind is referred to, too',
    spec: { dataSource: snapshotSource },
    both: [snapshotSource, snapshotSource],
  },
  { fact: 'a reference is the source, too', spec: { dataSourceRef: otherSource }, both: [otherSource, otherSource] },
  { fact: 'a source of another kind is dropped', spec: { dataSource: otherSource }, both: [undefined, undefined] },
])('of a claimed, $fact', async ({ spec, both }) => {
  const { body } = await createdInDefault('/api/v1/persistentvolumeclaims', { spec: { ...claimed, ...spec } });
  const { dataSource, dataSourceRef } = (body as { spec: Record<string, unknown> }).spec;
  expect([dataSource, dataSourceRef]).toEqual(both);
});

test('a pod keeps its class of service when its kubelet leaves it out', async () => {
  const { send, path } = await createdInDefault('/api/v1/pods', { spec: { containers: [plainContainer] } });
  const { body } = await send('PATCH', `${path}/status`, { status: { qosClass: null } }, { 'content-type': mergeType });
  expect(body).toMatchObject({ status: { qosClass: 'BestEffort' } });
});

test('the selector of a job selects its own pods beside what its writer asks for', async () => {
  const { body } = await createdInDefault('/apis/batch/v1/jobs', {
    spec: { template: { spec: { restartPolicy: 'Never', containers: [plainContainer] } } },
  });
  const { metadata, spec } = body as { metadata: { uid: string }; spec: { selector: object } };
  expect(spec.selector).toEqual({ matchLabels: { 'batch.kubernetes.io/controller-uid': metadata.uid } });
});

test('a null in an apply leaves a map as it is', async () => {
  const { send, path } = await createdInDefault('/api/v1/configmaps', { data: { a: 'b' } });
  const intent = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: null };
  const apply = { 'content-type': 'application/apply-patch+yaml' };
  const { body } = await send('PATCH', `${path}?fieldManager=me`, intent, apply);
  expect(body).toMatchObject({ data: { a: 'b' } });
});

test.each([
  {
    fact: 'a list that is always printed',
    path: '/apis/storage.k8s.io/v1/csinodes',
    object: { spec: {} },
    spec: { drivers: null },
  },
  {
    fact: 'a pointer to zero',
    path: '/apis/apps/v1/namespaces/default/deployments',
    object: {
      spec: {
        replicas: 0,
        minReadySeconds: 0,
        selector: { matchLabels: { app: 'web' } },
        template: templateWithImage('i'),
      },
    },
    spec: { replicas: 0 },
  },
])('$fact is printed', async ({ path, object, spec }) => {
  const { body } = await anApiServer().send('POST', path, { metadata: { name: 'a' }, ...object });
  expect(body).toMatchObject({ spec });
  expect(body['spec']).not.toHaveProperty('minReadySeconds');
});

test('devices of administrators are for namespaces with their label', async () => {
  const { send } = anApiServer({ version: '1.36' });
  const claims = '/apis/resource.k8s.io/v1/namespaces/default/resourceclaims';
  const exactly = { deviceClassName: 'gpu.example.com', adminAccess: true };
  const claimed = { metadata: { name: 'a' }, spec: { devices: { requests: [{ name: 'gpu', exactly }] } } };
  expect(await send('POST', claims, claimed)).toMatchObject({
    status: 422,
    body: { details: { causes: [{ field: 'spec.devices.requests[0].adminAccess' }] } },
  });
  const labels = { 'resource.kubernetes.io/admin-access': 'true' };
  await send('PATCH', '/api/v1/namespaces/default', { metadata: { labels } }, { 'content-type': mergeType });
  expect(await send('POST', claims, claimed)).toMatchObject({ status: 201 });
});
