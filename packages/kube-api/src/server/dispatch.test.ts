import { expect, test } from 'vitest';
import { anApiServer } from '@nodewright/testkit/worlds';

const configMaps = '/api/v1/namespaces/default/configmaps';
const noSuchResource = 'the server could not find the requested resource';
const noSuchMethod = 'the server does not allow this method on the requested resource';

/** The answers of a real server to paths and methods that do not fit each other. */
const refused = [
  { request: 'POST /api/v1/pods', status: 405, message: noSuchMethod },
  { request: `POST ${configMaps}/a`, status: 405, message: noSuchMethod },
  { request: `PUT ${configMaps}`, status: 405, message: noSuchMethod },
  { request: `PATCH ${configMaps}`, status: 405, message: noSuchMethod },
  { request: 'PUT /api/v1/configmaps', status: 405, message: noSuchMethod },
  { request: 'DELETE /api/v1/namespaces', status: 405, message: noSuchMethod },
  { request: 'POST /api/v1/componentstatuses', status: 405, message: noSuchMethod },
  { request: 'GET /apis/authentication.k8s.io/v1/tokenreviews', status: 405, message: noSuchMethod },
  { request: 'GET /api/v1/namespaces/default/pods/x/eviction', status: 405, message: noSuchMethod },
  { request: 'DELETE /apis/apps/v1/namespaces/default/deployments/d/status', status: 405, message: noSuchMethod },
  { request: `OPTIONS ${configMaps}/a`, status: 405, message: noSuchMethod },
  { request: 'PATCH /version', status: 405, message: noSuchMethod },
  { request: 'GET /api/v1/namespaces/default/bogus', status: 404, message: noSuchResource },
  { request: 'GET /apis/apps/v1/bogus', status: 404, message: noSuchResource },
  { request: 'GET /apis/apps/v9/deployments', status: 404, message: noSuchResource },
  { request: 'GET /api/v1/namespaces/default/pods/x/bogus', status: 404, message: noSuchResource },
  { request: 'GET /api/v1/namespaces/default/nodes', status: 404, message: noSuchResource },
  { request: `GET ${configMaps}/nope`, status: 404, message: 'configmaps "nope" not found' },
  { request: 'GET /api/v1/nodes/nope', status: 404, message: 'nodes "nope" not found' },
  {
    request: 'GET /apis/apps/v1/namespaces/default/deployments/nope',
    status: 404,
    message: 'deployments.apps "nope" not found',
  },
  { request: 'GET /api/v1/namespaces/default/pods/nope/status', status: 404, message: 'pods "nope" not found' },
] as const;

for (const { request, status, message } of refused) {
  test(`${request} is answered with ${status}`, async () => {
    const [method = '', path = ''] = request.split(' ');
    const { send } = anApiServer();
    expect(await send(method, path)).toMatchObject({ status, body: { kind: 'Status', message, code: status } });
  });
}

/** Below a group that the server does not know, a real server answers with plain text. */
for (const path of ['/apis/example.com', '/apis/example.com/v1', '/apis/example.com/v1/widgets', '/bogus']) {
  test(`GET ${path} is answered with a plain 404`, async () => {
    const { send } = anApiServer();
    const { status, headers, body } = await send('GET', path);
    expect([status, headers['content-type'], body['text']]).toEqual([
      404,
      'text/plain; charset=utf-8',
      '404 page not found\n',
    ]);
  });
}

const served = [
  { request: 'GET /api/v1/configmaps', status: 200, kind: 'ConfigMapList' },
  { request: 'GET /api/v1/namespaces/nonamespace/configmaps', status: 200, kind: 'ConfigMapList' },
  { request: `GET ${configMaps}/`, status: 200, kind: 'ConfigMapList' },
  { request: 'GET /api/v1/namespaces/default', status: 200, kind: 'Namespace' },
  { request: 'GET /api/v1/namespaces/default/status', status: 200, kind: 'Namespace' },
  { request: `GET ${configMaps}?foo=bar`, status: 200, kind: 'ConfigMapList' },
  { request: 'GET /apis/apps/v1/namespaces/default/deployments', status: 200, kind: 'DeploymentList' },
] as const;

for (const { request, status, kind } of served) {
  test(`${request} is answered with a ${kind}`, async () => {
    const [method = '', path = ''] = request.split(' ');
    const { send } = anApiServer();
    expect(await send(method, path)).toMatchObject({ status, body: { kind } });
  });
}

test('a POST creates even when its query asks for a watch', async () => {
  const { send } = anApiServer();
  expect(await send('POST', `${configMaps}?watch=true`, { metadata: { name: 'w' } })).toMatchObject({ status: 201 });
});

test('a name with an escaped character is decoded', async () => {
  const { send } = anApiServer();
  const bindings = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
  await send('POST', bindings, { metadata: { name: 'system:reader' }, rules: [] });
  expect(await send('GET', `${bindings}/system%3Areader`)).toMatchObject({ status: 200 });
});

test('every answer has an audit id and forbids caching', async () => {
  const { send } = anApiServer();
  const [first, second] = [await send('GET', configMaps), await send('GET', `${configMaps}/nope`)];
  for (const { headers } of [first, second]) expect(headers['cache-control']).toBe('no-cache, private');
  expect(first.headers['audit-id']).not.toBe(second.headers['audit-id']);
});

test('a body above three mebibytes is refused', async () => {
  const { send } = anApiServer();
  const body = { metadata: { name: 'big' }, data: { k: 'x'.repeat(3 * 1024 * 1024) } };
  expect(await send('POST', configMaps, body)).toMatchObject({
    status: 413,
    body: { reason: 'RequestEntityTooLarge', message: 'Request entity too large: limit is 3145728' },
  });
});

/** Bodies that are not an object of the kind. */
const unreadable = [
  { body: '', problem: "couldn't get version/kind; json parse error: unexpected end of JSON input (<empty>)" },
  { body: '{"apiVersion":"v1",', problem: 'unexpected end of JSON input ({"apiVersion":"v1",)' },
  { body: '[]', problem: 'json: cannot unmarshal array into Go value of type struct' },
  { body: '"text"', problem: 'json: cannot unmarshal string into Go value of type struct' },
  {
    body: '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"x"}}',
    problem: 'Pod in version "v1" cannot be handled as a ConfigMap: converting (v1.Pod) to (core.ConfigMap)',
  },
  {
    body: '{"apiVersion":"v2","kind":"ConfigMap","metadata":{"name":"x"}}',
    problem: 'no kind "ConfigMap" is registered for version "v2" in scheme "pkg/api/legacyscheme/scheme.go:30"',
  },
  {
    body: '{"metadata":{"name":"x","creationTimestamp":"yesterday"}}',
    problem: 'parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse "yesterday" as "2006"',
  },
  {
    body: '{"metadata":{"name":"x","namespace":"other"}}',
    problem: 'the namespace of the provided object does not match the namespace sent on the request',
  },
] as const;

for (const { body, problem } of unreadable) {
  test(`the body ${JSON.stringify(body)} is refused`, async () => {
    const { send } = anApiServer();
    const { status, body: answer } = await send('POST', configMaps, Buffer.from(body));
    expect([status, answer['reason']]).toEqual([400, 'BadRequest']);
    expect(answer['message']).toContain(problem);
  });
}

/** Content types of a create. */
const contentTypes = [
  { type: '', body: '{"metadata":{"name":"x"}}', status: 201 },
  { type: 'application/json; charset=utf-8', body: '{"metadata":{"name":"x"}}', status: 201 },
  { type: 'application/yaml', body: 'metadata:\n  name: x\n', status: 201 },
  { type: 'application/yaml', body: 'metadata: [', status: 400 },
  { type: 'text/plain', body: '{"metadata":{"name":"x"}}', status: 415 },
  { type: 'application/x-www-form-urlencoded', body: 'a=1', status: 415 },
] as const;

for (const { type, body, status } of contentTypes) {
  test(`a create with the content type ${JSON.stringify(type)} is answered with ${status}`, async () => {
    const { send } = anApiServer();
    expect(await send('POST', configMaps, Buffer.from(body), { 'content-type': type })).toMatchObject({ status });
  });
}
