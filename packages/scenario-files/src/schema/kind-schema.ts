import { listKarpenterCrds, ownCrds } from '@nodewright/apis';

type SchemaPart = Readonly<Record<string, unknown>>;

/** The kinds that `nodewright crds` prints, by name. */
export const listSchemaKinds = (): readonly string[] => printedDefinitions().map(({ spec }) => spec.names.kind);

const printedDefinitions = () => [...listKarpenterCrds(), ...ownCrds()];

/** The JSON schema of a kind in its newest version; undefined for a kind that `nodewright crds` does not print. */
export function kindJsonSchema(name: string): SchemaPart | undefined {
  const definition = printedDefinitions().find(({ spec }) => spec.names.kind.toLowerCase() === name.toLowerCase());
  const version = definition?.spec.versions.find(({ storage }) => storage) ?? definition?.spec.versions[0];
  if (definition === undefined || version === undefined) return undefined;
  const { group, names } = definition.spec;
  const schema = toJsonSchema(version.schema?.openAPIV3Schema ?? {}) as SchemaPart;
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: names.kind,
    ...schema,
    properties: {
      ...(schema['properties'] as SchemaPart),
      apiVersion: { const: `${group}/${version.name}` },
      kind: { const: names.kind },
    },
    required: [
      ...new Set(['apiVersion', 'kind', 'metadata', ...((schema['required'] as readonly string[] | undefined) ?? [])]),
    ],
  };
}

/** Structural schemas refuse nothing that they do not name; editors should. */
function toJsonSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(toJsonSchema);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).flatMap(([key, value]) =>
    key.startsWith('x-kubernetes') || key === 'nullable' ? [] : [[key, convertMember(key, value)] as const],
  );
  const converted = Object.fromEntries(entries);
  const { 'x-kubernetes-int-or-string': isIntOrString, 'x-kubernetes-preserve-unknown-fields': isOpen } =
    schema as SchemaPart;
  if (isIntOrString === true) return { ...converted, type: ['integer', 'string'] };
  const isClosed = 'properties' in schema && !('additionalProperties' in schema) && isOpen !== true;
  return isClosed ? { ...converted, additionalProperties: false } : converted;
}

/** The names of properties are not keywords, and defaults and values are no schemas. */
function convertMember(key: string, value: unknown): unknown {
  if (key === 'properties')
    return Object.fromEntries(Object.entries(value as SchemaPart).map(([name, each]) => [name, toJsonSchema(each)]));
  return key === 'default' || key === 'enum' || key === 'required' ? value : toJsonSchema(value);
}
