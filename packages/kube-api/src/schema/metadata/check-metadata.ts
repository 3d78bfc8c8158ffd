import { type Cause, forbidden, invalid, required, tooLong } from '../cause.ts';
import { at, isObject, type Json, type JsonObject, member, textAt } from '../json.ts';
import { isLabelValue, isQualifiedName, isSubdomain, type NameRule } from './names.ts';

export type MetadataCheck = {
  readonly object: JsonObject;
  /** The stored object of an update. */
  readonly old?: JsonObject;
  readonly nameRule?: NameRule;
};

/** What is wrong with an object's metadata: the same rules for every kind but for its name. */
export function checkMetadata({ object, old, nameRule = isSubdomain }: MetadataCheck): Cause[] {
  const metadata = member(object, 'metadata');
  return [
    ...checkNames(metadata, nameRule),
    ...checkLabels(metadata),
    ...checkAnnotations(metadata),
    ...checkOwners(metadata),
    ...checkFinalizers(metadata),
    ...(old === undefined ? [] : newFinalizersWhileDeleting(object, old)),
  ];
}

function checkNames(metadata: Json | undefined, rule: NameRule): Cause[] {
  const name = textAt(metadata, 'name');
  const prefix = textAt(metadata, 'generateName');
  if (name === '') return [required('metadata.name', 'name or generateName is required')];
  return [
    // A generated name goes on after the prefix, so a prefix may end with a dash.
    ...(prefix === ''
      ? []
      : rule(prefix.replace(/-$/, 'a')).map((text) => invalid('metadata.generateName', prefix, text))),
    ...rule(name).map((text) => invalid('metadata.name', name, text)),
  ];
}

const checkLabels = (metadata: Json | undefined): Cause[] => labelCauses(member(metadata, 'labels'), 'metadata.labels');

/** What is wrong with a set of labels. */
export function labelCauses(labels: Json | undefined, field: string): Cause[] {
  if (!isObject(labels)) return [];
  return Object.entries(labels).flatMap(([key, value]) => [
    ...isQualifiedName(key).map((text) => invalid(field, key, text)),
    ...isLabelValue(typeof value === 'string' ? value : '').map((text) => invalid(field, value, text)),
  ]);
}

const mostAnnotationBytes = 262_144;

function checkAnnotations(metadata: Json | undefined): Cause[] {
  const annotations = member(metadata, 'annotations');
  if (!isObject(annotations)) return [];
  const entries = Object.entries(annotations);
  const size = entries.reduce(
    (sum, [key, value]) => sum + key.length + (typeof value === 'string' ? value.length : 0),
    0,
  );
  return [
    ...entries.flatMap(([key]) =>
      isQualifiedName(key.toLowerCase()).map((text) => invalid('metadata.annotations', key, text)),
    ),
    ...(size > mostAnnotationBytes ? [tooLong('metadata.annotations', mostAnnotationBytes)] : []),
  ];
}

function checkOwners(metadata: Json | undefined): Cause[] {
  const owners = member(metadata, 'ownerReferences');
  if (!Array.isArray(owners)) return [];
  const controllers = owners.filter((owner) => member(owner, 'controller') === true);
  const several = 'Only one reference can have Controller set to true. Found "true" in references for';
  return [
    ...owners.flatMap((owner) =>
      ['apiVersion', 'kind', 'name', 'uid']
        .filter((key) => textAt(owner, key) === '')
        .map((key) => invalid(`metadata.ownerReferences.${key}`, '', 'must not be empty')),
    ),
    ...(controllers.length > 1
      ? [
          invalid(
            'metadata.ownerReferences',
            owners,
            `${several} ${controllers.map((owner) => textAt(owner, 'name')).join(' and ')}`,
          ),
        ]
      : []),
  ];
}

const finalizersOf = (object: Json | undefined): string[] => {
  const finalizers = member(object, 'finalizers');
  return Array.isArray(finalizers) ? finalizers.filter((item) => typeof item === 'string') : [];
};

const checkFinalizers = (metadata: Json | undefined): Cause[] =>
  finalizersOf(metadata).flatMap((name) =>
    isQualifiedName(name).map((text) => invalid('metadata.finalizers', name, text)),
  );

const standardFinalizers: ReadonlySet<string> = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);

/** Finalizers of built-in kinds have a domain or are the server's own. */
export const checkFinalizerDomains = (object: JsonObject): Cause[] =>
  finalizersOf(member(object, 'metadata')).flatMap((name, index) =>
    name.includes('/') || standardFinalizers.has(name)
      ? []
      : [
          invalid(
            `metadata.finalizers[${index}]`,
            name,
            'name is neither a standard finalizer name nor is it fully qualified',
          ),
        ],
  );

/** Warnings about finalizers of custom resources that have no domain. */
export const finalizerWarnings = (object: JsonObject): string[] =>
  finalizersOf(member(object, 'metadata'))
    .filter((name) => !name.includes('/') && !standardFinalizers.has(name))
    .map(
      (name) =>
        `metadata.finalizers: ${JSON.stringify(name)}: prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers`,
    );

function newFinalizersWhileDeleting(object: JsonObject, old: JsonObject): Cause[] {
  if (textAt(old, 'metadata', 'deletionTimestamp') === '') return [];
  const known = finalizersOf(at(old, 'metadata'));
  const added = finalizersOf(at(object, 'metadata')).filter((name) => !known.includes(name));
  if (added.length === 0) return [];
  const list = `[]string{${added.map((name) => JSON.stringify(name)).join(', ')}}`;
  return [
    forbidden(
      'metadata.finalizers',
      `no new finalizers can be added if the object is being deleted, found new finalizers ${list}`,
    ),
  ];
}
