import { byTextOf, readOwn } from '@nodewright/apis';
import type { Resource } from '../resources/resource.ts';
import { isObject, type JsonValue, type JsonObject } from '../schema/json.ts';
import { builtInDefinitions, definitionName, schemaPrefix } from './definition-names.ts';
import { describeSchema } from './descriptions.ts';

const metaName = 'io.k8s.apimachinery.pkg.apis.meta.v1';

const schemaReference = (name: string): JsonObject => ({ $ref: `${schemaPrefix}${name}` });

/** The schemas of a document: of the resources, of their lists, and of all types they refer to. */
export function componentSchemas(resources: readonly Resource[]): JsonObject {
  const roots = Object.fromEntries(resources.flatMap(rootsOf));
  return withReferred({ ...roots, ...pickDefinitions([`${metaName}.Status`, `${metaName}.DeleteOptions`]) });
}

function rootsOf(resource: Resource): [string, JsonValue][] {
  const name = definitionName(resource);
  const own = resource.custom === undefined ? readOwn(builtInDefinitions(), name) : customSchema(resource);
  return own === undefined ? [] : [[name, own], ...listSchema(resource, name)];
}

function listSchema(resource: Resource, item: string): [string, JsonValue][] {
  if (!resource.verbs.includes('list')) return [];
  const listKind = resource.custom?.listKind ?? `${resource.kind}List`;
  const schema: JsonValue = {
    type: 'object',
    required: ['items'],
    properties: {
      apiVersion: { type: 'string' },
      items: { type: 'array', items: schemaReference(item) },
      kind: { type: 'string' },
      metadata: schemaReference(`${metaName}.ListMeta`),
    },
    'x-kubernetes-group-version-kind': [{ group: resource.group, kind: listKind, version: resource.version }],
  };
  const name = resource.custom === undefined ? `${item}List` : definitionName(resource, listKind);
  return [[name, schema]];
}

/** A custom resource's schema with the members that every object has. */
function customSchema({ custom, group, version, kind }: Resource): JsonValue {
  const own = (custom?.schema ?? { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }) as JsonObject;
  const properties = isObject(own['properties']) ? own['properties'] : {};
  return {
    ...own,
    properties: {
      ...properties,
      apiVersion: { type: 'string', description: 'The version of the schema that this object is written in.' },
      kind: { type: 'string', description: 'What this object is.' },
      metadata: {
        allOf: [schemaReference(`${metaName}.ObjectMeta`)],
        description: 'What every object carries: its name, labels, owners.',
      },
    },
    'x-kubernetes-group-version-kind': [{ group, kind, version }],
  };
}

function withReferred(roots: JsonObject): JsonObject {
  const found = new Map(Object.entries(roots));
  const open = [...found.values()];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const name of referencesIn(next)) {
      const definition = readOwn(builtInDefinitions(), name);
      if (definition === undefined || found.has(name)) continue;
      found.set(name, definition);
      open.push(definition);
    }
  }
  const sorted = [...found].toSorted(byTextOf(([name]) => name));
  return Object.fromEntries(
    sorted.map(([name, definition]) => [
      name,
      withWrappedReferences(withDescriptions(name, readOwn(scalarForms, name) ?? definition)),
    ]),
  );
}

/** Scalars of several types. Version 2 has no words for these. */
const scalarForms: JsonObject = {
  'io.k8s.apimachinery.pkg.api.resource.Quantity': { oneOf: [{ type: 'string' }, { type: 'number' }] },
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': {
    format: 'int-or-string',
    oneOf: [{ type: 'integer' }, { type: 'string' }],
  },
};

const withDescriptions = (name: string, definition: JsonValue): JsonValue =>
  isObject(definition) ? describeSchema(name, definition) : definition;

function referencesIn(value: JsonValue): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' && typeof inner === 'string' ? [inner.slice(schemaPrefix.length)] : referencesIn(inner),
  );
}

/** Version 3 ignores the members beside a reference, so such a reference goes into `allOf`. */
function withWrappedReferences(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withWrappedReferences);
  if (!isObject(value)) return value;
  const { $ref, ...rest } = value;
  const members = typeof $ref === 'string' ? rest : value;
  const inner = Object.fromEntries(Object.entries(members).map(([key, child]) => [key, withWrappedReferences(child)]));
  // The schema of schemas has a member of this name.
  if (typeof $ref !== 'string') return inner;
  return Object.keys(rest).length === 0 ? { $ref } : { ...inner, allOf: [{ $ref }] };
}

const pickDefinitions = (names: readonly string[]): JsonObject =>
  Object.fromEntries(
    names.flatMap((name): [string, JsonValue][] => {
      const definition = readOwn(builtInDefinitions(), name);
      return definition === undefined ? [] : [[name, definition]];
    }),
  );
