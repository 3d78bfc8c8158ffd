import { byTextOf, inOrder, ObjectNotes } from '@nodewright/apis';
import { valueAtPath, isObject, type JsonValue, type JsonObject, jsonTextAt } from '../schema/json.ts';
import { FieldSet } from './field-set.ts';

/** One entry of `metadata.managedFields`. */
export type ManagedFieldsEntry = {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  /** RFC 3339, seconds. */
  readonly time?: string;
  readonly fieldsType: 'FieldsV1';
  readonly fieldsV1: JsonObject;
  readonly subresource?: string;
};

/** The identity of an entry: the manager and how it writes. */
export type FieldManager = Pick<ManagedFieldsEntry, 'manager' | 'operation' | 'apiVersion' | 'subresource'>;

/** An entry with its fields as a set. */
export type Ownership = { readonly manager: FieldManager; readonly time?: string; readonly fields: FieldSet };

/** The identity of an applier does not include the API version. The identity of an updater does. */
export const managerKey = ({ manager, operation, apiVersion, subresource }: FieldManager): string =>
  `${operation === 'Apply' ? operation : apiVersion}\n${subresource ?? ''}\n${manager}`;

/** The owners of an object by `managerKey`. Invalid entries are left out, as a real server does after a reset. */
export function ownershipsOf(object: JsonValue | undefined): Map<string, Ownership> {
  const entries = valueAtPath(object, 'metadata', 'managedFields');
  const owners = (Array.isArray(entries) ? entries : []).flatMap((entry) => knownOwnership(entry) ?? []);
  return new Map(owners.map((owner) => [managerKey(owner.manager), owner]));
}

/**
 * Entries never change and most of them survive a write. The two maps remember which entry stands for which owner, in
 * both directions, so each entry is read once and an unchanged owner prints the same entry.
 */
const readEntries = new ObjectNotes<object, Ownership>();
const printedEntries = new ObjectNotes<Ownership, ManagedFieldsEntry>();

function knownOwnership(entry: JsonValue): Ownership | undefined {
  if (!isObject(entry)) return undefined;
  const known = readEntries.of(entry);
  if (known !== undefined) return known;
  const read = ownershipOf(entry);
  if (read !== undefined) readEntries.write(entry, read);
  return read;
}

function ownershipOf(entry: JsonValue): Ownership | undefined {
  const operation = jsonTextAt(entry, 'operation');
  const fields = valueAtPath(entry, 'fieldsV1');
  if ((operation !== 'Apply' && operation !== 'Update') || !isObject(fields)) return undefined;
  const time = jsonTextAt(entry, 'time');
  const subresource = jsonTextAt(entry, 'subresource');
  const manager = {
    manager: jsonTextAt(entry, 'manager'),
    operation,
    apiVersion: jsonTextAt(entry, 'apiVersion'),
    ...(subresource !== '' && { subresource }),
  } as const;
  return { manager, ...(time !== '' && { time }), fields: FieldSet.fromFieldsV1(fields) };
}

/**
 * Entries in the order of a real server: appliers first, then by time, then by name. An owner without fields has no
 * entry.
 */
export function printOwnerships(owners: Iterable<Ownership>): ManagedFieldsEntry[] {
  return [...owners]
    .filter(({ fields }) => !fields.isEmpty)
    .toSorted(byOperationTimeAndName)
    .map(printOwnership);
}

function printOwnership(owner: Ownership): ManagedFieldsEntry {
  const known = printedEntries.of(owner);
  if (known !== undefined) return known;
  const {
    manager: { subresource, ...manager },
    time,
    fields,
  } = owner;
  const entry: ManagedFieldsEntry = {
    ...manager,
    ...(time !== undefined && { time }),
    fieldsType: 'FieldsV1',
    fieldsV1: fields.toFieldsV1(),
    ...(subresource !== undefined && { subresource }),
  };
  readEntries.write(entry, owner);
  printedEntries.write(owner, entry);
  return entry;
}

const byOperationTimeAndName = inOrder<Ownership>(
  byTextOf(({ manager }) => manager.operation),
  byTextOf(({ time }) => time ?? ''),
  byTextOf(({ manager }) => manager.manager),
  byTextOf(({ manager }) => manager.apiVersion),
  byTextOf(({ manager }) => manager.subresource ?? ''),
);
