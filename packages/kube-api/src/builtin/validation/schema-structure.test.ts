import { expect, test } from 'vitest';
import type { JsonObject } from '../../schema/json.ts';
import { tellUnknownFormats } from '../format-warnings.ts';
import { definitionCauses } from './custom-resource-definition.ts';

// What a real API server of 1.36.3 answers.
const aDefinition = (openAPIV3Schema: JsonObject, more: JsonObject = {}): JsonObject => ({
  metadata: { name: 'probes.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'probes', singular: 'probe', kind: 'Probe', listKind: 'ProbeList' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema }, ...more }],
  },
  status: { storedVersions: ['v1'] },
});

const text = { type: 'string' };
const anObject = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  ...more,
});
const aList = (list: JsonObject): JsonObject => anObject({ list: { type: 'array', ...list } });
const keyedBy = (keys: string[], items: JsonObject): JsonObject =>
  aList({ items, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': keys });
const ruled = (rule: JsonObject): JsonObject => anObject({}, { 'x-kubernetes-validations': [rule] });
const embedded = { 'x-kubernetes-embedded-resource': true };

const causesOf = (schema: JsonObject, more?: JsonObject): string[] =>
  definitionCauses(aDefinition(schema, more), undefined).map(
    ({ reason, field }) =>
      `${reason.replace('FieldValue', '')} ${field.replace('spec.validation.openAPIV3Schema', '')}`,
  );

for (const [fact, schema, causes] of [
  ['describes an object at its root', text, ['Invalid .type']],
  [
    'names the members of its root',
    { type: 'object', additionalProperties: text },
    ['Forbidden .additionalProperties'],
  ],
  [
    'has no default for the whole',
    { type: 'object', default: {} },
    ['Required .default.apiVersion', 'Required .default.kind'],
  ],
  ['says what a list consists of', anObject({ a: { type: 'array' } }), ['Required .properties[a].items']],
  [
    'cannot be open for numbers or texts',
    anObject({ a: { 'x-kubernetes-int-or-string': true, 'x-kubernetes-preserve-unknown-fields': true } }),
    ['Invalid .properties[a].x-kubernetes-preserve-unknown-fields'],
  ],
  [
    'has objects where objects are embedded',
    anObject({ a: embedded }),
    ['Required .properties[a].type', 'Required .properties[a].properties'],
  ],
  [
    'may leave embedded objects open',
    anObject({ a: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, ...embedded } }),
    [],
  ],
  ['keeps the types of every object', anObject({ kind: { type: 'integer' } }), ['Invalid .properties[kind].type']],
  ['may restrict names', anObject({ metadata: anObject({ name: { type: 'string', pattern: '^a' } }) }), []],
  [
    'restricts no other metadata',
    anObject({ metadata: anObject({ labels: { type: 'object' } }) }),
    ['Forbidden .properties[metadata]'],
  ],
  [
    'has no default for metadata',
    anObject({ metadata: { type: 'object', default: {} } }),
    ['Forbidden .properties[metadata].default'],
  ],
  [
    'has keys that the items have',
    keyedBy(['m'], anObject({ n: text })),
    ['Invalid .properties[list].x-kubernetes-list-map-keys'],
  ],
  [
    'has keys that each item has',
    keyedBy(['n'], anObject({ n: text })),
    ['Required .properties[list].items.properties[n].default'],
  ],
  ['may give a key a default', keyedBy(['n'], anObject({ n: { ...text, default: 'a' } })), []],
  [
    'names a key once',
    keyedBy(['n', 'n'], anObject({ n: text }, { required: ['n'] })),
    ['Invalid .properties[list].x-kubernetes-list-map-keys'],
  ],
  [
    'has scalar keys',
    keyedBy(['n'], anObject({ n: anObject({}) }, { required: ['n'] })),
    ['Invalid .properties[list].items.properties[n].type'],
  ],
  ['has objects below keys', keyedBy(['n'], text), ['Invalid .properties[list].items.type']],
  [
    'compares whole items of a set',
    aList({ items: anObject({ n: text }), 'x-kubernetes-list-type': 'set' }),
    ['Invalid .properties[list].items.x-kubernetes-map-type'],
  ],
  [
    'has keys for maps alone',
    aList({ items: anObject({ n: text }), 'x-kubernetes-list-type': 'atomic', 'x-kubernetes-list-map-keys': ['n'] }),
    ['Invalid .properties[list].x-kubernetes-list-type'],
  ],
  [
    'names a type of list',
    aList({ items: text, 'x-kubernetes-list-type': '' }),
    ['NotSupported .properties[list].x-kubernetes-list-type'],
  ],
  [
    'has messages of one line',
    ruled({ rule: 'true', message: 'a\nb' }),
    ['Invalid .x-kubernetes-validations[0].message'],
  ],
  [
    'explains rules of several lines',
    ruled({ rule: 'true &&\ntrue' }),
    ['Required .x-kubernetes-validations[0].message'],
  ],
  [
    'makes no other object optional',
    ruled({ rule: 'true', optionalOldSelf: true }),
    ['Invalid .x-kubernetes-validations[0].optionalOldSelf'],
  ],
  [
    'has defaults that it knows',
    anObject({ a: anObject({ b: text }, { default: { c: 1 } }) }),
    ['Invalid .properties[a].default'],
  ],
] as const satisfies readonly (readonly [string, JsonObject, readonly string[]])[]) {
  test(`a schema ${fact}`, () => expect(causesOf(schema)).toEqual(causes));
}

test('a root beside a status of its own has plain keywords alone', () => {
  const schema = anObject({ status: { type: 'object' } }, { allOf: [{ required: ['a'] }] });
  expect(causesOf(schema)).toEqual([]);
  expect(causesOf(schema, { subresources: { status: {} } })).toEqual(['Invalid ']);
});

test('a scope and a kind are kept from the moment at which they are served', () => {
  const before = aDefinition(anObject({}));
  const served = {
    ...before,
    status: { storedVersions: ['v1'], conditions: [{ type: 'Established', status: 'True' }] },
  };
  const spec = { ...(before['spec'] as JsonObject), scope: 'Cluster' };
  expect(definitionCauses({ ...before, spec }, before)).toEqual([]);
  expect(definitionCauses({ ...served, spec }, served)).toMatchObject([{ field: 'spec.scope' }]);
});

test('formats that no server checks are told, once', () => {
  const formats = anObject({
    a: { type: 'string', format: 'email' },
    b: { type: 'string', format: 'fancy' },
    c: { type: 'integer', format: 'int16' },
    d: { type: 'number', format: 'double' },
    e: { type: 'string', format: 'date-time' },
  });
  const told = ['unrecognized format "fancy"', 'unrecognized format "int16"'];
  expect(tellUnknownFormats(aDefinition(formats), undefined)).toEqual(told);
  expect(tellUnknownFormats(aDefinition(formats), aDefinition(formats))).toEqual([]);
});
