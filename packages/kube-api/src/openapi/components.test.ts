import { expect, test } from 'vitest';
import { anApiServer } from '@nodewright/testkit/worlds';

type Document = {
  readonly components: { readonly schemas: Readonly<Record<string, Readonly<Record<string, unknown>>>> };
};

async function schemasOf(place: string): Promise<Document['components']['schemas']> {
  const { body } = await anApiServer({ version: '1.36' }).send('GET', `/openapi/v3/${place}`);
  return (body as unknown as Document).components.schemas;
}

test('amounts and shares are named types of several forms, as kubectl explain shows them', async () => {
  const schemas = await schemasOf('apis/apps/v1');
  expect(schemas['io.k8s.apimachinery.pkg.api.resource.Quantity']?.['oneOf']).toEqual([
    { type: 'string' },
    { type: 'number' },
  ]);
  expect(schemas['io.k8s.apimachinery.pkg.util.intstr.IntOrString']?.['oneOf']).toEqual([
    { type: 'integer' },
    { type: 'string' },
  ]);
});

test('a list is named after its items', async () => {
  const lists = Object.keys(await schemasOf('api/v1')).filter((name) => name.endsWith('.PodList'));
  expect(lists).toEqual(['io.k8s.api.core.v1.PodList']);
});

test('the schema of schemas has a member named $ref', async () => {
  const schemas = await schemasOf('apis/apiextensions.k8s.io/v1');
  const name = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps';
  expect(schemas[name]?.['properties']).toMatchObject({ $ref: { type: 'string' }, items: expect.anything() as object });
  expect(schemas[name]?.['properties']).not.toHaveProperty('allOf.0');
});

test('the index has the roots of the API and the groups, and each of them is a document', async () => {
  const { send } = anApiServer({ version: '1.36' });
  const { body } = await send('GET', '/openapi/v3');
  const places = Object.entries(body['paths'] as Readonly<Record<string, { readonly serverRelativeURL: string }>>);
  const names = places.map(([place]) => place);
  expect(names).toEqual(expect.arrayContaining(['api', 'apis', 'apis/apps', 'version', 'openid/v1/jwks']));
  for (const [place, { serverRelativeURL }] of places) {
    const { status, body: document } = await send('GET', serverRelativeURL);
    expect([place, status, document['openapi']]).toEqual([place, 200, '3.0.0']);
  }
  const group = (await send('GET', '/openapi/v3/apis/rbac.authorization.k8s.io')).body;
  expect(group['paths']).toMatchObject({
    '/apis/rbac.authorization.k8s.io/': { get: { operationId: 'getRbacAuthorizationAPIGroup' } },
  });
});
