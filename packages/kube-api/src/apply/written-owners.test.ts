import { anApiServer } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';

const sets = '/apis/apps/v1/namespaces/default/statefulsets';
const template = (more: object) => ({
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'web', image: 'web', ...more }] },
});
const aSet = (spec: object, more: object = {}) => ({
  metadata: { name: 'web' },
  spec: { serviceName: 'web', selector: { matchLabels: { app: 'web' } }, template: template(more), ...spec },
});

const slices = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices';

const ownersOf = async (object: object, path = sets): Promise<string> => {
  const { send } = anApiServer();
  const { status, body } = await send('POST', path, object);
  expect(status).toBe(201);
  return JSON.stringify((body['metadata'] as { managedFields: unknown }).managedFields);
};

test('who writes an empty list owns it, although it is not stored', async () => {
  const slice = { metadata: { name: 'web' }, addressType: 'IPv4' };
  expect(await ownersOf({ ...slice, endpoints: [] }, slices)).toContain('"f:endpoints":{}');
  expect(await ownersOf(slice, slices)).not.toContain('f:endpoints');
});

test('a null is owned by nobody', async () => {
  expect(await ownersOf(aSet({}, { lifecycle: null }))).not.toContain('f:lifecycle');
});

test('who writes an empty list of items with keys owns the list', async () => {
  const node = { metadata: { name: 'n' }, spec: { drivers: [] } };
  expect(await ownersOf(node, '/apis/storage.k8s.io/v1/csinodes')).toContain('"f:spec":{"f:drivers":{}}');
});

test('who writes a member of a feature that is off owns it, although it is not stored', async () => {
  const owners = await ownersOf(
    aSet({ updateStrategy: { rollingUpdate: { maxUnavailable: 2 } } }, { lifecycle: { stopSignal: 'SIGTERM' } }),
  );
  expect(owners).toContain('"f:maxUnavailable":{}');
  expect(owners).toContain('"f:lifecycle":{".":{},"f:stopSignal":{}}');
});

test('the status of a Pod is refused for what it tells of addresses, devices and claims that cannot be', async () => {
  const { send } = anApiServer({ version: '1.36' });
  const pods = '/api/v1/namespaces/default/pods';
  const { body } = await send('POST', pods, {
    metadata: { name: 'a' },
    spec: { containers: [{ name: 'c', image: 'i' }] },
  });
  const put = (status: object) =>
    send('PUT', `${pods}/a/status`, { ...body, status: { qosClass: 'BestEffort', ...status } });
  const fieldsOf = ({ body: { details } }: { readonly body: { readonly details?: unknown } }) =>
    (details as { readonly causes: readonly { readonly field: string }[] }).causes.map(({ field }) => field);
  const twice = [{ ip: '10.0.0.1' }, { ip: '10.0.0.1' }];
  expect(fieldsOf(await put({ podIPs: twice, hostIPs: [{ ip: '10.0.0.9' }] }))).toEqual([
    'status.podIPs',
    'status.hostIPs[0].ip',
  ]);
  expect(fieldsOf(await put({ resourceClaimStatuses: [{ name: 'gpu' }] }))).toEqual([
    'status.resourceClaimStatuses[0].name',
  ]);
  expect(await put({ podIPs: [{ ip: '10.0.0.1' }] })).toMatchObject({
    status: 200,
    body: { status: { podIP: '10.0.0.1' } },
  });
});
