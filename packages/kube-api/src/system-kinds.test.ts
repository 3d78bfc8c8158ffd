import { expect, test } from 'vitest';
import { anApiServer } from '@nodewright/testkit/worlds';

const services = '/apis/apiregistration.k8s.io/v1/apiservices';
const flows = '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas';
const levels = '/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const asTable = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };

type World = ReturnType<typeof anApiServer>;
type Listed = { readonly items: readonly { readonly metadata: { readonly name: string } }[] };
type Rows = { readonly rows: readonly { readonly cells: readonly string[] }[] };

async function listNames({ send }: World, path: string): Promise<readonly string[]> {
  const { body } = await send('GET', path);
  return (body as unknown as Listed).items.map(({ metadata }) => metadata.name);
}

async function rowOf({ send }: World, path: string): Promise<readonly string[] | undefined> {
  const { body } = await send('GET', path, undefined, asTable);
  return (body as unknown as Rows).rows[0]?.cells;
}

const lamps = {
  metadata: { name: 'lamps.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Cluster',
    names: { plural: 'lamps', kind: 'Lamp' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
};

test('every group and version that is served has an APIService, but the group of the APIServices', async () => {
  const world = anApiServer();
  const { body } = await world.send('GET', '/apis');
  const groups = body['groups'] as readonly { readonly versions: readonly { readonly groupVersion: string }[] }[];
  const served = groups.flatMap(({ versions }) => versions.map(({ groupVersion }) => groupVersion));
  const expected = served.map((text) => text.split('/').toReversed().join('.'));
  expect(await listNames(world, services)).toEqual(
    ['v1.', ...expected].filter((name) => name !== 'v1.apiregistration.k8s.io').toSorted(),
  );
  expect(await rowOf(world, `${services}/v1.apps`)).toEqual(['v1.apps', 'Local', 'True', '0s']);
});

test('the APIService of a custom kind comes and goes with its definition', async () => {
  const world = anApiServer();
  await world.send('POST', definitions, lamps);
  expect(await world.send('GET', `${services}/v1.example.com`)).toMatchObject({
    body: {
      metadata: { labels: { 'kube-aggregator.kubernetes.io/automanaged': 'true' } },
      spec: { group: 'example.com', version: 'v1', groupPriorityMinimum: 1000, versionPriority: 100 },
    },
  });
  await world.send('DELETE', `${definitions}/lamps.example.com`);
  expect(await world.send('GET', `${services}/v1.example.com`)).toMatchObject({ status: 404 });
});

test('an APIService that is deleted comes back, one of a user does not', async () => {
  const world = anApiServer();
  const own = {
    metadata: { name: 'v1.a.b' },
    spec: { group: 'a.b', version: 'v1', groupPriorityMinimum: 1, versionPriority: 1 },
  };
  await world.send('POST', services, own);
  const before = await world.send('GET', `${services}/v1.batch`);
  await world.send('DELETE', `${services}/v1.batch`);
  await world.send('DELETE', `${services}/v1.a.b`);
  const after = await world.send('GET', `${services}/v1.batch`);
  expect(after.status).toBe(200);
  expect(after.body['metadata']).not.toMatchObject({ uid: (before.body['metadata'] as { uid: string }).uid });
  expect(await listNames(world, services)).not.toContain('v1.a.b');
});

test('an upgrade of the control plane brings the APIServices of its new groups', async () => {
  const world = anApiServer({ version: '1.33' });
  expect(await listNames(world, services)).not.toContain('v1.resource.k8s.io');
  world.server.setVersion('1.34');
  expect(await listNames(world, services)).toContain('v1.resource.k8s.io');
});

test('a cluster has the flow schemas and priority levels of Kubernetes, and each schema its level', async () => {
  const world = anApiServer({ version: '1.34' });
  expect(await listNames(world, levels)).toEqual(
    'catch-all exempt global-default leader-election node-high system workload-high workload-low'.split(' '),
  );
  const { body } = await world.send('GET', flows);
  for (const flow of body['items'] as readonly unknown[]) {
    expect(flow).toMatchObject({ status: { conditions: [{ type: 'Dangling', status: 'False', reason: 'Found' }] } });
  }
  expect(await rowOf(world, `${flows}/exempt`)).toEqual(['exempt', 'exempt', 1, '<none>', '0s', 'False']);
});

test('a flow schema tells whether its priority level exists', async () => {
  const world = anApiServer({ version: '1.34' });
  const flow = {
    metadata: { name: 'mine' },
    spec: { priorityLevelConfiguration: { name: 'later' }, matchingPrecedence: 700, rules: [] },
  };
  const level = { metadata: { name: 'later' }, spec: { type: 'Exempt', exempt: { nominalConcurrencyShares: 0 } } };
  const isDangling = async (): Promise<unknown> => (await rowOf(world, `${flows}/mine`))?.at(-1);
  await world.send('POST', flows, flow);
  expect(await isDangling()).toBe('True');
  await world.send('POST', levels, level);
  expect(await isDangling()).toBe('False');
  await world.send('DELETE', `${levels}/later`);
  expect(await isDangling()).toBe('True');
  await world.send('DELETE', `${flows}/catch-all`);
  expect(await listNames(world, flows)).toContain('catch-all');
});

test('the components of the control plane are healthy', async () => {
  const world = anApiServer({ version: '1.34' });
  expect(await listNames(world, '/api/v1/componentstatuses')).toEqual(['controller-manager', 'etcd-0', 'scheduler']);
  expect(await rowOf(world, '/api/v1/componentstatuses')).toEqual(['controller-manager', 'Healthy', 'ok', '']);
  const { headers } = await world.send('GET', '/api/v1/componentstatuses/scheduler');
  expect(headers['warning']).toContain('v1 ComponentStatus is deprecated in v1.19+');
  expect(await world.send('GET', '/api/v1/componentstatuses/etcd-9')).toMatchObject({ status: 404 });
});
