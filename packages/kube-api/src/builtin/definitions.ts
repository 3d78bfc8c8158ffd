import { readOwn } from '@nodewright/apis';
import { isObject, type Json, type JsonObject, textAt } from '../schema/json.ts';
import type { StructuralSchema } from '../schema/structural.ts';
import { definitionsJson } from './definitions.generated.ts';

/** As in an OpenAPI v2 document, except that a reference is written `#name`. */
type Definition = Omit<StructuralSchema, 'properties' | 'items' | 'additionalProperties'> & {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Definition>>;
  readonly items?: Definition;
  readonly additionalProperties?: Definition;
  readonly 'x-kubernetes-group-version-kind'?: readonly GroupVersionKind[];
};

export type GroupVersionKind = { readonly group: string; readonly version: string; readonly kind: string };

/** What `apiVersion` and `kind` of an object say. */
export function typeOf(object: JsonObject): GroupVersionKind {
  const [version = '', group = ''] = textAt(object, 'apiVersion').split('/').toReversed();
  return { group, version, kind: textAt(object, 'kind') };
}

/** Reads the generated descriptions once; every schema is resolved on first use and then shared. */
class DefinitionTable {
  readonly #definitions: Readonly<Record<string, Definition>>;
  readonly #names = new Map<string, string>();
  readonly #resolved = new Map<string, StructuralSchema>();
  readonly #typeNames = new WeakMap<StructuralSchema, string>();

  constructor(json: string) {
    this.#definitions = JSON.parse(json) as Record<string, Definition>;
    for (const [name, definition] of Object.entries(this.#definitions)) {
      for (const gvk of definition['x-kubernetes-group-version-kind'] ?? []) this.#names.set(keyOf(gvk), name);
    }
  }

  nameOf(gvk: GroupVersionKind): string | undefined {
    return this.#names.get(keyOf(gvk));
  }

  /** The name of the definition that a schema stands for, if it is one. */
  typeNameOf(schema: StructuralSchema): string | undefined {
    return this.#typeNames.get(schema);
  }

  /** The schema of a definition. It may refer to itself (a CRD's schema properties do), so it is filled in place. */
  schema(name: string): StructuralSchema {
    const known = this.#resolved.get(name);
    if (known !== undefined) return known;
    const schema = {};
    this.#resolved.set(name, schema);
    this.#typeNames.set(schema, name);
    const definition = readOwn(this.#definitions, name);
    if (definition === undefined) throw new Error(`no definition of ${name} among the built-in types`);
    return Object.assign(schema, readOwn(special, name) ?? this.#resolve(definition));
  }

  #resolve(definition: Definition): StructuralSchema {
    const { $ref, properties, items, additionalProperties, ...rest } = definition;
    if ($ref !== undefined) return this.#reference($ref.slice(1), rest);
    return {
      ...rest,
      ...(isFreeForm(definition) && { 'x-kubernetes-preserve-unknown-fields': true }),
      ...(properties && { properties: this.#resolveMembers(properties) }),
      ...(items && { items: this.#resolve(items) }),
      ...(additionalProperties && { additionalProperties: this.#resolve(additionalProperties) }),
    };
  }

  #reference(name: string, beside: StructuralSchema): StructuralSchema {
    const schema = this.schema(name);
    if (Object.keys(beside).length === 0) return schema;
    const copy = { ...schema, ...beside };
    this.#typeNames.set(copy, name);
    return copy;
  }

  #resolveMembers(properties: Readonly<Record<string, Definition>>): Record<string, StructuralSchema> {
    return Object.fromEntries(Object.entries(properties).map(([key, inner]) => [key, this.#resolve(inner)]));
  }
}

const meta = 'io.k8s.apimachinery.pkg';

/** Scalars whose OpenAPI type tells less than the server accepts. */
const special: Readonly<Record<string, StructuralSchema>> = {
  [`${meta}.api.resource.Quantity`]: { 'x-kubernetes-int-or-string': true, format: 'quantity' },
  [`${meta}.util.intstr.IntOrString`]: { 'x-kubernetes-int-or-string': true, format: 'int-or-string' },
};

const isFreeForm = (definition: Definition): boolean =>
  (definition.type === undefined || definition.type === 'object') &&
  definition.properties === undefined &&
  definition.additionalProperties === undefined;

const keyOf = ({ group, version, kind }: GroupVersionKind): string => `${group}/${version}/${kind}`;

let table: DefinitionTable | undefined;
const definitionTable = (): DefinitionTable => (table ??= new DefinitionTable(definitionsJson));

/** The schema of a built-in kind, for pruning, patches and field ownership; undefined for kinds that are not built in. */
export function builtinSchema(group: string, version: string, kind: string): StructuralSchema | undefined {
  const name = definitionTable().nameOf({ group, version, kind });
  return name === undefined ? undefined : definitionTable().schema(name);
}

/** `v1.Container` for the schema of a container: the type as the server's own errors name it. */
export function goTypeName(schema: StructuralSchema): string | undefined {
  const name = definitionTable().typeNameOf(schema);
  return name?.split('.').slice(-2).join('.');
}

/** The schema of `metadata`, which custom resources share with the built-in kinds. */
export const objectMetaSchema = (): StructuralSchema => definitionTable().schema(`${meta}.apis.meta.v1.ObjectMeta`);

/**
 * The `definitions` of an OpenAPI v2 document, by name (`io.k8s.api.apps.v1.Deployment`), with references that
 * begin with `referencePrefix` (`#/definitions/` or, for version 3, `#/components/schemas/`). List kinds are not among them.
 */
export function openApiDefinitions(referencePrefix = '#/definitions/'): JsonObject {
  const json: Json = JSON.parse(definitionsJson.replaceAll('"$ref":"#', `"$ref":"${referencePrefix}`));
  return isObject(json) ? json : {};
}
