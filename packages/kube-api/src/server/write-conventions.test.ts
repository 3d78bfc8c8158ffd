import { describe, expect, test } from 'vitest';
import { type Answer, anApiServer } from '@nodewright/testkit/worlds';

const inDefault = (path: string): string => path.replace('NS', 'namespaces/default');
const configMaps = '/api/v1/namespaces/default/configmaps';
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const merge = { 'content-type': 'application/merge-patch+json' };
const apply = { 'content-type': 'application/apply-patch+yaml' };
const pod = { spec: { containers: [{ name: 'c', image: 'i' }] } };
const deployment = {
  metadata: { name: 'web' },
  spec: { selector: { matchLabels: { a: 'b' } }, template: { metadata: { labels: { a: 'b' } }, ...pod } },
};

type Metadata = { readonly namespace?: string; readonly managedFields?: readonly object[] };
const metadataOf = ({ body }: Answer): Metadata => body['metadata'] as Metadata;
const said = ({ status, body }: Answer): [number, unknown] => [status, body['message']];

test('an object of the cluster loses its namespace, and can be read, patched and deleted', async () => {
  const { send } = anApiServer();
  const metadata = { name: 'n', namespace: 'default' };
  expect(metadataOf(await send('POST', '/api/v1/nodes', { metadata })).namespace).toBeUndefined();
  const labelled = await send('PATCH', '/api/v1/nodes/n', { metadata: { namespace: 'x', labels: { a: 'b' } } }, merge);
  expect([labelled.status, metadataOf(labelled).namespace]).toEqual([200, undefined]);
  expect((await send('PUT', '/api/v1/nodes/n', { metadata })).status).toBe(200);
  expect((await send('DELETE', '/api/v1/nodes/n')).status).toBe(200);
});

const role = { roleRef: { kind: 'ClusterRole', name: 'view', apiGroup: 'rbac.authorization.k8s.io' } };

describe('an update of what is not there', () => {
  test.each([
    { path: '/api/v1/NS/services/a', body: { spec: { ports: [{ port: 80 }] } }, status: 201 },
    { path: '/api/v1/NS/endpoints/a', body: {}, status: 201 },
    { path: '/api/v1/NS/limitranges/a', body: { spec: { limits: [] } }, status: 201 },
    { path: '/apis/coordination.k8s.io/v1/NS/leases/a', body: {}, status: 201 },
    { path: '/apis/rbac.authorization.k8s.io/v1/NS/roles/a', body: { rules: [] }, status: 201 },
    { path: '/apis/rbac.authorization.k8s.io/v1/NS/rolebindings/a', body: role, status: 201 },
    { path: '/apis/rbac.authorization.k8s.io/v1/clusterroles/a', body: { rules: [] }, status: 201 },
    { path: '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/a', body: role, status: 201 },
    {
      path: '/apis/discovery.k8s.io/v1/NS/endpointslices/a',
      body: { addressType: 'IPv4', endpoints: [] },
      status: 404,
    },
    { path: '/api/v1/NS/configmaps/a', body: {}, status: 404 },
    { path: '/api/v1/NS/pods/a', body: pod, status: 404 },
    { path: '/api/v1/nodes/a', body: {}, status: 404 },
  ])('answers $status: $path', async ({ path, body, status }) => {
    const { send } = anApiServer();
    expect((await send('PUT', inDefault(path), { ...body, metadata: { name: 'a' } })).status).toBe(status);
  });
});

describe('an apply', () => {
  const intent = (fields: object) => ({ apiVersion: 'v1', kind: 'ConfigMap', ...fields });
  test.each([
    {
      fact: 'creates nothing through a subresource',
      path: `${deployments}/a/status`,
      body: { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a' }, status: { replicas: 1 } },
      answer: [404, 'deployments.apps "a" not found'],
    },
    {
      fact: 'creates nothing without a name',
      path: `${configMaps}/a`,
      body: intent({ data: { a: 'b' } }),
      answer: [400, 'the name of the object (a based on URL) was undeterminable: name must be provided'],
    },
    {
      fact: 'creates nothing under another name',
      path: `${configMaps}/a`,
      body: intent({ metadata: { name: 'b' } }),
      answer: [400, 'the name of the object (b) does not match the name on the URL (a)'],
    },
    {
      fact: 'of another version is refused',
      path: `${configMaps}/a`,
      body: intent({ apiVersion: 'v2', metadata: { name: 'a' } }),
      answer: [400, 'Incorrect version specified in apply patch. Specified patch version: v2, expected: v1'],
    },
    {
      fact: 'of another kind is refused',
      path: `${configMaps}/a`,
      body: intent({ kind: 'Secret', metadata: { name: 'a' } }),
      answer: [
        400,
        'Secret in version "v1" cannot be handled as a ConfigMap: converting (v1.Secret) to (core.ConfigMap): unknown conversion',
      ],
    },
  ])('$fact', async ({ path, body, answer }) => {
    const { send } = anApiServer();
    expect(said(await send('PATCH', `${path}?fieldManager=m`, body, apply))).toEqual(answer);
    expect((await send('GET', path.replace('/status', ''))).status).toBe(404);
  });

  test('to the scale of an object sets its replicas, and owns them', async () => {
    const { send } = anApiServer();
    await send('POST', deployments, deployment);
    const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'web' }, spec: { replicas: 3 } };
    const path = `${deployments}/web/scale?fieldManager=scaler`;
    expect(await send('PATCH', path, scale, apply)).toMatchObject({ status: 409 });
    expect(await send('PATCH', `${path}&force=true`, scale, apply)).toMatchObject({
      status: 200,
      body: { kind: 'Scale', spec: { replicas: 3 } },
    });
    const owners = metadataOf(await send('GET', `${deployments}/web`)).managedFields;
    expect(owners).toContainEqual(
      expect.objectContaining({
        manager: 'scaler',
        operation: 'Apply',
        subresource: 'scale',
        fieldsV1: { 'f:spec': { 'f:replicas': {} } },
      }),
    );
  });
});

test('the removal of the last finalizer is told as a deletion only, with the state from before', async () => {
  const { send, watch, time } = anApiServer();
  const stream = await watch(`${configMaps}?watch=true&fieldSelector=metadata.name%3Da`);
  await send('POST', configMaps, { metadata: { name: 'a', finalizers: ['example.com/one'] } });
  await send('DELETE', `${configMaps}/a`);
  const last = await send('PATCH', `${configMaps}/a`, { metadata: { finalizers: null } }, merge);
  await time.settle();
  expect(metadataOf(last)).not.toHaveProperty('finalizers');
  const told = stream.lines.map(({ type, object }) => [
    type,
    (object as { readonly metadata: { readonly finalizers?: readonly string[] } }).metadata.finalizers,
  ]);
  expect(told).toEqual([
    ['ADDED', ['example.com/one']],
    ['MODIFIED', ['example.com/one']],
    ['DELETED', ['example.com/one']],
  ]);
  stream.close();
});

test('a patch that removes the type leaves the type; one that changes it is no object of the kind', async () => {
  const { send } = anApiServer();
  await send('POST', configMaps, { metadata: { name: 'a' } });
  expect((await send('PATCH', `${configMaps}/a`, { kind: null, apiVersion: null }, merge)).status).toBe(200);
  const other = await send('PATCH', `${configMaps}/a`, { kind: 'Secret', data: { a: '1' } }, merge);
  expect(other.status).toBe(422);
  expect(String(other.body['message'])).toContain('illegal base64 data at input byte 0');
});

describe('a custom resource', () => {
  const definition = (spec: object) => ({
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: spec } } } },
        },
      ],
    },
  });

  test('is read by the schema of now: with its defaults, without the fields it no longer has', async () => {
    const { send } = anApiServer();
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const text = { type: 'string' };
    await send('POST', definitions, definition({ old: text, kept: text }));
    const widgets = '/apis/example.com/v1/namespaces/default/widgets';
    const type = { apiVersion: 'example.com/v1', kind: 'Widget' };
    await send('POST', widgets, { ...type, metadata: { name: 'w' }, spec: { old: 'a', kept: 'b' } });
    const { spec } = definition({ kept: text, size: { type: 'integer', default: 3 } });
    await send('PATCH', `${definitions}/widgets.example.com`, { spec }, merge);
    const expected = { kept: 'b', size: 3 };
    expect((await send('GET', `${widgets}/w`)).body['spec']).toEqual(expected);
    expect((await send('GET', widgets)).body['items']).toMatchObject([{ spec: expected }]);
  });
});

test('the checks of probes have paths, are listed, and can be left out', async () => {
  const { send } = anApiServer();
  const { body } = await send('GET', '/readyz?verbose&exclude=etcd');
  expect(body['text']).toContain('[+]etcd excluded: ok\n[+]etcd-readiness ok\n[+]informer-sync ok\n');
  expect(body['text']).toContain('[+]poststarthook/rbac/bootstrap-roles ok\n');
  expect(body['text']).toMatch(/\[\+\]shutdown ok\nreadyz check passed\n$/);
  expect((await send('GET', '/livez/poststarthook/rbac/bootstrap-roles')).body['text']).toBe('ok');
  expect((await send('GET', '/livez/shutdown')).status).toBe(404);
  expect((await send('GET', '/')).body['paths']).toContain('/readyz/poststarthook/rbac/bootstrap-roles');
  expect((await send('GET', '/metrics/slis')).body['text']).toContain(
    'kubernetes_healthcheck{name="informer-sync",type="readyz"} 1\n',
  );
});

test('health is answered to every method, and metrics tell objects and requests', async () => {
  const { send } = anApiServer();
  expect((await send('POST', '/healthz')).status).toBe(200);
  await send('GET', configMaps);
  const { headers, body } = await send('GET', '/metrics');
  expect(headers['content-type']).toContain('text/plain; version=0.0.4');
  const place = 'group="",resource="configmaps",scope="namespace",subresource="",verb="LIST",version="v1"';
  expect(body['text']).toContain(`apiserver_request_total{code="200",component="apiserver",dry_run="",${place}} 1\n`);
  const bucket = `component="apiserver",dry_run="",${place},le="0.1"`;
  expect(body['text']).toContain(`apiserver_request_duration_seconds_bucket{${bucket}} 1\n`);
  expect(body['text']).toContain('aggregator_unavailable_apiservice{name="v1.apps"} 0\n');
  expect(body['text']).toContain('apiserver_resource_objects{group="",resource="namespaces"} ');
  expect(body['text']).toMatch(/kubernetes_build_info\{.*git_version="v1\..*-eks-/);
  expect(body['text']).toContain('apiserver_storage_objects{resource="namespaces"} ');
});
