import { appliedFields } from '../apply/applied-fields.ts';
import { managerKey, ownershipsOf, printOwnerships } from '../apply/managed-fields.ts';
import { trackManagedFields } from '../apply/track-managed-fields.ts';
import { builtinSchema, groupVersionKindOf } from '../schema/definitions.ts';
import type { JsonObject } from '../schema/json.ts';
import { type ApiObject, changeMetadata } from '../storage/api-object.ts';
import { asJson } from './rules.ts';

export type StatusAuthor = {
  readonly manager: string;
  /** RFC 3339, seconds. */
  readonly now: string;
  /** What the writer applies; it updates when this is left out. */
  readonly applied?: JsonObject;
};

/** An object whose status the server wrote, with the server among its owners. One that has no owners gets none. */
export function withStatusOwner(
  before: ApiObject,
  after: ApiObject,
  { manager, now, applied }: StatusAuthor,
): ApiObject {
  if (before.metadata.managedFields === undefined) return after;
  const { group, version, kind } = groupVersionKindOf(asJson(after));
  const schema = builtinSchema(group, version, kind);
  if (schema === undefined) return after;
  const { apiVersion } = after;
  if (applied === undefined) {
    const request = {
      before: asJson(before),
      after: asJson(after),
      schema,
      manager,
      apiVersion,
      subresource: 'status',
      now,
    };
    return changeMetadata(after, { managedFields: trackManagedFields(request) });
  }
  const writer = { manager, operation: 'Apply', apiVersion, subresource: 'status' } as const;
  const owners = ownershipsOf(asJson(before)).set(managerKey(writer), {
    manager: writer,
    time: now,
    fields: appliedFields(schema, applied),
  });
  return changeMetadata(after, { managedFields: printOwnerships(owners.values()) });
}
