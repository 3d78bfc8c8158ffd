import { expect, test } from 'vitest';
import { anApiServer } from '@nodewright/testkit/worlds';

const configMaps = '/api/v1/namespaces/default/configmaps';
const merge = { 'content-type': 'application/merge-patch+json' };
const strange = { metadata: { name: 'fv', nope: true }, data: { k: 'v' }, bogus: 1 };
const strangeProblems = ['unknown field "metadata.nope"', 'unknown field "bogus"'];

/** The texts of the `Warning` header, whose code is always 299. */
const warningsIn = (header: string | undefined): readonly string[] =>
  [...(header ?? '').matchAll(/299 - ("(?:[^"\\]|\\.)*")/g)].map(([, text = '""']) => JSON.parse(text) as string);

const validations = [
  { query: '', status: 201, warnings: strangeProblems },
  { query: '?fieldValidation=Warn', status: 201, warnings: strangeProblems },
  { query: '?fieldValidation=Ignore', status: 201, warnings: [] },
  { query: '?fieldValidation=Strict', status: 400, warnings: [] },
  { query: '?fieldValidation=Bogus', status: 422, warnings: [] },
] as const;

for (const { query, status, warnings } of validations) {
  test(`a create${query} with unknown fields is answered with ${status} and ${warnings.length} warnings`, async () => {
    const { send } = anApiServer();
    const answer = await send('POST', `${configMaps}${query}`, strange);
    expect([answer.status, warningsIn(answer.headers['warning'])]).toEqual([status, warnings]);
  });
}

test('a refusal tells the warnings that came before it', async () => {
  const { send } = anApiServer({ version: '1.33' });
  const { status, headers } = await send('GET', '/api/v1/namespaces/default/endpoints/none');
  expect([status, headers['warning']]).toEqual([
    404,
    '299 - "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"',
  ]);
  const before = anApiServer({ version: '1.32' });
  expect((await before.send('GET', '/api/v1/namespaces/default/endpoints/none')).headers['warning']).toBeUndefined();
});

test('unknown fields are never stored', async () => {
  const { send } = anApiServer();
  const { body } = await send('POST', `${configMaps}?fieldValidation=Ignore`, strange);
  expect(body).not.toHaveProperty('bogus');
  expect(body['metadata']).not.toHaveProperty('nope');
});

test('strict validation names all unknown and repeated fields', async () => {
  const { send } = anApiServer();
  const text = '{"metadata":{"name":"dup","name":"dup"},"data":{"a":"1","a":"2"},"bogus":1}';
  const { status, body } = await send('POST', `${configMaps}?fieldValidation=Strict`, Buffer.from(text));
  expect([status, body['message']]).toEqual([
    400,
    'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: duplicate field "metadata.name", duplicate field "data.a", unknown field "bogus"',
  ]);
});

test('an unknown validation lists the known ones', async () => {
  const { send } = anApiServer();
  const { body } = await send('POST', `${configMaps}?fieldValidation=Bogus`, strange);
  expect(body['message']).toContain('supported values: "", "Ignore", "Strict", "Warn"');
});

test('a patch warns about unknown fields, or is refused by strict validation', async () => {
  const { send } = anApiServer();
  await send('POST', configMaps, { metadata: { name: 'a' } });
  const warned = await send('PATCH', `${configMaps}/a`, { bogus: 1 }, merge);
  expect([warned.status, warningsIn(warned.headers['warning'])]).toEqual([200, ['unknown field "bogus"']]);
  const strict = await send('PATCH', `${configMaps}/a?fieldValidation=Strict`, { bogus: 1 }, merge);
  expect(strict.status).toBe(422);
  expect(strict.body['message']).toContain('strict decoding error: unknown field "bogus"');
});

test('a field manager of more than 128 bytes is refused', async () => {
  const { send } = anApiServer();
  const answer = await send('POST', `${configMaps}?fieldManager=${'x'.repeat(129)}`, { metadata: { name: 'a' } });
  expect(answer).toMatchObject({
    status: 422,
    body: {
      message: 'CreateOptions.meta.k8s.io "" is invalid: fieldManager: Too long: may not be more than 128 bytes',
    },
  });
});

const schema = {
  openAPIV3Schema: {
    type: 'object',
    properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
  },
};
const definition = {
  kind: 'CustomResourceDefinition',
  apiVersion: 'apiextensions.k8s.io/v1',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [
      { name: 'v1', served: true, storage: true, schema },
      { name: 'v1beta1', served: true, storage: false, deprecated: true, schema },
      { name: 'v1alpha1', served: true, storage: false, deprecated: true, deprecationWarning: 'use v1', schema },
    ],
  },
};

const deprecations = [
  { version: 'v1', warnings: [] },
  { version: 'v1beta1', warnings: ['example.com/v1beta1 Widget is deprecated'] },
  { version: 'v1alpha1', warnings: ['use v1'] },
] as const;
for (const { version, warnings } of deprecations) {
  test(`every request for widgets in ${version} has ${warnings.length} warnings about its age`, async () => {
    const { send } = anApiServer({ customResources: [{ crd: definition }] });
    const path = `/apis/example.com/${version}/namespaces/default/widgets`;
    const widget = { apiVersion: `example.com/${version}`, kind: 'Widget', metadata: { name: 'w' } };
    for (const answer of [
      await send('POST', path, widget),
      await send('GET', path),
      await send('DELETE', `${path}/w`),
    ]) {
      expect(warningsIn(answer.headers['warning'])).toEqual(warnings);
    }
  });
}

test('a finalizer of a custom resource without a domain is warned about, and of a built-in kind refused', async () => {
  const { send } = anApiServer({ customResources: [{ crd: definition }] });
  const metadata = { name: 'w', finalizers: ['mine'] };
  const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata };
  const warned = await send('POST', '/apis/example.com/v1/namespaces/default/widgets', widget);
  expect([warned.status, warningsIn(warned.headers['warning'])]).toEqual([
    201,
    [
      'metadata.finalizers: "mine": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers',
    ],
  ]);
  expect(await send('POST', configMaps, { metadata })).toMatchObject({ status: 422 });
});
