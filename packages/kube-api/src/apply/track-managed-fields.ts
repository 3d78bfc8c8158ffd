import { resourceSchema } from '../schema/resource-schema.ts';
import { at, isObject, type Json, type JsonObject, textAt } from '../schema/json.ts';
import type { StructuralSchema } from '../schema/structural.ts';
import { compare, isSame } from './compare.ts';
import { FieldSet } from './field-set.ts';
import { type ManagedFieldsEntry, type Manager, managerKey, ownershipsOf, printOwnerships } from './managed-fields.ts';
import { ownersAfter } from './take-fields.ts';
import { ownable, resetsOf, withoutManagedFields } from './unowned.ts';

export type TrackRequest = {
  /**
   * The stored object with its `metadata.managedFields`. On a create of a built-in kind it is `emptyBuiltin(type)`,
   * because nobody owns what an empty object has by itself; on a create of a custom resource it is absent.
   */
  readonly before?: JsonObject;
  /** The object about to be stored, after defaulting and before admission; its own managedFields, if any, win. */
  readonly after: JsonObject;
  readonly schema: StructuralSchema;
  readonly manager: string;
  readonly apiVersion: string;
  readonly subresource?: string;
  /** RFC 3339, seconds. */
  readonly now: string;
};

/**
 * Who owns which field after a create, an update or a patch. An object whose owners were cleared is not tracked
 * again until somebody applies to it.
 * @returns the new `metadata.managedFields`
 */
export function trackManagedFields(request: TrackRequest): ManagedFieldsEntry[] {
  const { before, after, schema } = request;
  const owners = isReset(after) ? new Map() : ownershipsOf(hasOwners(after) ? after : before);
  const isUpdate = textAt(before, 'metadata', 'uid') !== '';
  if (owners.size === 0 && isUpdate) return [];
  const comparison = compare(resourceSchema(schema), withoutManagedFields(before ?? {}), withoutManagedFields(after));
  if (isSame(comparison)) return printOwnerships(owners.values());
  const writer = writerOf(request);
  const key = managerKey(writer);
  const next = ownersAfter(owners, key, comparison);
  const held = owners.get(key);
  const taken = (held?.fields ?? FieldSet.empty)
    .union(comparison.modified)
    .union(comparison.added)
    .difference(comparison.removed);
  const fields = ownable(taken, resetsOf(request.subresource));
  if (held === undefined || !held.fields.equals(fields)) {
    next.set(key, { manager: writer, time: request.now, fields: fields.shared() });
  }
  return printOwnerships(next.values());
}

const writerOf = ({ manager, apiVersion, subresource }: TrackRequest): Manager => ({
  manager,
  operation: 'Update',
  apiVersion,
  ...(subresource !== undefined && { subresource }),
});

const managedFieldsOf = (object: JsonObject): Json | undefined => at(object, 'metadata', 'managedFields');

const hasOwners = (object: JsonObject): boolean => managedFieldsOf(object) !== undefined;

/** A client clears the owners by sending a list with one empty entry, or an empty list. */
function isReset(object: JsonObject): boolean {
  const entries = managedFieldsOf(object);
  return Array.isArray(entries) && entries.every((entry) => isObject(entry) && Object.keys(entry).length === 0);
}
