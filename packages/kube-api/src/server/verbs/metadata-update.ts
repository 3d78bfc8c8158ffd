import type { Resource } from '../../resources/resource.ts';
import type { ApiObject } from '../../storage/api-object.ts';
import { invalidError, type StatusCause } from '../../http/status-error.ts';

/**
 * What is wrong with how an update changes metadata. A real server checks it twice, and its answer contains both
 * causes.
 */
export function metadataChangeCauses(before: ApiObject, after: ApiObject): readonly StatusCause[] {
  const causes = [...newFinalizers(before, after), ...deletionCauses(before, after)];
  return [...causes, ...causes];
}

/** Only the server marks an object as deleted. */
function deletionCauses({ metadata: before }: ApiObject, { metadata: after }: ApiObject): readonly StatusCause[] {
  const [time, grace] = [after.deletionTimestamp ?? undefined, after.deletionGracePeriodSeconds ?? undefined];
  const isMarked = before.deletionTimestamp === undefined && time !== undefined && time !== '';
  const isGraceChanged = grace !== undefined && grace !== before.deletionGracePeriodSeconds;
  return [
    ...(isMarked ? [immutableCause('metadata.deletionTimestamp', time)] : []),
    ...(isGraceChanged ? [immutableCause('metadata.deletionGracePeriodSeconds', grace)] : []),
  ];
}

const immutableCause = (field: string, value: string | number): StatusCause => ({
  reason: 'FieldValueInvalid',
  message: `Invalid value: ${JSON.stringify(value)}: field is immutable`,
  field,
});

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
  const uid = after.metadata.uid ?? '';
  if (uid === '' || uid === before.metadata.uid) return;
  const cause = immutableCause('metadata.uid', uid);
  throw invalidError({ group, kind: before.kind }, before.metadata.name, [cause, cause]);
}
