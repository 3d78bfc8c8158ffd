import { listKarpenterCrds, ownCrds, readOwn } from '@nodewright/apis';
import { servedKinds } from '@nodewright/kube-api';
import type { Json, JsonMap } from './step.ts';
import { plainObjects } from './plain-objects.ts';

/** A kind that requests are about, with objects that every server takes. */
export type TestedKind = {
  readonly kind: string;
  readonly apiVersion: string;
  /** `/apis/apps/v1`. */
  readonly root: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly subresources: readonly string[];
  readonly objects: readonly JsonMap[];
};

/** Beside the kinds of the servers, which are there already: the definitions that are installed on both. */
export const installedDefinitions = (): readonly JsonMap[] =>
  [...listKarpenterCrds(), ...ownCrds()] as unknown as readonly JsonMap[];

const customVerbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

type Served = Omit<TestedKind, 'objects' | 'root'>;

const builtInKinds = (): readonly Served[] =>
  servedKinds.map(({ group, version, plural, kind, namespaced, verbs, subresources = [] }) => ({
    kind,
    plural,
    namespaced,
    verbs,
    apiVersion: group === '' ? version : `${group}/${version}`,
    subresources: subresources.map(({ name }) => name),
  }));

type Definition = {
  readonly spec: {
    readonly group: string;
    readonly scope: string;
    readonly names: { readonly kind: string; readonly plural: string };
    readonly versions: readonly { readonly name: string; readonly subresources?: JsonMap }[];
  };
};

const customKinds = (): readonly Served[] =>
  (installedDefinitions() as unknown as readonly Definition[]).flatMap(({ spec }) =>
    spec.versions.map(({ name, subresources = {} }) => ({
      kind: spec.names.kind,
      plural: spec.names.plural,
      namespaced: spec.scope === 'Namespaced',
      verbs: customVerbs,
      apiVersion: `${spec.group}/${name}`,
      subresources: Object.keys(subresources),
    })),
  );

/** All kinds for which there is an object to begin with. */
export function listTestedKinds(): readonly TestedKind[] {
  return [...builtInKinds(), ...customKinds()].flatMap((served) => {
    const { apiVersion, kind } = served;
    const objects = plainObjects.filter((object) => object['apiVersion'] === apiVersion && object['kind'] === kind);
    const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    return objects.length === 0 ? [] : [{ ...served, root, objects }];
  });
}

/** A schema as OpenAPI or a definition has it. */
export type DrawnSchema = {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly Json[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, DrawnSchema>>;
  readonly items?: DrawnSchema;
  readonly additionalProperties?: DrawnSchema | boolean;
  readonly allOf?: readonly DrawnSchema[];
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-group-version-kind'?: readonly { group: string; version: string; kind: string }[];
};

/** The schemas of all tested kinds: those of a server's `/openapi/v2`, and those of the definitions. */
export class SchemaTable {
  readonly #definitions: Readonly<Record<string, DrawnSchema>>;
  readonly #byKind = new Map<string, DrawnSchema>();

  constructor(openApi: { readonly definitions: Readonly<Record<string, DrawnSchema>> }) {
    this.#definitions = openApi.definitions;
    for (const definition of Object.values(openApi.definitions))
      for (const { group, version, kind } of definition['x-kubernetes-group-version-kind'] ?? [])
        this.#byKind.set(`${group === '' ? version : `${group}/${version}`} ${kind}`, definition);
    for (const { spec } of installedDefinitions() as unknown as readonly SchemaOfDefinition[])
      for (const { name, schema } of spec.versions)
        this.#byKind.set(`${spec.group}/${name} ${spec.names.kind}`, schema.openAPIV3Schema);
  }

  of({ apiVersion, kind }: Pick<TestedKind, 'apiVersion' | 'kind'>): DrawnSchema {
    return this.#byKind.get(`${apiVersion} ${kind}`) ?? {};
  }

  /** Follows a reference. The name of a special scalar becomes its format. */
  resolve(schema: DrawnSchema): DrawnSchema {
    const reference = schema.$ref ?? schema.allOf?.[0]?.$ref;
    if (reference === undefined) return schema;
    const name = reference.slice(reference.lastIndexOf('/') + 1).replace(/^#/, '');
    if (name.endsWith('.Quantity')) return { type: 'string', format: 'quantity' };
    if (name.endsWith('.IntOrString')) return { 'x-kubernetes-int-or-string': true };
    return readOwn(this.#definitions, name) ?? {};
  }
}

type SchemaOfDefinition = {
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string };
    readonly versions: readonly { readonly name: string; readonly schema: { readonly openAPIV3Schema: DrawnSchema } }[];
  };
};
