import { type KubernetesObject, readOwn } from '@nodewright/apis';
import { objectMetaSchema } from '../builtin/definitions.ts';
import type { StructuralSchema } from '../schema/structural.ts';
import type { ApiObject } from '../storage/api-object.ts';
import type { PrinterColumn, Resource, ScalePaths } from './resource.ts';
import { groupVersion, type ServedSubresource } from './served-kind.ts';

/** A kind that the server starts with, and how its objects change between its versions. */
export type CustomResource = {
  /** The `CustomResourceDefinition`, as one would apply it. */
  readonly crd: KubernetesObject;
  /** The object in the given `apiVersion`. Without it only the `apiVersion` changes. */
  readonly conversion?: (object: KubernetesObject, apiVersion: string) => KubernetesObject;
};

export type Convert = (object: ApiObject, apiVersion: string) => ApiObject;

type DefinitionVersion = {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly schema?: { readonly openAPIV3Schema?: StructuralSchema };
  readonly subresources?: { readonly status?: object; readonly scale?: ScalePaths };
  readonly additionalPrinterColumns?: readonly PrinterColumn[];
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
};

/** A `CustomResourceDefinition` as the server reads it. */
export type Definition = ApiObject & {
  readonly spec: {
    readonly group: string;
    readonly scope: 'Namespaced' | 'Cluster';
    readonly names: {
      readonly plural: string;
      readonly kind: string;
      readonly singular?: string;
      readonly listKind?: string;
      readonly shortNames?: readonly string[];
      readonly categories?: readonly string[];
    };
    readonly versions: readonly DefinitionVersion[];
  };
  readonly status?: {
    readonly conditions?: readonly { readonly type: string; readonly status: string }[] | null;
    readonly acceptedNames?: Definition['spec']['names'];
    readonly storedVersions?: readonly string[];
  };
};

export const hasCondition = (definition: Definition, type: string): boolean =>
  (definition.status?.conditions ?? []).some((condition) => condition.type === type && condition.status === 'True');

/** Every served version of an established definition; nothing before that. */
export function customResources(definition: Definition, convert: Convert | undefined): readonly Resource[] {
  if (!hasCondition(definition, 'Established')) return [];
  return definition.spec.versions
    .filter(({ served }) => served)
    .toSorted((a, b) => compareVersions(a.name, b.name))
    .map((version) => customResource(definition, version, convert));
}

const verbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];

function customResource(
  { metadata, spec, ...rest }: Definition,
  version: DefinitionVersion,
  convert?: Convert,
): Resource {
  const { names, group } = spec;
  const definition = { metadata, spec, ...rest };
  return {
    group,
    version: version.name,
    plural: names.plural,
    singular: names.singular ?? names.kind.toLowerCase(),
    kind: names.kind,
    namespaced: spec.scope === 'Namespaced',
    verbs,
    ...(names.shortNames && { shortNames: names.shortNames }),
    ...(names.categories && { categories: names.categories }),
    subresources: subresourcesOf(names.kind, version),
    collection: metadata.name,
    schema: withObjectMembers(version.schema?.openAPIV3Schema),
    custom: {
      definition: metadata.name,
      listKind: names.listKind ?? `${names.kind}List`,
      isTerminating: hasCondition(definition, 'Terminating'),
      schema: version.schema?.openAPIV3Schema,
      printerColumns: version.additionalPrinterColumns ?? defaultColumns,
      selectableFields: (version.selectableFields ?? []).map(({ jsonPath }) => jsonPath.replace(/^\./, '')),
      ...(version.subresources?.scale && { scale: version.subresources.scale }),
      ...(version.deprecated === true && { deprecation: deprecationOf(definition, version) }),
    },
    ...conversions(definition, version.name, convert ?? relabelled),
  };
}

/** Metadata is the same for every kind, whatever a definition says about it. */
function withObjectMembers(schema: StructuralSchema | undefined): StructuralSchema | undefined {
  if (schema === undefined) return undefined;
  const text = { type: 'string' };
  const properties = { ...schema.properties, apiVersion: text, kind: text, metadata: objectMetaSchema() };
  return { ...schema, properties };
}

const defaultColumns: readonly PrinterColumn[] = [
  {
    name: 'Age',
    type: 'date',
    jsonPath: '.metadata.creationTimestamp',
  },
];

const relabelled: Convert = (object, apiVersion) => ({ ...object, apiVersion });

function conversions(
  { spec }: Definition,
  version: string,
  convert: Convert,
): Pick<Resource, 'fromStored' | 'toStored'> {
  const storage = spec.versions.find((candidate) => candidate.storage)?.name ?? version;
  const to =
    (name: string) =>
    (object: ApiObject): ApiObject => {
      const apiVersion = groupVersion({ group: spec.group, version: name });
      return object.apiVersion === apiVersion ? object : convert(object, apiVersion);
    };
  return { fromStored: to(version), toStored: to(storage) };
}

function subresourcesOf(kind: string, { subresources }: DefinitionVersion): readonly ServedSubresource[] {
  const verbs = ['get', 'patch', 'update'];
  return [
    ...(subresources?.status === undefined ? [] : [{ name: 'status', kind, verbs }]),
    ...(subresources?.scale === undefined
      ? []
      : [{ name: 'scale', group: 'autoscaling', version: 'v1', kind: 'Scale', verbs }]),
  ];
}

function deprecationOf({ spec }: Definition, version: DefinitionVersion): string {
  const name = `${groupVersion({ group: spec.group, version: version.name })} ${spec.names.kind}`;
  return version.deprecationWarning ?? `${name} is deprecated`;
}

/** `v2` before `v1` before `v1beta2` before `v1alpha1` before anything else, as discovery orders versions. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [versionRank(a), versionRank(b)];
  const difference = left.map((rank, index) => (right[index] ?? 0) - rank).find((step) => step !== 0);
  return difference ?? (a < b ? -1 : 1);
}

function versionRank(name: string): readonly number[] {
  const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(name);
  if (match === null) return [0, 0, 0];
  const stability = readOwn({ alpha: 1, beta: 2 }, match[2] ?? '') ?? 3;
  return [stability, Number(match[1]), Number(match[3] ?? 0)];
}
