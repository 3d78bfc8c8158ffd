import { withObjectMetadata } from '../schema/resource-schema.ts';
import type { Cause } from '../schema/cause.ts';
import { isObject, type JsonValue, type JsonObject, jsonTextAt } from '../schema/json.ts';
import type { ValueSchema } from '../schema/structural.ts';
import { appliedFields } from './applied-fields.ts';
import { compareFields, isSameObject } from './compare.ts';
import { printConflicts } from './conflicts.ts';
import { dropFields } from './drop-fields.ts';
import { FieldSet } from './field-set.ts';
import { type FieldManager, managerKey, type Ownership, ownershipsOf, printOwnerships } from './managed-fields.ts';
import { mergeApplied } from './merge.ts';
import { contestedFields, ownersAfterWrite } from './take-fields.ts';
import { undeclaredFields } from './undeclared.ts';
import { keepOwnable, resetsOf, dropManagedFields } from './unowned.ts';

export type ApplyRequest = {
  /** The stored object; absent when the apply creates. */
  readonly live?: JsonObject;
  /** What the manager sends: its whole intent. */
  readonly applied: JsonObject;
  readonly schema: ValueSchema;
  readonly manager: string;
  readonly force: boolean;
  readonly apiVersion: string;
  readonly subresource?: string;
  /** RFC 3339, seconds. */
  readonly now: string;
};

/**
 * The result of an apply: the object with its new `metadata.managedFields`, before defaulting and validation; the
 * fields that other managers own (409); or a refusal of the request.
 */
export type ApplyOutcome =
  | { readonly kind: 'applied'; readonly object: JsonObject }
  | { readonly kind: 'conflict'; readonly message: string; readonly causes: readonly Cause[] }
  | { readonly kind: 'refused'; readonly code: 400 | 500; readonly reason?: string; readonly message: string };

/** Server-side apply. @see https://kubernetes.io/docs/reference/using-api/server-side-apply/ */
export function serverSideApply(given: ApplyRequest): ApplyOutcome {
  const request = { ...given, schema: withObjectMetadata(given.schema) };
  const refusal = refuseApplied(request);
  if (refusal !== undefined) return refusal;
  const { applied, schema, force } = request;
  const live = dropManagedFields(request.live ?? {});
  const writer = applierOf(request);
  const key = managerKey(writer);
  const before = trackedBefore(request);
  const fields = keepOwnable(appliedFields(schema, applied), resetsOf(request.subresource));
  const owners = new Map(before).set(key, { manager: writer, fields });
  const merged = mergedObject(request, { live, owners, given: before.get(key)?.fields ?? FieldSet.empty });
  const comparison = compareFields(schema, live, merged);
  const contested = contestedFields(owners, key, comparison);
  if (contested.size > 0 && !force) return { kind: 'conflict', ...conflictsOf(owners, contested) };
  const next = ownersAfterWrite(owners, key, comparison);
  const time = isSameObject(comparison) ? before.get(key)?.time : request.now;
  next.set(key, { manager: writer, ...(time !== undefined && { time }), fields });
  return { kind: 'applied', object: withOwners(merged, next) };
}

function refuseApplied({ applied, schema, apiVersion }: ApplyRequest): ApplyOutcome | undefined {
  if (isObject(applied['metadata']) && applied['metadata']['managedFields'] !== undefined) {
    return { kind: 'refused', code: 400, reason: 'BadRequest', message: 'metadata.managedFields must be nil' };
  }
  const complaints = undeclaredFields(schema, applied);
  if (complaints.length === 0) return undefined;
  const name = `${jsonTextAt(applied, 'metadata', 'namespace')}/${jsonTextAt(applied, 'metadata', 'name')}`;
  const version = apiVersion.includes('/') ? apiVersion : `/${apiVersion}`;
  const place = `(${name}; ${version}, Kind=${jsonTextAt(applied, 'kind')})`;
  return {
    kind: 'refused',
    code: 500,
    message: `failed to create typed patch object ${place}: ${printComplaints(complaints)}`,
  };
}

const printComplaints = (complaints: readonly string[]): string =>
  complaints.length === 1 ? (complaints[0] ?? '') : ['errors:', ...complaints.map((text) => `  ${text}`)].join('\n');

/** An object without recorded owners belongs to `before-first-apply` at its first apply. */
function trackedBefore({ live, schema, apiVersion, now }: ApplyRequest): Map<string, Ownership> {
  const owners = ownershipsOf(live);
  if (live === undefined || owners.size > 0) return owners;
  const manager: FieldManager = { manager: 'before-first-apply', operation: 'Update', apiVersion };
  const fields = keepOwnable(compareFields(schema, {}, dropManagedFields(live)).added, FieldSet.empty);
  return new Map([[managerKey(manager), { manager, time: now, fields }]]);
}

type MergeInput = {
  readonly live: JsonObject;
  readonly owners: ReadonlyMap<string, Ownership>;
  /** What the manager applied last time. */
  readonly given: FieldSet;
};

function mergedObject({ applied, schema }: ApplyRequest, { live, owners, given }: MergeInput): JsonObject {
  const merged = mergeApplied(schema, live, applied);
  const owned = [...owners.values()].reduce((all, { fields }) => all.union(fields), FieldSet.empty);
  return isObject(merged) && !given.isEmpty ? dropFields(schema, merged, { given, owned }) : toJsonObject(merged);
}

const toJsonObject = (value: JsonValue): JsonObject => (isObject(value) ? value : {});

const applierOf = ({ manager, apiVersion, subresource }: ApplyRequest): FieldManager => ({
  manager,
  operation: 'Apply',
  apiVersion,
  ...(subresource !== undefined && { subresource }),
});

const conflictsOf = (
  owners: ReadonlyMap<string, Ownership>,
  contested: ReadonlyMap<string, FieldSet>,
): { message: string; causes: Cause[] } =>
  printConflicts(
    [...contested].flatMap(([key, fields]) => {
      const owner = owners.get(key);
      return owner === undefined ? [] : [{ manager: owner.manager, fields }];
    }),
  );

function withOwners(object: JsonObject, owners: ReadonlyMap<string, Ownership>): JsonObject {
  const metadata = isObject(object['metadata']) ? object['metadata'] : {};
  return { ...object, metadata: { ...metadata, managedFields: printOwnerships(owners.values()) } };
}
