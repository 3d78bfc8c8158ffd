import { readOwn } from '@nodewright/apis';
import { isObject, type JsonValue, type JsonObject, memberOf } from '../schema/json.ts';
import { memberSchema, type ValueSchema } from '../schema/structural.ts';
import { deletionPrefix, isDirective, orderPrefix, dropDirectives } from './directives.ts';
import { goText } from '../schema/go-text.ts';
import { inPatchOrder } from './element-order.ts';
import { mergeKeyOf } from './merge-key.ts';
import { unmarshalError } from './merge-patch.ts';
import { badPatchOutcome, brokenPatchOutcome, type PatchOutcome, patchedOutcome } from './outcome.ts';
import { PatchFailure } from './patch-failure.ts';

export type StrategicMerge = {
  readonly doc: JsonValue;
  readonly patch: JsonValue;
  /** The built-in kind's schema: its merge keys and patch strategies decide how lists merge. */
  readonly schema: ValueSchema;
};

/**
 * Applies a strategic merge patch to a built-in kind. Lists with a merge key merge item by item, and the directives
 * `$patch`, `$retainKeys`, `$deleteFromPrimitiveList/<list>` and `$setElementOrder/<list>` apply.
 * @see
 * https://github.com/kubernetes/community/blob/master/contributors/devel/sig-api-machinery/strategic-merge-patch.md
 */
export function applyStrategicMergePatch({ doc, patch, schema }: StrategicMerge): PatchOutcome {
  if (!isObject(patch)) return badPatchOutcome(`error decoding patch: ${unmarshalError(patch)}`);
  try {
    return patchedOutcome(mergedMap(isObject(doc) ? doc : {}, patch, schema));
  } catch (failure) {
    if (failure instanceof PatchFailure) return brokenPatchOutcome(failure.message);
    throw failure;
  }
}

function mergedMap(original: JsonObject, patch: JsonObject, schema: ValueSchema | undefined): JsonObject {
  const directive = memberOf(patch, '$patch');
  if (directive === 'delete') return {};
  if (directive === 'replace') return plainObject(patch);
  if (directive !== undefined && directive !== 'merge')
    throw new PatchFailure(`unknown patch type found: ${goText(directive)}`);
  const result = new Map(Object.entries(retained(original, patch)));
  const ordered = orderedLists(result, patch, schema);
  for (const [key, change] of Object.entries(patch)) {
    if (key.startsWith(deletionPrefix)) deleteValues(result, key.slice(deletionPrefix.length), change);
    else if (!isDirective(key) && !ordered.has(key)) mergeMember(result, key, change, memberSchema(schema, key));
  }
  return Object.fromEntries(result);
}

function mergeMember(
  result: Map<string, JsonValue>,
  key: string,
  change: JsonValue,
  schema: ValueSchema | undefined,
): void {
  const before = result.get(key);
  if (change === null) result.delete(key);
  else if (isObject(before) && isObject(change)) result.set(key, mergedMap(before, change, schema));
  else if (Array.isArray(before) && Array.isArray(change)) result.set(key, mergedList(before, change, schema));
  else result.set(key, dropDirectives(change));
}

/** Only the members that `$retainKeys` names remain. */
function retained(original: JsonObject, patch: JsonObject): JsonObject {
  const listed = memberOf(patch, '$retainKeys');
  if (!Array.isArray(listed)) return original;
  const keys: ReadonlySet<JsonValue> = new Set(listed);
  const stray = Object.keys(patch).find((key) => !isDirective(key) && readOwn(patch, key) !== null && !keys.has(key));
  if (stray !== undefined) throw new PatchFailure('patch contains fields not in retainKeys list');
  return Object.fromEntries(Object.entries(original).filter(([key]) => keys.has(key)));
}

function deleteValues(result: Map<string, JsonValue>, key: string, values: JsonValue): void {
  const before = result.get(key);
  if (!Array.isArray(before) || !Array.isArray(values)) return;
  const deleted = new Set(values);
  result.set(
    key,
    before.filter((value) => !deleted.has(value)),
  );
}

/** Merges the lists for which the patch gives an order, and returns their names. */
function orderedLists(result: Map<string, JsonValue>, patch: JsonObject, schema: ValueSchema | undefined): Set<string> {
  const done = new Set<string>();
  for (const [key, order] of Object.entries(patch)) {
    if (!key.startsWith(orderPrefix) || !Array.isArray(order)) continue;
    const name = key.slice(orderPrefix.length);
    const listSchema = memberSchema(schema, name);
    const before = result.get(name);
    const change = memberOf(patch, name);
    const merged = listOrNone(before, change, listSchema);
    if (merged === undefined) continue;
    const original = Array.isArray(before) ? before : [];
    result.set(name, inPatchOrder({ merged, patchOrder: order, original, mergeKey: mergeKeyOf(listSchema) }));
    done.add(name);
  }
  return done;
}

function listOrNone(
  before: JsonValue | undefined,
  change: JsonValue | undefined,
  schema: ValueSchema | undefined,
): JsonValue[] | undefined {
  if (Array.isArray(before)) return Array.isArray(change) ? mergedList(before, change, schema) : before;
  return Array.isArray(change) ? change.filter((item) => !isItemDirective(item)).map(dropDirectives) : undefined;
}

function mergedList(original: JsonValue[], patch: JsonValue[], schema: ValueSchema | undefined): JsonValue[] {
  if (schema?.['x-kubernetes-patch-strategy']?.includes('merge') !== true) return patch.map(dropDirectives);
  const mergeKey = mergeKeyOf(schema);
  if (mergeKey === undefined) return mergedValues(original, patch);
  const items = patch.filter(isObject);
  if (items.some((item) => memberOf(item, '$patch') === 'replace')) {
    return items.filter((item) => memberOf(item, '$patch') === undefined).map(dropDirectives);
  }
  const deleted = items.filter((item) => memberOf(item, '$patch') === 'delete').map((item) => keyValue(item, mergeKey));
  const deletedKeys = new Set(deleted);
  const kept = original.filter((item) => !deletedKeys.has(memberOf(item, mergeKey) ?? null));
  const changes = items.filter((item) => memberOf(item, '$patch') !== 'delete');
  const merged = mergedItems(kept, changes, { mergeKey, schema: schema.items });
  return inPatchOrder({ merged, patchOrder: changes, original, mergeKey });
}

/** A list of plain values merges as a set. */
function mergedValues(original: JsonValue[], patch: JsonValue[]): JsonValue[] {
  const merged = [...new Set([...original, ...patch])];
  return inPatchOrder({ merged, patchOrder: patch, original, mergeKey: undefined });
}

type ItemRule = { readonly mergeKey: string; readonly schema: ValueSchema | undefined };

function mergedItems(original: JsonValue[], changes: JsonObject[], { mergeKey, schema }: ItemRule): JsonValue[] {
  const merged = [...original];
  // The first item of a key is the one that changes.
  const indexes = new Map(original.map((item, index) => [memberOf(item, mergeKey), index] as const).toReversed());
  for (const change of changes) {
    const name = keyValue(change, mergeKey);
    const index = indexes.get(name) ?? merged.length;
    const before = merged[index];
    if (isObject(before)) merged[index] = mergedMap(before, change, schema);
    else merged.push(dropDirectives(change));
    indexes.set(name, index);
  }
  return merged;
}

function keyValue(item: JsonObject, mergeKey: string): JsonValue {
  const value = memberOf(item, mergeKey);
  if (value === undefined)
    throw new PatchFailure(`map: ${goText(item)} does not contain declared merge key: ${mergeKey}`);
  return value;
}

const isItemDirective = (item: JsonValue): boolean => memberOf(item, '$patch') === 'delete';

function plainObject(patch: JsonObject): JsonObject {
  const value = dropDirectives(patch);
  return isObject(value) ? value : {};
}
