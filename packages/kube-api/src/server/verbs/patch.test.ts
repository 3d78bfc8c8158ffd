import { karpenterCustomResources } from '@nodewright/apis';
import { describe, expect, test } from 'vitest';
import { anApiServer } from '@nodewright/testkit/worlds';

const configMaps = '/api/v1/namespaces/default/configmaps';
const pods = '/api/v1/namespaces/default/pods';
const types = {
  json: { 'content-type': 'application/json-patch+json' },
  merge: { 'content-type': 'application/merge-patch+json' },
  strategic: { 'content-type': 'application/strategic-merge-patch+json' },
  apply: { 'content-type': 'application/apply-patch+yaml' },
};
type PatchType = keyof typeof types;
type Body = Readonly<Record<string, unknown>>;

async function withConfigMap() {
  const api = anApiServer();
  const labels = { keep: 'yes', drop: 'yes' };
  const { body } = await api.send('POST', configMaps, { metadata: { name: 'a', labels }, data: { k: 'v', l: 'w' } });
  const patch = (type: PatchType, change: unknown, query = '') =>
    api.send('PATCH', `${configMaps}/a${query}`, change, types[type]);
  return { ...api, patch, created: body };
}

const changes: readonly { readonly type: PatchType; readonly fact: string; readonly change: unknown }[] = [
  { type: 'merge', fact: 'sets and removes members', change: { data: { k: 'new', l: null } } },
  { type: 'strategic', fact: 'sets and removes members', change: { data: { k: 'new', l: null } } },
  {
    type: 'json',
    fact: 'sets and removes members',
    change: [
      { op: 'test', path: '/data/k', value: 'v' },
      { op: 'replace', path: '/data/k', value: 'new' },
      { op: 'remove', path: '/data/l' },
    ],
  },
];
for (const { type, fact, change } of changes) {
  test(`a ${type} patch ${fact}`, async () => {
    const { patch } = await withConfigMap();
    expect(await patch(type, change)).toMatchObject({ status: 200, body: { data: { k: 'new' } } });
  });
}

test('a strategic patch changes no type', async () => {
  const { send } = anApiServer({ version: '1.36' });
  await send('POST', configMaps, { metadata: { name: 'typed' }, data: { a: 'b' } });
  const change = { kind: 'Secret', apiVersion: 'v2', data: { a: 'c' } };
  expect(await send('PATCH', `${configMaps}/typed`, change, types.strategic)).toMatchObject({
    status: 200,
    body: { kind: 'ConfigMap', apiVersion: 'v1', data: { a: 'c' } },
  });
});

test('a strategic patch merges containers by name, a merge patch replaces the list', async () => {
  const { send } = anApiServer();
  const containers = ['one', 'two'].map((name) => ({ name, image: `registry.example/${name}:1` }));
  const namesAfter = async (name: string, type: 'strategic' | 'merge') => {
    await send('POST', pods, { metadata: { name }, spec: { containers } });
    const change = { spec: { containers: [{ name: 'two', image: 'registry.example/two:2' }] } };
    const { body } = await send('PATCH', `${pods}/${name}?dryRun=All`, change, types[type]);
    const spec = body['spec'] as { readonly containers: readonly { readonly name: string }[] } | undefined;
    return spec?.containers.map((container) => container.name) ?? body['reason'];
  };
  expect(await namesAfter('merged', 'strategic')).toEqual(['one', 'two']);
  // A pod cannot lose a container, so the replaced list is refused.
  expect(await namesAfter('replaced', 'merge')).toBe('Invalid');
});

describe('a patch is refused', () => {
  const refused = [
    { fact: 'without a patch type', type: 'application/json', body: '{}', status: 415, text: '415: Unsupported Media' },
    { fact: 'of an unknown type', type: 'application/bogus', body: '{}', status: 415, text: '415: Unsupported Media' },
    {
      fact: 'that is not JSON',
      type: types.merge['content-type'],
      body: '{"data"',
      status: 400,
      text: 'error decoding patch: unexpected end of JSON input',
    },
    {
      fact: 'that is not an object',
      type: types.merge['content-type'],
      body: '[]',
      status: 400,
      text: 'json: cannot unmarshal array into Go value of type map[string]interface {}',
    },
    {
      fact: 'whose JSON patch is not a list',
      type: types.json['content-type'],
      body: '{}',
      status: 400,
      text: 'into Go value of type []handlers.jsonPatchOp',
    },
    {
      fact: 'whose test fails',
      type: types.json['content-type'],
      body: '[{"op":"test","path":"/data/k","value":"other"}]',
      status: 422,
      text: 'the server rejected our request due to an error in our request',
    },
    {
      fact: 'that renames the object',
      type: types.merge['content-type'],
      body: '{"metadata":{"name":"b"}}',
      status: 400,
      text: 'the name of the object (b) does not match the name on the URL (a)',
    },
    {
      fact: 'that changes the UID',
      type: types.merge['content-type'],
      body: '{"metadata":{"uid":"11111111-1111-1111-1111-111111111111"}}',
      status: 422,
      text: 'metadata.uid: Invalid value: "11111111-1111-1111-1111-111111111111": field is immutable',
    },
    {
      fact: 'that changes the kind',
      type: types.merge['content-type'],
      body: '{"kind":"Pod"}',
      status: 422,
      text: 'converting (v1.Pod) to (core.ConfigMap): unknown conversion',
    },
    {
      fact: 'with an old version',
      type: types.merge['content-type'],
      body: '{"metadata":{"resourceVersion":"1"}}',
      status: 409,
      text: 'the object has been modified; please apply your changes to the latest version and try again',
    },
    {
      fact: 'with values of a wrong type',
      type: types.merge['content-type'],
      body: '{"data":["list"]}',
      status: 422,
      text: 'cannot unmarshal array into Go struct field',
    },
    {
      fact: 'with an unknown strategic directive',
      type: types.strategic['content-type'],
      body: '{"$patch":"bogus"}',
      status: 500,
      text: 'unknown patch type found: bogus',
    },
  ] as const;
  for (const { fact, type, body, status, text } of refused) {
    test(fact, async () => {
      const { send } = await withConfigMap();
      const answer = await send('PATCH', `${configMaps}/a`, Buffer.from(body), { 'content-type': type });
      expect(answer.status).toBe(status);
      expect(answer.body['message']).toContain(text);
    });
  }

  test('for an absent object', async () => {
    const { send } = anApiServer();
    expect(await send('PATCH', `${configMaps}/nope`, {}, types.merge)).toMatchObject({ status: 404 });
  });

  test('when it is strategic and the kind is custom', async () => {
    const { send } = anApiServer({ customResources: karpenterCustomResources });
    const answer = await send('PATCH', '/apis/karpenter.sh/v1/nodepools/p', {}, types.strategic);
    expect(answer.status).toBe(415);
    expect(answer.body['message']).toContain('application/json-patch+json, application/merge-patch+json');
  });
});

test('a patch that changes nothing keeps the version', async () => {
  const { patch, created } = await withConfigMap();
  const { body } = await patch('merge', { data: { k: 'v' } });
  expect((body['metadata'] as Body)['resourceVersion']).toBe((created['metadata'] as Body)['resourceVersion']);
});

describe('server-side apply', () => {
  const applied = (data: Body, more: Body = {}) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'cm', ...more },
    data,
  });
  const applyAs =
    (send: ReturnType<typeof anApiServer>['send']) =>
    (manager: string, body: unknown, query = '') =>
      send('PATCH', `${configMaps}/cm?fieldManager=${manager}${query}`, body, types.apply);

  test('creates an absent object and records the manager', async () => {
    const apply = applyAs(anApiServer().send);
    const { status, body } = await apply('one', applied({ a: '1' }));
    expect([status, body['data']]).toEqual([201, { a: '1' }]);
    expect(body).toMatchObject({ metadata: { managedFields: [{ manager: 'one', operation: 'Apply' }] } });
  });

  test('removes what the manager no longer applies and leaves the rest', async () => {
    const { send } = anApiServer();
    const apply = applyAs(send);
    await apply('one', applied({ a: '1', b: '1' }));
    await apply('two', applied({ c: '2' }));
    expect((await apply('one', applied({ a: '1' }))).body['data']).toEqual({ a: '1', c: '2' });
  });

  test('conflicts with another owner, and takes the field by force', async () => {
    const { send } = anApiServer();
    const apply = applyAs(send);
    await apply('one', applied({ a: '1' }));
    expect(await apply('two', applied({ a: '2' }))).toMatchObject({
      status: 409,
      body: {
        reason: 'Conflict',
        message: 'Apply failed with 1 conflict: conflict with "one": .data.a',
        details: { causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "one"', field: '.data.a' }] },
      },
    });
    expect(await apply('two', applied({ a: '2' }), '&force=true')).toMatchObject({
      status: 200,
      body: { data: { a: '2' } },
    });
    expect(await apply('one', applied({ a: '1' }))).toMatchObject({ status: 409 });
  });

  test('shares a field that both managers apply with the same value', async () => {
    const { send } = anApiServer();
    const apply = applyAs(send);
    await apply('one', applied({ a: '1' }));
    expect(await apply('two', applied({ a: '1' }))).toMatchObject({ status: 200 });
    expect((await apply('one', applied({}))).body['data']).toEqual({ a: '1' });
  });

  const refused = [
    { fact: 'without a manager', manager: '', body: applied({}), status: 422, text: 'is required for apply patch' },
    {
      fact: 'with managed fields',
      manager: 'm',
      body: applied({}, { managedFields: [] }),
      status: 400,
      text: 'metadata.managedFields must be nil',
    },
    { fact: 'without a kind', manager: 'm', body: { apiVersion: 'v1' }, status: 400, text: 'invalid object type' },
    {
      fact: 'with an undeclared field',
      manager: 'm',
      body: { ...applied({}), bogus: 1 },
      status: 500,
      text: '.bogus: field not declared in schema',
    },
  ] as const;
  for (const { fact, manager, body, status, text } of refused) {
    test(`is refused ${fact}`, async () => {
      const apply = applyAs(anApiServer().send);
      const answer = await apply(manager, body);
      expect(answer.status).toBe(status);
      expect(answer.body['message']).toContain(text);
    });
  }

  test('force belongs to apply only', async () => {
    const { patch } = await withConfigMap();
    expect(await patch('merge', {}, '?force=true')).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining('force: Forbidden: may not be specified for non-apply patch') },
    });
  });
});
