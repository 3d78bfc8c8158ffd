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
