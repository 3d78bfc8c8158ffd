import type { Resource } from '../../resources/resource.ts';
import type { ApiObject } from '../../storage/api-object.ts';
import { invalidError, type StatusCause } from '../../http/status-error.ts';

/**
 * Refuses changes of metadata that no update may make. A real server checks them twice, and its answer contains both
 * causes.
 */
export function refuseBadMetadata({ group }: Resource, before: ApiObject, after: ApiObject): void {
  const causes = newFinalizers(before, after);
  if (causes.length === 0) return;
  throw invalidError({ group, kind: before.kind }, before.metadata.name, [...causes, ...causes]);
}

function newFinalizers({ metadata: before }: ApiObject, { metadata: after }: ApiObject): readonly StatusCause[] {
  if (before.deletionTimestamp === undefined) return [];
  const known = new Set(before.finalizers);
  const added = (after.finalizers ?? []).filter((name) => !known.has(name));
  if (added.length === 0) return [];
  const shown = `[]string{${added.map((name) => JSON.stringify(name)).join(', ')}}`;
  const message = `Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers ${shown}`;
  return [{ reason: 'FieldValueForbidden', message, field: 'metadata.finalizers' }];
}

/** Refuses a patch that changes the UID. */
export function refuseOtherUid({ group }: Resource, before: ApiObject, after: ApiObject): void {
  const { uid = '' } = after.metadata;
  if (uid === '' || uid === before.metadata.uid) return;
  const message = `Invalid value: ${JSON.stringify(uid)}: field is immutable`;
  const cause = { reason: 'FieldValueInvalid', message, field: 'metadata.uid' };
  throw invalidError({ group, kind: before.kind }, before.metadata.name, [cause, cause]);
}
