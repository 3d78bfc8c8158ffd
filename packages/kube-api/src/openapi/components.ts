import { readOwn } from '@nodewright/apis';
import type { Resource } from '../resources/resource.ts';
import { isObject, type Json, type JsonObject } from '../schema/json.ts';
import { builtInDefinitions, definitionName, schemaPrefix } from './definition-names.ts';
import { described } from './descriptions.ts';

const metaName = 'io.k8s.apimachinery.pkg.apis.meta.v1';

const reference = (name: string): JsonObject => ({ $ref: `${schemaPrefix}${name}` });

/** The schemas of a document: of the resources, of their lists, and of everything that these refer to. */
export function componentSchemas(resources: readonly Resource[]): JsonObject {
  const roots = Object.fromEntries(resources.flatMap(rootsOf));
  return withReferred({ ...roots, ...pick([`${metaName}.Status`, `${metaName}.DeleteOptions`]) });
}

function rootsOf(resource: Resource): [string, Json][] {
  const name = definitionName(resource);
  const own = resource.custom === undefined ? readOwn(builtInDefinitions(), name) : customSchema(resource);
  return own === undefined ? [] : [[name, own], ...listOf(resource, name)];
}

function listOf(resource: Resource, item: string): [string, Json][] {
  if (!resource.verbs.includes('list')) return [];
  const listKind = resource.custom?.listKind ?? `${resource.kind}List`;
  const schema: Json = {
    type: 'object',
    required: ['items'],
    properties: {
      apiVersion: { type: 'string' },
      items: { type: 'array', items: reference(item) },
      kind: { type: 'string' },
      metadata: reference(`${metaName}.ListMeta`),
    },
    'x-kubernetes-group-version-kind': [{ group: resource.group, kind: listKind, version: resource.version }],
  };
  return [[definitionName(resource, listKind), schema]];
}

/** A custom resource's schema with the members that every object has. */
function customSchema({ custom, group, version, kind }: Resource): Json {
  const own = (custom?.schema ?? { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }) as JsonObject;
  const properties = isObject(own['properties']) ? own['properties'] : {};
  return {
    ...own,
    properties: {
      ...properties,
      apiVersion: { type: 'string', description: 'The version of the schema that this object is written in.' },
      kind: { type: 'string', description: 'What this object is.' },
      metadata: {
        allOf: [reference(`${metaName}.ObjectMeta`)],
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
  const sorted = [...found].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    sorted.map(([name, definition]) => [name, withWrappedReferences(wordsOf(name, definition))]),
  );
}

const wordsOf = (name: string, definition: Json): Json =>
  isObject(definition) ? described(name, definition) : definition;

function referencesIn(value: Json): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' && typeof inner === 'string' ? [inner.slice(schemaPrefix.length)] : referencesIn(inner),
  );
}

/** Version 3 ignores what stands beside a reference, so a reference with company goes into `allOf`. */
function withWrappedReferences(value: Json): Json {
  if (Array.isArray(value)) return value.map(withWrappedReferences);
  if (!isObject(value)) return value;
  const { $ref, ...rest } = value;
  const inner = Object.fromEntries(Object.entries(rest).map(([key, child]) => [key, withWrappedReferences(child)]));
  if ($ref === undefined) return inner;
  return Object.keys(rest).length === 0 ? { $ref } : { ...inner, allOf: [{ $ref }] };
}

const pick = (names: readonly string[]): JsonObject =>
  Object.fromEntries(
    names.flatMap((name): [string, Json][] => {
      const definition = readOwn(builtInDefinitions(), name);
      return definition === undefined ? [] : [[name, definition]];
    }),
  );
