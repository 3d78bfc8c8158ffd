import { type Cause, invalidCause, requiredCause, tooLongCause } from '../cause.ts';
import { isObject, type JsonValue, type JsonObject, memberOf, jsonTextAt } from '../json.ts';
import { validateLabelValue, validateQualifiedName, validateSubdomain, type NameRule } from './names.ts';

export type MetadataCheck = {
  readonly object: JsonObject;
  readonly nameRule?: NameRule;
  /** Whether the object is created. The prefix of a generated name is of no use later. */
  readonly isNew?: boolean;
};

/** The problems of an object's metadata. Only the rule for its name depends on the kind. */
export function checkMetadata({ object, nameRule = validateSubdomain, isNew = true }: MetadataCheck): Cause[] {
  const metadata = memberOf(object, 'metadata');
  return [
    ...checkNames(metadata, nameRule, isNew),
    ...generationCauses(memberOf(metadata, 'generation')),
    ...checkMetadataLabels(metadata),
    ...annotationCauses(memberOf(metadata, 'annotations'), 'metadata.annotations'),
    ...checkOwners(metadata),
    ...checkFinalizers(metadata),
  ];
}

function checkNames(metadata: JsonValue | undefined, rule: NameRule, isNew: boolean): Cause[] {
  const name = jsonTextAt(metadata, 'name');
  const prefix = jsonTextAt(metadata, 'generateName');
  if (name === '') return [requiredCause('metadata.name', 'name or generateName is required')];
  return [
    // The generated name continues after the prefix, so a prefix may end with a dash.
    ...(prefix === '' || !isNew
      ? []
      : rule(prefix.replace(/-$/, 'a')).map((text) => invalidCause('metadata.generateName', prefix, text))),
    ...rule(name).map((text) => invalidCause('metadata.name', name, text)),
  ];
}

const generationCauses = (generation: JsonValue | undefined): Cause[] =>
  typeof generation === 'number' && generation < 0
    ? [invalidCause('metadata.generation', generation, 'must be greater than or equal to 0')]
    : [];

const checkMetadataLabels = (metadata: JsonValue | undefined): Cause[] =>
  labelCauses(memberOf(metadata, 'labels'), 'metadata.labels');

/** The problems of a set of labels. */
export function labelCauses(labels: JsonValue | undefined, field: string): Cause[] {
  if (!isObject(labels)) return [];
  return Object.entries(labels).flatMap(([key, value]) => [
    ...validateQualifiedName(key).map((text) => invalidCause(field, key, text)),
    ...validateLabelValue(typeof value === 'string' ? value : '').map((text) => invalidCause(field, value, text)),
  ]);
}

const mostAnnotationBytes = 262_144;

/** The problems of a set of annotations. */
export function annotationCauses(annotations: JsonValue | undefined, field: string): Cause[] {
  if (!isObject(annotations)) return [];
  const entries = Object.entries(annotations);
  const size = entries.reduce(
    (sum, [key, value]) => sum + key.length + (typeof value === 'string' ? value.length : 0),
    0,
  );
  return [
    ...entries.flatMap(([key]) =>
      validateQualifiedName(key.toLowerCase()).map((text) => invalidCause(field, key, text)),
    ),
    ...(size > mostAnnotationBytes ? [tooLongCause(field, mostAnnotationBytes)] : []),
  ];
}

function checkOwners(metadata: JsonValue | undefined): Cause[] {
  const owners = memberOf(metadata, 'ownerReferences');
  if (!Array.isArray(owners)) return [];
  const controllers = owners.filter((owner) => memberOf(owner, 'controller') === true);
  const several = 'Only one reference can have Controller set to true. Found "true" in references for';
  return [
    ...owners.flatMap((owner) =>
      ['apiVersion', 'kind', 'name', 'uid']
        .filter((key) => jsonTextAt(owner, key) === '')
        .map((key) =>
          invalidCause(
            `metadata.ownerReferences.${key}`,
            '',
            key === 'apiVersion' ? 'version must not be empty' : 'must not be empty',
          ),
        ),
    ),
    ...(controllers.length > 1
      ? [
          invalidCause(
            'metadata.ownerReferences',
            owners,
            `${several} ${controllers.map((owner) => jsonTextAt(owner, 'name')).join(' and ')}`,
          ),
        ]
      : []),
  ];
}

const finalizersOf = (object: JsonValue | undefined): string[] => {
  const finalizers = memberOf(object, 'finalizers');
  return Array.isArray(finalizers) ? finalizers.filter((item) => typeof item === 'string') : [];
};

const checkFinalizers = (metadata: JsonValue | undefined): Cause[] =>
  finalizersOf(metadata).flatMap((name) =>
    validateQualifiedName(name).map((text) => invalidCause('metadata.finalizers', name, text)),
  );

const standardFinalizers: ReadonlySet<string> = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);

/** Finalizers of built-in kinds have a domain or belong to the server. */
export const checkFinalizerDomains = (object: JsonObject): Cause[] =>
  finalizersOf(memberOf(object, 'metadata')).flatMap((name, index) =>
    name.includes('/') || standardFinalizers.has(name)
      ? []
      : [
          invalidCause(
            `metadata.finalizers[${index}]`,
            name,
            'name is neither a standard finalizer name nor is it fully qualified',
          ),
        ],
  );

/** Warnings about finalizers of custom resources that have no domain. */
export const finalizerWarnings = (object: JsonObject): string[] =>
  finalizersOf(memberOf(object, 'metadata'))
    .filter((name) => !name.includes('/') && !standardFinalizers.has(name))
    .map(
      (name) =>
        `metadata.finalizers: ${JSON.stringify(name)}: prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers`,
    );
