import { readOwn } from '@nodewright/apis';
import { withObjectMetadata } from '../schema/resource-schema.ts';
import { valueAtPath, isObject, type JsonValue, type JsonObject, jsonTextAt, memberOf } from '../schema/json.ts';
import { memberSchema, type ValueSchema } from '../schema/structural.ts';
import { capUpdaters } from './cap-updaters.ts';
import { compareFields, isSameObject } from './compare.ts';
import { FieldSet } from './field-set.ts';
import {
  type ManagedFieldsEntry,
  type FieldManager,
  managerKey,
  ownershipsOf,
  printOwnerships,
} from './managed-fields.ts';
import { ownersAfterWrite } from './take-fields.ts';
import { keepOwnable, resetsOf, dropManagedFields } from './unowned.ts';

export type TrackRequest = {
  /**
   * The stored object with its `metadata.managedFields`. On a create of a built-in kind it is `emptyBuiltin(type)`,
   * because no manager owns the fields of an empty object. On a create of a custom resource it is absent.
   */
  readonly before?: JsonObject;
  /** The object about to be stored, after defaulting and before admission. Its own `managedFields` take precedence. */
  readonly after: JsonObject;
  readonly schema: ValueSchema;
  readonly manager: string;
  readonly apiVersion: string;
  readonly subresource?: string;
  /** Whether a write of the object itself writes its status, too. */
  readonly ownsStatus?: boolean;
  /** RFC 3339, seconds. */
  readonly now: string;
};

/**
 * Works out the owners of all fields after a create, an update or a patch. An object whose owners were cleared is not
 * tracked again until the next apply.
 * @returns the new `metadata.managedFields`
 */
export function trackManagedFields(request: TrackRequest): ManagedFieldsEntry[] {
  const { before, after, schema } = request;
  if (hasItemWithoutKeys(schema, after)) return [];
  const owners = isReset(after) ? new Map() : ownershipsOf(hasOwners(after) ? after : before);
  const isUpdate = jsonTextAt(before, 'metadata', 'uid') !== '';
  if (owners.size === 0 && isUpdate) return [];
  const comparison = compareFields(
    withObjectMetadata(schema),
    dropManagedFields(before ?? {}),
    dropManagedFields(after),
  );
  if (isSameObject(comparison)) return printOwnerships(owners.values());
  const writer = updaterOf(request);
  const key = managerKey(writer);
  const next = ownersAfterWrite(owners, key, comparison);
  const held = owners.get(key);
  const taken = (held?.fields ?? FieldSet.empty)
    .union(comparison.modified)
    .union(comparison.added)
    .difference(comparison.removed);
  const fields = keepOwnable(taken, resetsOfWrite(request));
  const written = keepOwnable(comparison.modified.union(comparison.added), resetsOfWrite(request));
  // The time is that of the last write of a field, whether or not the writer owned it before.
  const time = held === undefined || !written.isEmpty ? request.now : held.time;
  if (held?.time !== time || !held.fields.equals(fields)) {
    next.set(key, { manager: writer, time, fields: fields.shared() });
  }
  return printOwnerships(capUpdaters(next).values());
}

const resetsOfWrite = ({ subresource, ownsStatus = false }: TrackRequest): FieldSet =>
  ownsStatus ? FieldSet.empty : resetsOf(subresource);

/** Whether a list at the top whose items have keys has an item without any. A real server then keeps no owners. */
const hasItemWithoutKeys = (schema: ValueSchema, object: JsonObject): boolean =>
  Object.entries(object).some(([key, list]) => {
    const { 'x-kubernetes-list-map-keys': keys = [], items } = (Array.isArray(list) && memberSchema(schema, key)) || {};
    const hasDefaults = keys.some((name) => readOwn(items?.properties, name)?.default !== undefined);
    if (keys.length === 0 || hasDefaults || !Array.isArray(list)) return false;
    return list.some((item) => keys.every((name) => memberOf(item, name) === undefined));
  });

const updaterOf = ({ manager, apiVersion, subresource }: TrackRequest): FieldManager => ({
  manager,
  operation: 'Update',
  apiVersion,
  ...(subresource !== undefined && { subresource }),
});

const managedFieldsOf = (object: JsonObject): JsonValue | undefined => valueAtPath(object, 'metadata', 'managedFields');

const hasOwners = (object: JsonObject): boolean => managedFieldsOf(object) !== undefined;

/** A client clears the owners by sending a list with one empty entry, or an empty list. */
function isReset(object: JsonObject): boolean {
  const entries = managedFieldsOf(object);
  return Array.isArray(entries) && entries.every((entry) => isObject(entry) && Object.keys(entry).length === 0);
}
