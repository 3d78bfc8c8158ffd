import { ObjectNotes, oncePerObject, readOwn, writeOwn } from '@nodewright/apis';
import { isObject, type JsonValue, type JsonObject, jsonTextAt } from './json.ts';
import type { ValueSchema } from './structural.ts';
import { definitionsJson } from './definitions.generated.ts';
import { printedMembersJson } from './printed-members.generated.ts';

/** A definition of an OpenAPI v2 document, except that a reference is written `#name`. */
type TypeDefinition = Omit<ValueSchema, 'properties' | 'items' | 'additionalProperties'> & {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, TypeDefinition>>;
  readonly items?: TypeDefinition;
  readonly additionalProperties?: TypeDefinition;
  readonly 'x-kubernetes-group-version-kind'?: readonly GroupVersionKind[];
};

export type GroupVersionKind = { readonly group: string; readonly version: string; readonly kind: string };

/** The type in `apiVersion` and `kind` of an object. */
export function groupVersionKindOf(object: JsonObject): GroupVersionKind {
  const [version = '', group = ''] = jsonTextAt(object, 'apiVersion').split('/').toReversed();
  return { group, version, kind: jsonTextAt(object, 'kind') };
}

type PrintedMembers = { readonly kept?: readonly string[]; readonly nulls?: readonly string[] };

/** Reads the generated descriptions once; every schema is resolved on first use and then shared. */
class DefinitionTable {
  readonly #definitions: Readonly<Record<string, TypeDefinition>>;
  readonly #printed: Readonly<Record<string, PrintedMembers>>;
  readonly #names = new Map<string, string>();
  readonly #resolved = new Map<string, ValueSchema>();
  readonly #typeNames = new ObjectNotes<ValueSchema, string>();

  constructor(json: string) {
    this.#definitions = JSON.parse(json) as Record<string, TypeDefinition>;
    this.#printed = JSON.parse(printedMembersJson) as Record<string, PrintedMembers>;
    for (const [name, definition] of Object.entries(this.#definitions)) {
      for (const gvk of definition['x-kubernetes-group-version-kind'] ?? []) this.#names.set(typeKey(gvk), name);
    }
  }

  nameOf(gvk: GroupVersionKind): string | undefined {
    return this.#names.get(typeKey(gvk));
  }

  /** The definition that a schema comes from, if any. */
  typeNameOf(schema: ValueSchema): string | undefined {
    return this.#typeNames.of(schema);
  }

  /**
   * The schema of a definition. A definition may refer to itself (the schema of a CRD does), so the schema is
   * registered before it is filled.
   */
  schema(name: string): ValueSchema {
    const known = this.#resolved.get(name);
    if (known !== undefined) return known;
    const schema = {};
    this.#resolved.set(name, schema);
    this.#typeNames.write(schema, name);
    const definition = readOwn(this.#definitions, name);
    if (definition === undefined) throw new Error(`no definition of ${name} among the built-in types`);
    const resolved = withoutDefaultName(name, this.#resolve(definition));
    return Object.assign(schema, readOwn(specialTypes, name) ?? this.#withNulls(name, resolved));
  }

  /** A member that is printed as null when it is not set has null as its default. */
  #withNulls(name: string, schema: ValueSchema): ValueSchema {
    const nulls = readOwn(this.#printed, name)?.nulls ?? [];
    if (nulls.length === 0) return schema;
    const properties = { ...schema.properties };
    for (const key of nulls) {
      const member = readOwn(properties, key) ?? {};
      const printed = { ...member, default: null };
      writeOwn(properties, key, printed);
      const typeName = this.#typeNames.of(member);
      if (typeName !== undefined) this.#typeNames.write(printed, typeName);
    }
    return { ...schema, properties };
  }

  /** Members of a type whose zero value differs from no value. */
  keptMembersOf(schema: ValueSchema): readonly string[] {
    return readOwn(this.#printed, this.typeNameOf(schema) ?? '')?.kept ?? [];
  }

  #resolve(definition: TypeDefinition): ValueSchema {
    const { $ref, properties, items, additionalProperties, ...rest } = definition;
    if ($ref !== undefined) return this.#reference($ref.slice(1), rest);
    return {
      ...rest,
      ...(isFreeForm(definition) && {
        'x-kubernetes-preserve-unknown-fields': true,
        'x-kubernetes-map-type': 'atomic' as const,
      }),
      ...(properties && { properties: this.#resolveMembers(properties) }),
      ...(items && { items: this.#resolve(items) }),
      ...(additionalProperties && { additionalProperties: this.#resolve(additionalProperties) }),
    };
  }

  #reference(name: string, beside: ValueSchema): ValueSchema {
    const schema = this.schema(name);
    if (Object.keys(beside).length === 0) return schema;
    const copy = { ...schema, ...beside };
    this.#typeNames.write(copy, name);
    return copy;
  }

  #resolveMembers(properties: Readonly<Record<string, TypeDefinition>>): Record<string, ValueSchema> {
    return Object.fromEntries(Object.entries(properties).map(([key, inner]) => [key, this.#resolve(inner)]));
  }
}

const apimachineryPrefix = 'io.k8s.apimachinery.pkg';

/** Scalars that accept more than their OpenAPI type says, and a type that has no members. */
const specialTypes: Readonly<Record<string, ValueSchema>> = {
  [`${apimachineryPrefix}.api.resource.Quantity`]: { 'x-kubernetes-int-or-string': true, format: 'quantity' },
  [`${apimachineryPrefix}.util.intstr.IntOrString`]: { 'x-kubernetes-int-or-string': true, format: 'int-or-string' },
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceSubresourceStatus': {
    type: 'object',
    properties: {},
  },
};

/** References whose name is left out when it is empty, though the document gives it a default. */
const namingTypes: ReadonlySet<string> = new Set(
  [
    'LocalObjectReference',
    'ConfigMapEnvSource',
    'ConfigMapKeySelector',
    'ConfigMapProjection',
    'ConfigMapVolumeSource',
    'SecretEnvSource',
    'SecretKeySelector',
    'SecretProjection',
  ].map((name) => `io.k8s.api.core.v1.${name}`),
);

function withoutDefaultName(type: string, schema: ValueSchema): ValueSchema {
  const { name, ...others } = schema.properties ?? {};
  if (name === undefined || !namingTypes.has(type)) return schema;
  const { default: _empty, ...plain } = name;
  return { ...schema, properties: { ...others, name: plain } };
}

const isFreeForm = (definition: TypeDefinition): boolean =>
  (definition.type === undefined || definition.type === 'object') &&
  definition.properties === undefined &&
  definition.additionalProperties === undefined;

const typeKey = ({ group, version, kind }: GroupVersionKind): string => `${group}/${version}/${kind}`;

let loadedDefinitions: DefinitionTable | undefined;
const definitionTable = (): DefinitionTable => (loadedDefinitions ??= new DefinitionTable(definitionsJson));

/** The schema of a built-in kind, for pruning, patches and field ownership; undefined for kinds that are not built in. */
export function builtinSchema(group: string, version: string, kind: string): ValueSchema | undefined {
  const name = definitionTable().nameOf({ group, version, kind });
  return name === undefined ? undefined : definitionTable().schema(name);
}

/** `v1.Container` for the schema of a container: the type as the server's own errors name it. */
export const goTypeName = oncePerObject((schema: ValueSchema): string | undefined =>
  definitionTable().typeNameOf(schema)?.split('.').slice(-2).join('.'),
);

/** Members of a built-in type whose zero value differs from no value: pointers in Go. */
export const membersWithZero = oncePerObject(
  (schema: ValueSchema): ReadonlySet<string> => new Set(definitionTable().keptMembersOf(schema)),
);

/** The schema of `metadata`, which custom resources share with the built-in kinds. */
export const objectMetaSchema = (): ValueSchema =>
  definitionTable().schema(`${apimachineryPrefix}.apis.meta.v1.ObjectMeta`);

/**
 * The `definitions` of an OpenAPI v2 document, by name (`io.k8s.api.apps.v1.Deployment`), with references that
 * begin with `referencePrefix` (`#/definitions/` or, for version 3, `#/components/schemas/`). List kinds are not among them.
 */
export function openApiDefinitions(referencePrefix = '#/definitions/'): JsonObject {
  const json: JsonValue = JSON.parse(definitionsJson.replaceAll('"$ref":"#', `"$ref":"${referencePrefix}`));
  return isObject(json) ? json : {};
}
