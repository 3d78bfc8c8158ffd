import { toTimestamp } from '@nodewright/apis';
import type { ManagedFieldsEntry } from '../../apply/managed-fields.ts';
import { trackManagedFields } from '../../apply/track-managed-fields.ts';
import { emptyBuiltin } from '../../builtin/empty.ts';
import { asJson } from '../../resources/rules.ts';
import type { Resource } from '../../resources/resource.ts';
import { groupVersion } from '../../resources/served-kind.ts';
import { equal, type Json, type JsonObject } from '../../schema/json.ts';
import { type ApiObject, type Metadata, withMetadata } from '../../storage/api-object.ts';
import type { World } from '../world.ts';

/** Who writes, and through which door. */
export type Writer = { readonly manager: string; readonly subresource?: string };

/** The object with `metadata.managedFields` as this write leaves them. */
export function tracked(
  world: World,
  resource: Resource,
  { before, after, writer }: { before?: ApiObject | undefined; after: ApiObject; writer: Writer },
): ApiObject {
  if (resource.schema === undefined) return after;
  const managedFields = trackManagedFields({
    ...storedOrEmpty(resource, before),
    after: asJson(after),
    schema: resource.schema,
    manager: writer.manager,
    apiVersion: groupVersion(resource),
    ...(writer.subresource !== undefined && { subresource: writer.subresource }),
    now: toTimestamp(world.clock.now()),
  });
  return managedFields.length === 0
    ? withoutMetadata(after, ['managedFields'])
    : withMetadata(after, { managedFields });
}

/** Nobody owns what an empty object of a built-in kind has by itself. */
function storedOrEmpty(resource: Resource, before: ApiObject | undefined): { before?: JsonObject } {
  if (before !== undefined) return { before: asJson(before) };
  return resource.custom === undefined ? { before: emptyBuiltin(resource) } : {};
}

export function withoutMetadata(object: ApiObject, names: readonly string[]): ApiObject {
  const kept = Object.entries(object.metadata).filter(([name]) => !names.includes(name));
  return { ...object, metadata: Object.fromEntries(kept) as Metadata };
}

export function withoutField(object: ApiObject, name: string): ApiObject {
  if (!Object.hasOwn(object, name)) return object;
  return Object.fromEntries(Object.entries(object).filter(([field]) => field !== name)) as ApiObject;
}

/** Sets a field, or takes it away when there is none. */
export const withField = (object: ApiObject, name: string, value: unknown): ApiObject =>
  value === undefined ? withoutField(object, name) : { ...object, [name]: value };

/** Whether a write would change nothing but the times in `managedFields`. */
export function isUnchanged(before: ApiObject, after: ApiObject): boolean {
  return equal(contentOf(before), contentOf(after)) && equal(ownersOf(before) as Json, ownersOf(after) as Json);
}

const contentOf = (object: ApiObject): Json => asJson(withoutMetadata(object, ['managedFields', 'resourceVersion']));

const ownersOf = ({ metadata }: ApiObject): unknown =>
  ((metadata.managedFields ?? []) as readonly ManagedFieldsEntry[]).map(({ time: _time, ...owner }) => owner);
