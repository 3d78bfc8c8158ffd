import type { CustomResourceDefinition, DefinitionObject, KubernetesObject } from '@nodewright/apis';
import { customResourceRefusals } from '@nodewright/kube-api';
import { hasField, listSchemaFields, printFieldPath, type SchemaFieldPath } from './schema-fields.ts';

/** A definition of this version, and what the cluster has of its kind. */
export type ComparedDefinition = {
  readonly ours: CustomResourceDefinition;
  readonly theirs: DefinitionObject | undefined;
  readonly objects: readonly KubernetesObject[];
};

export type DefinitionFinding = {
  /** `apply` is what applying the definitions changes; `blocked` has to be solved before. */
  readonly state: 'ok' | 'apply' | 'warning' | 'blocked';
  readonly subject: string;
  readonly message: string;
};

/** What applying a definition to the cluster would change, and what stands against it. */
export function judgeDefinition({ ours, theirs, objects }: ComparedDefinition): readonly DefinitionFinding[] {
  const subject = ours.metadata.name;
  if (theirs === undefined)
    return [{ state: 'apply', subject, message: 'the cluster has no such kind; it is created' }];
  const findings = [
    ...judgeVersions(ours, theirs),
    ...judgeWebhook(ours, theirs),
    ...judgeFields(ours, theirs, objects),
    ...judgeObjects(objects),
  ].map(([state, message]): DefinitionFinding => ({ state, subject, message }));
  return findings.length > 0 ? findings : [{ state: 'ok', subject, message: 'has the same versions and fields' }];
}

type Judgement = readonly [DefinitionFinding['state'], string];

const definitionVersions = ({ spec }: DefinitionObject) => spec?.versions ?? [];

/** The API server refuses a definition that lacks a version of `status.storedVersions`. */
function judgeVersions(ours: CustomResourceDefinition, theirs: DefinitionObject): readonly Judgement[] {
  const { name } = ours.metadata;
  const kept = new Set(ours.spec.versions.map((version) => version.name));
  const storage = ours.spec.versions.find((version) => version.storage)?.name ?? '';
  const stored = (theirs.status?.storedVersions ?? []).filter((version) => !kept.has(version));
  const gone = definitionVersions(theirs).filter(
    (version) => !kept.has(version.name) && !stored.includes(version.name),
  );
  const patch = JSON.stringify({ status: { storedVersions: [storage] } });
  return [
    ...stored.map((version): Judgement => [
      'blocked',
      `objects may be stored as ${version}, which is taken away; while ${storage} is stored, write each object once ` +
        `(kubectl annotate ${name} --all nodewright.dev/stored=${storage}), then ` +
        `kubectl patch crd ${name} --subresource=status --type=merge -p '${patch}'`,
    ]),
    ...gone.map(({ name: version }): Judgement => [
      'warning',
      `${version} is served no longer; \`nodewright convert\` rewrites manifests of it`,
    ]),
  ];
}

/** Definitions of one version have no word on conversion, so a webhook stays. */
function judgeWebhook(ours: CustomResourceDefinition, { metadata, spec }: DefinitionObject): readonly Judgement[] {
  const isThere = spec?.conversion?.strategy === 'Webhook';
  const wanted = ours.spec.conversion?.webhook.clientConfig.service;
  if (wanted !== undefined) {
    const found = spec?.conversion?.webhook?.clientConfig?.service;
    const isSame = isThere && found?.name === wanted.name && found.namespace === wanted.namespace;
    return isSame ? [] : [['apply', `the webhook ${wanted.namespace}/${wanted.name} converts its versions`]];
  }
  if (!isThere) return [];
  const patch = JSON.stringify({ spec: { conversion: { strategy: 'None', webhook: null } } });
  const message = `its conversion webhook stays, and nothing is left to convert; after the upgrade: kubectl patch crd ${metadata.name} --type=merge -p '${patch}'`;
  return [['warning', message]];
}

/** The fields in one list whose parents are in the other one, too. */
function fieldsMissingIn(other: ReadonlySet<string>, fields: readonly SchemaFieldPath[]): readonly SchemaFieldPath[] {
  const missing = fields.filter((path) => !other.has(path.join('.')));
  const isBelow = (path: SchemaFieldPath, parent: SchemaFieldPath): boolean =>
    path.length > parent.length && parent.every((step, at) => path[at] === step);
  return missing.filter((path) => !missing.some((parent) => isBelow(path, parent)));
}

const textSet = (fields: readonly SchemaFieldPath[]): ReadonlySet<string> =>
  new Set(fields.map((path) => path.join('.')));

/** Fields outside of `metadata`, which every kind has. */
const schemaFieldsOf = (version: { readonly schema?: { readonly openAPIV3Schema?: object } } | undefined) =>
  listSchemaFields(version?.schema?.openAPIV3Schema ?? {}).filter(([first]) => first === 'spec' || first === 'status');

function judgeFields(
  ours: CustomResourceDefinition,
  theirs: DefinitionObject,
  objects: readonly KubernetesObject[],
): readonly Judgement[] {
  return ours.spec.versions.flatMap((version): readonly Judgement[] => {
    const old = definitionVersions(theirs).find(({ name }) => name === version.name);
    if (old === undefined) return [['apply', `${version.name} is served from then on`]];
    const [before, after] = [schemaFieldsOf(old), schemaFieldsOf(version)];
    const added = fieldsMissingIn(textSet(before), after).map(printFieldPath);
    const dropped = fieldsMissingIn(textSet(after), before);
    return [
      ...(added.length === 0 ? [] : [['apply', `${version.name} gets ${added.join(', ')}`] as const]),
      ...dropped.map((path) => judgeDroppedField(version.name, path, objects)),
    ];
  });
}

function judgeDroppedField(version: string, path: SchemaFieldPath, objects: readonly KubernetesObject[]): Judgement {
  const users = objects.filter((object) => hasField(object, path)).map(({ metadata }) => metadata.name);
  const field = `${version} loses ${printFieldPath(path)}`;
  if (users.length === 0) return ['apply', `${field}, which no object has`];
  // A status is written anew by its controller.
  const state = path[0] === 'status' ? 'warning' : 'blocked';
  return [state, `${field}, and with it what ${users.join(', ')} say there`];
}

/** The new rules refuse an object at its next write, as far as that changes what they refuse. */
const judgeObjects = (objects: readonly KubernetesObject[]): readonly Judgement[] =>
  objects.flatMap((object) => {
    const refusals = customResourceRefusals(object);
    return refusals.length === 0
      ? []
      : [['warning', `${object.metadata.name} breaks rules of the new definition: ${refusals.join('; ')}`] as const];
  });
