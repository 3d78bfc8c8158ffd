import { expect, test } from 'vitest';
import { builtInDefinitions } from './definition-names.ts';
import { describeSchema, descriptions } from './descriptions.ts';

test('every description is of a type and a field that exist', () => {
  const known = builtInDefinitions();
  const astray = Object.entries(descriptions).flatMap(([name, [, fields = {}]]) => {
    const { properties = {} } = (known[`io.k8s.${name}`] ?? {}) as { properties?: object };
    return Object.keys(fields).filter((field) => !(field in properties));
  });
  expect(Object.keys(descriptions).filter((name) => !(`io.k8s.${name}` in known))).toEqual([]);
  expect(astray).toEqual([]);
});

test('a kind without words of its own still tells what every object has', () => {
  const schema = { type: 'object', properties: { kind: { type: 'string' } }, 'x-kubernetes-group-version-kind': [] };
  expect(describeSchema('io.k8s.api.x.v1.Y', schema)['properties']).toEqual({
    kind: { type: 'string', description: 'What this object is.' },
  });
});
