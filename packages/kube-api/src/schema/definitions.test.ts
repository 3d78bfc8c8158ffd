import { expect, test } from 'vitest';
import { builtinSchema, objectMetaSchema, openApiDefinitions } from './definitions.ts';

test('a container list merges by name', () => {
  const spec = builtinSchema('', 'v1', 'Pod')?.properties?.['spec'];
  expect(spec?.properties?.['containers']).toMatchObject({
    'x-kubernetes-patch-merge-key': 'name',
    'x-kubernetes-patch-strategy': 'merge',
    'x-kubernetes-list-type': 'map',
  });
});

test('a definition that refers to itself resolves', () => {
  const crd = builtinSchema('apiextensions.k8s.io', 'v1', 'CustomResourceDefinition');
  const version = crd?.properties?.['spec']?.properties?.['versions']?.items;
  const schema = version?.properties?.['schema']?.properties?.['openAPIV3Schema'];
  expect(schema?.properties?.['not']?.properties?.['type']).toEqual({ type: 'string' });
});

test('a kind that is not built in has no schema', () => {
  expect(builtinSchema('karpenter.sh', 'v1', 'NodePool')).toBeUndefined();
});

test('labels are a map of strings', () => {
  expect(objectMetaSchema().properties?.['labels']?.additionalProperties).toMatchObject({ type: 'string' });
});

test('references of the OpenAPI document lead to definitions', () => {
  const definitions = openApiDefinitions();
  expect(definitions['io.k8s.api.apps.v1.Deployment']).toMatchObject({
    properties: { spec: { $ref: '#/definitions/io.k8s.api.apps.v1.DeploymentSpec' } },
  });
  expect(definitions['io.k8s.api.apps.v1.DeploymentSpec']).toBeDefined();
});
