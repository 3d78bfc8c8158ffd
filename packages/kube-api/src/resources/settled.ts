import { ObjectNotes, readOwn, writeOwn } from '@nodewright/apis';
import type { ValueSchema } from '../schema/structural.ts';
import type { ApiObject } from '../storage/api-object.ts';
import type { Resource } from './resource.ts';
import { groupVersion } from './served-kind.ts';

/**
 * The schema by which a stored object was decoded, pruned and defaulted. Doing it again would change nothing.
 *
 * Assumptions: a stored object never changes, and a member that a write does not change stays the same object. ADR 7
 * has the contract.
 */
const settledBy = new ObjectNotes<ApiObject, ValueSchema>();

/**
 * Records that a stored object was decoded, pruned and defaulted.
 * @returns the object
 */
export function markSettled(resource: Resource, stored: ApiObject): ApiObject {
  const { schema } = resource;
  if (schema !== undefined && stored.apiVersion === groupVersion(resource)) settledBy.write(stored, schema);
  return stored;
}

/** Whether a stored object was decoded, pruned and defaulted by this schema. */
export const isSettled = (stored: ApiObject, schema: ValueSchema): boolean => settledBy.of(stored) === schema;

/** The changed part of a stored object. The rest was decoded, pruned and defaulted before. */
export type PartialChange = {
  /** The object with its changed and its identifying members. */
  readonly part: ApiObject;
  /** Puts the unchanged members back into a processed part. */
  readonly whole: (part: ApiObject) => ApiObject;
};

const definitionCollection = 'customresourcedefinitions.apiextensions.k8s.io';

/** The members that differ from `before`. All members, when `before` is not a stored object of this schema. */
export function partialChange(
  { schema, collection }: Resource,
  before: ApiObject | undefined,
  after: ApiObject,
): PartialChange {
  if (before === undefined || schema === undefined || settledBy.of(before) !== schema) {
    return { part: after, whole: (part) => part };
  }
  // The status of a definition gets a default from its versions.
  if (collection === definitionCollection) return { part: after, whole: (part) => part };
  // What a secret receives as text becomes a part of its data, which has to be there.
  if (after['stringData'] !== undefined) return { part: after, whole: (part) => part };
  const { metadata, ...members } = after;
  const part = {
    ...changedMembers(members, before, identityMembers),
    metadata: changedMembers(metadata, before.metadata, identityMembers),
  } as ApiObject;
  return {
    part,
    whole: (worked) => {
      const changed = restoreMembers(metadata, worked.metadata, part.metadata) as ApiObject['metadata'];
      return restoreMembers(after, { ...worked, metadata: changed }, part) as ApiObject;
    },
  };
}

type ObjectMembers = Readonly<Record<string, unknown>>;

const identityMembers: ReadonlySet<string> = new Set(['kind', 'apiVersion', 'name', 'namespace', 'uid']);

/** Leaves out members that are the same object as before. */
function changedMembers(members: ObjectMembers, before: ObjectMembers, kept: ReadonlySet<string>): ObjectMembers {
  const changed: Record<string, unknown> = {};
  for (const name of Object.keys(members)) {
    const value = readOwn(members, name);
    const isSame = typeof value === 'object' && value !== null && value === readOwn(before, name);
    if (!isSame || kept.has(name)) writeOwn(changed, name, value);
  }
  return changed;
}

/** Members keep their order; added members come last. */
function restoreMembers(members: ObjectMembers, changed: ObjectMembers, part: ObjectMembers): ObjectMembers {
  const result: Record<string, unknown> = {};
  for (const name of Object.keys(members)) {
    if (!Object.hasOwn(part, name)) writeOwn(result, name, readOwn(members, name));
    else if (Object.hasOwn(changed, name)) writeOwn(result, name, readOwn(changed, name));
  }
  for (const name of Object.keys(changed))
    if (!Object.hasOwn(members, name)) writeOwn(result, name, readOwn(changed, name));
  return result;
}
