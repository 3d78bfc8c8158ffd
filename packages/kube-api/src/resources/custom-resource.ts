import { byText, ObjectNotes, type KubernetesObject, oncePerObject, readOwn, byValueOf } from '@nodewright/apis';
import { applyDefaults, dropNulls } from '../schema/defaults.ts';
import { objectMetaSchema } from '../schema/definitions.ts';
import { type ExactNumbers, exactNumbersOf, withExactNumbers } from '../schema/exact-numbers.ts';
import { pruneUnknown } from '../schema/prune.ts';
import type { ValueSchema } from '../schema/structural.ts';
import type { ApiObject } from '../storage/api-object.ts';
import type { ObjectVerdict, RequestedColumn, Resource, ScalePaths, WebhookConverter } from './resource.ts';
import { asApiObject, asJson } from './rules.ts';
import { groupVersion, type ServedSubresource } from './served-kind.ts';
import { isSettled } from './settled.ts';

/** A custom kind that the server installs at its start, with its conversion between versions. */
export type CustomResource = {
  /** The `CustomResourceDefinition` manifest. */
  readonly crd: KubernetesObject;
  /** Converts an object to an `apiVersion`. Without a conversion, only `apiVersion` changes. */
  readonly conversion?: (object: KubernetesObject, apiVersion: string) => KubernetesObject;
  /** Judges an object that its schema admits, as an admission webhook does. */
  readonly judge?: JudgeObject;
};

export type JudgeObject = (object: KubernetesObject) => ObjectVerdict;

export type Convert = (object: ApiObject, apiVersion: string) => ApiObject;

/** What a definition alone does not say about its kind. */
export type CustomFunctions = { readonly convert?: Convert; readonly judge?: JudgeObject };

type DefinitionVersion = {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly schema?: { readonly openAPIV3Schema?: ValueSchema };
  readonly subresources?: { readonly status?: object; readonly scale?: ScalePaths };
  readonly additionalPrinterColumns?: readonly RequestedColumn[];
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
};

/** A `CustomResourceDefinition` as the server reads it. */
export type StoredDefinition = ApiObject & {
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
    readonly conversion?: { readonly strategy?: string; readonly webhook?: WebhookConverter };
  };
  readonly status?: {
    readonly conditions?: readonly { readonly type: string; readonly status: string }[] | null;
    readonly acceptedNames?: StoredDefinition['spec']['names'];
    readonly storedVersions?: readonly string[];
  };
};

export const hasDefinitionCondition = (definition: StoredDefinition, type: string): boolean =>
  (definition.status?.conditions ?? []).some((condition) => condition.type === type && condition.status === 'True');

/** The served versions of an established definition. A definition that is not established has none. */
export function customResources(definition: StoredDefinition, functions: CustomFunctions = {}): readonly Resource[] {
  if (!hasDefinitionCondition(definition, 'Established')) return [];
  return definition.spec.versions
    .filter(({ served }) => served)
    .toSorted(byValueOf(({ name }) => name, compareApiVersions))
    .map((version) => customResource(definition, version, functions));
}

const customResourceVerbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];

function customResource(
  { metadata, spec, ...rest }: StoredDefinition,
  version: DefinitionVersion,
  { convert, judge }: CustomFunctions,
): Resource {
  const { names, group } = spec;
  const definition = { metadata, spec, ...rest };
  const own = version.schema?.openAPIV3Schema;
  const schema = own && withObjectMembers(own);
  const readForm = readingOf(definition);
  const functionsFor = (by: Convert): Pick<Resource, 'fromStored' | 'toStored'> => {
    const { convertStored, toStored } = conversionsOfVersion(definition, version, by);
    return { fromStored: (object) => convertStored(readForm(object)), toStored };
  };
  const webhook = convert === undefined ? webhookOf(definition) : undefined;
  return {
    group,
    version: version.name,
    plural: names.plural,
    singular: names.singular ?? names.kind.toLowerCase(),
    kind: names.kind,
    namespaced: spec.scope === 'Namespaced',
    verbs: customResourceVerbs,
    ...(names.shortNames && { shortNames: names.shortNames }),
    ...(names.categories && { categories: names.categories }),
    subresources: subresourcesOf(names.kind, version),
    collection: metadata.name,
    schema,
    custom: {
      definition: metadata.name,
      listKind: names.listKind ?? `${names.kind}List`,
      isTerminating: hasDefinitionCondition(definition, 'Terminating'),
      schema: own,
      printerColumns: version.additionalPrinterColumns ?? defaultColumns,
      selectableFields: (version.selectableFields ?? []).map(({ jsonPath }) => jsonPath.replace(/^\./, '')),
      ...(version.subresources?.scale && { scale: version.subresources.scale }),
      ...(judge && { judge }),
      ...(version.deprecated === true && { deprecation: deprecationWarning(definition, version) }),
      numbers: exactNumbersOf(definition),
      ...(webhook && { conversion: { webhook, functionsFor, readForm, cache: new ObjectNotes() } }),
    },
    ...functionsFor(convert ?? changeApiVersion),
  };
}

const webhookOf = ({ spec: { conversion } }: StoredDefinition): WebhookConverter | undefined =>
  conversion?.strategy === 'Webhook' ? conversion.webhook : undefined;

/** All kinds have the same metadata, whatever a definition says. */
const withObjectMembers = oncePerObject((schema: ValueSchema): ValueSchema => {
  const text = { type: 'string' };
  const properties = { ...schema.properties, apiVersion: text, kind: text, metadata: objectMetaSchema() };
  return { ...schema, properties };
});

const defaultColumns: readonly RequestedColumn[] = [
  {
    name: 'Age',
    type: 'date',
    jsonPath: '.metadata.creationTimestamp',
  },
];

const changeApiVersion: Convert = (object, apiVersion) => ({ ...object, apiVersion });

type Convertor = (object: ApiObject) => ApiObject;

/** The conversions from the stored form to a version and back. The schema of a version prunes what was converted to it. */
function conversionsOfVersion(
  { spec }: StoredDefinition,
  version: DefinitionVersion,
  convert: Convert,
): { readonly convertStored: Convertor; readonly toStored: Convertor } {
  const to = ({ name, schema }: DefinitionVersion): Convertor => {
    const apiVersion = groupVersion({ group: spec.group, version: name });
    const prune = pruningBy(schema?.openAPIV3Schema);
    const converted = oncePerObject((object: ApiObject) =>
      withExactNumbers(prune(convert(object, apiVersion)), exactNumbersOf(object)),
    );
    return (object) => (object.apiVersion === apiVersion ? object : converted(object));
  };
  const storage = spec.versions.find((candidate) => candidate.storage) ?? version;
  return { convertStored: to(version), toStored: to(storage) };
}

const keepObject: Convertor = (object) => object;

function pruningBy(schema: ValueSchema | undefined): Convertor {
  if (schema === undefined) return keepObject;
  const whole = withObjectMembers(schema);
  return (object) => asApiObject(pruneUnknown(whole, asJson(object)).value);
}

/**
 * Reads a stored object by the schema of now: it may be older than a default or a removed field of the schema. The schema
 * is that of the version in which the object is stored.
 */
function readingOf(definition: StoredDefinition): Convertor {
  const { spec } = definition;
  const readings = new Map(
    spec.versions.map(({ name, schema }) => [
      groupVersion({ group: spec.group, version: name }),
      readingBy(schema?.openAPIV3Schema, exactNumbersOf(definition)),
    ]),
  );
  return (object) => readings.get(object.apiVersion)?.(object) ?? object;
}

function readingBy(schema: ValueSchema | undefined, numbers: ExactNumbers | undefined): Convertor {
  if (schema === undefined) return keepObject;
  const whole = withObjectMembers(schema);
  const prune = pruningBy(schema);
  const completed = oncePerObject((object: ApiObject) => {
    const whole = asApiObject(dropNulls(schema, applyDefaults(schema, asJson(prune(object)))));
    return withExactNumbers(whole, numbers, exactNumbersOf(object));
  });
  return (object) => (isSettled(object, whole) ? object : completed(object));
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

function deprecationWarning({ spec }: StoredDefinition, version: DefinitionVersion): string {
  const name = `${groupVersion({ group: spec.group, version: version.name })} ${spec.names.kind}`;
  return version.deprecationWarning ?? `${name} is deprecated`;
}

/** The order of versions in discovery: `v2`, `v1`, `v1beta2`, `v1alpha1`, then other names. */
export function compareApiVersions(a: string, b: string): number {
  const [left, right] = [versionRank(a), versionRank(b)];
  const difference = left.map((rank, index) => (right[index] ?? 0) - rank).find((step) => step !== 0);
  return difference ?? byText(a, b);
}

function versionRank(name: string): readonly number[] {
  const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(name);
  if (match === null) return [0, 0, 0];
  const stability = readOwn({ alpha: 1, beta: 2 }, match[2] ?? '') ?? 3;
  return [stability, Number(match[1]), Number(match[3] ?? 0)];
}
