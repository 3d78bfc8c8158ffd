import { readOwn, toTimestamp } from '@nodewright/apis';
import type { ManagedFieldsEntry } from '../../apply/managed-fields.ts';
import { trackManagedFields } from '../../apply/track-managed-fields.ts';
import { emptyBuiltin } from '../../builtin/empty.ts';
import { withUnstoredMembers } from '../../builtin/unstored-members.ts';
import { asJson } from '../../resources/rules.ts';
import type { Resource } from '../../resources/resource.ts';
import { groupVersion } from '../../resources/served-kind.ts';
import { markSettled } from '../../resources/settled.ts';
import { isEqualJson, type JsonValue, type JsonObject } from '../../schema/json.ts';
import { type ApiObject, type Metadata, changeMetadata } from '../../storage/api-object.ts';
import type { ServerContext } from '../world.ts';

/** The manager of a write and the subresource it writes to. Without a manager, ownership stays as it is. */
export type WriterIdentity = { readonly manager: string | undefined; readonly subresource?: string };

/** Stores an object and reads it back. What a webhook converts is converted before the write, so that none is half done. */
export function putAndRead({ store }: Pick<ServerContext, 'store'>, resource: Resource, object: ApiObject): ApiObject {
  const stored = resource.toStored(object);
  if (resource.prepared !== undefined) resource.fromStored(stored);
  return resource.fromStored(markSettled(resource, store.put(resource.collection, stored)));
}

type OwnedWrite = {
  readonly before?: ApiObject | undefined;
  readonly after: ApiObject;
  /** What the client wrote, before defaulting. */
  readonly written?: ApiObject;
  readonly writer: WriterIdentity;
  /** Whether the status is written with the rest. */
  readonly ownsStatus?: boolean;
};

/** The object with `metadata.managedFields` after this write. */
export function trackOwners(
  world: ServerContext,
  resource: Resource,
  { before, after, written = after, writer, ownsStatus = false }: OwnedWrite,
): ApiObject {
  if (writer.manager === undefined) return withOwnersOf(before, after);
  if (resource.schema === undefined) return after;
  const managedFields = trackManagedFields({
    ...storedOrEmpty(resource, before),
    after: resource.custom === undefined ? withUnstoredMembers(asJson(after), asJson(written)) : asJson(after),
    schema: resource.schema,
    manager: writer.manager,
    ownsStatus,
    apiVersion: groupVersion(resource),
    ...(writer.subresource !== undefined && { subresource: writer.subresource }),
    now: toTimestamp(world.clock.now()),
  });
  return managedFields.length === 0 ? dropMetadata(after, ['managedFields']) : changeMetadata(after, { managedFields });
}

function withOwnersOf(before: ApiObject | undefined, after: ApiObject): ApiObject {
  const managedFields = before?.metadata.managedFields;
  if (managedFields === after.metadata.managedFields) return after;
  return managedFields === undefined
    ? dropMetadata(after, ['managedFields'])
    : changeMetadata(after, { managedFields });
}

/** No manager owns the fields of an empty object of a built-in kind. */
function storedOrEmpty(resource: Resource, before: ApiObject | undefined): { before?: JsonObject } {
  if (before !== undefined) return { before: asJson(before) };
  return resource.custom === undefined ? { before: emptyBuiltin(resource) } : {};
}

export function dropMetadata(object: ApiObject, names: readonly string[]): ApiObject {
  const kept = Object.entries(object.metadata).filter(([name]) => !names.includes(name));
  return { ...object, metadata: Object.fromEntries(kept) as Metadata };
}

export function withoutField(object: ApiObject, name: string): ApiObject {
  if (!Object.hasOwn(object, name)) return object;
  return Object.fromEntries(Object.entries(object).filter(([field]) => field !== name)) as ApiObject;
}

/** Sets a field, or removes it when the value is undefined. */
export const withField = (object: ApiObject, name: string, value: unknown): ApiObject =>
  value === undefined ? withoutField(object, name) : { ...object, [name]: value };

/** Whether a write changes nothing but the times in `managedFields`. */
export function isUnchangedObject(before: ApiObject, after: ApiObject): boolean {
  return (
    haveEqualMembers(before, after, contentMembers) &&
    haveEqualMembers(before.metadata, after.metadata, unownedMetadata) &&
    (before.metadata.managedFields === after.metadata.managedFields ||
      isEqualJson(ownersWithoutTimes(before) as JsonValue, ownersWithoutTimes(after) as JsonValue))
  );
}

const contentMembers = (name: string): boolean => name !== 'metadata';
const unownedMetadata = (name: string): boolean => name !== 'managedFields' && name !== 'resourceVersion';

type ComparedMembers = Readonly<Record<string, unknown>>;

function haveEqualMembers(a: ComparedMembers, b: ComparedMembers, counts: (name: string) => boolean): boolean {
  const names = Object.keys(a).filter(counts);
  return (
    names.length === Object.keys(b).filter(counts).length &&
    names.every(
      (name) => Object.hasOwn(b, name) && isEqualJson(readOwn(a, name) as JsonValue, readOwn(b, name) as JsonValue),
    )
  );
}

const ownersWithoutTimes = ({ metadata }: ApiObject): unknown =>
  ((metadata.managedFields ?? []) as readonly ManagedFieldsEntry[]).map(({ time: _time, ...owner }) => owner);
