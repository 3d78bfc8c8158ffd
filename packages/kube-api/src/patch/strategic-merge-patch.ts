import { readOwn } from '@nodewright/apis';
import { isObject, type Json, type JsonObject, member } from '../schema/json.ts';
import { memberSchema, type StructuralSchema } from '../schema/structural.ts';
import { deletionPrefix, isDirective, orderPrefix, plain } from './directives.ts';
import { goText } from './go-text.ts';
import { inPatchOrder } from './element-order.ts';
import { mergeKeyOf } from './merge-key.ts';
import { unmarshalError } from './merge-patch.ts';
import { badPatch, brokenPatch, type PatchOutcome, patched } from './outcome.ts';
import { PatchFailure } from './patch-failure.ts';

export type StrategicMerge = {
  readonly doc: Json;
  readonly patch: Json;
  /** The built-in kind's schema: its merge keys and patch strategies decide how lists merge. */
  readonly schema: StructuralSchema;
};

/**
 * Strategic merge patch, for built-in kinds: lists with a merge key are merged item by item, and the directives
 * `$patch`, `$retainKeys`, `$deleteFromPrimitiveList/<list>` and `$setElementOrder/<list>` are followed.
 * @see https://github.com/kubernetes/community/blob/master/contributors/devel/sig-api-machinery/strategic-merge-patch.md
 */
export function strategicMergePatch({ doc, patch, schema }: StrategicMerge): PatchOutcome {
  if (!isObject(patch)) return badPatch(`error decoding patch: ${unmarshalError(patch)}`);
  try {
    return patched(mergedMap(isObject(doc) ? doc : {}, patch, schema));
  } catch (failure) {
    if (failure instanceof PatchFailure) return brokenPatch(failure.message);
    throw failure;
  }
}

function mergedMap(original: JsonObject, patch: JsonObject, schema: StructuralSchema | undefined): JsonObject {
  const directive = member(patch, '$patch');
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

function mergeMember(result: Map<string, Json>, key: string, change: Json, schema: StructuralSchema | undefined): void {
  const before = result.get(key);
  if (change === null) result.delete(key);
  else if (isObject(before) && isObject(change)) result.set(key, mergedMap(before, change, schema));
  else if (Array.isArray(before) && Array.isArray(change)) result.set(key, mergedList(before, change, schema));
  else result.set(key, plain(change));
}

/** `$retainKeys` names the only members that survive. */
function retained(original: JsonObject, patch: JsonObject): JsonObject {
  const listed = member(patch, '$retainKeys');
  if (!Array.isArray(listed)) return original;
  const keys: ReadonlySet<Json> = new Set(listed);
  const stray = Object.keys(patch).find((key) => !isDirective(key) && readOwn(patch, key) !== null && !keys.has(key));
  if (stray !== undefined) throw new PatchFailure('patch contains fields not in retainKeys list');
  return Object.fromEntries(Object.entries(original).filter(([key]) => keys.has(key)));
}

function deleteValues(result: Map<string, Json>, key: string, values: Json): void {
  const before = result.get(key);
  if (!Array.isArray(before) || !Array.isArray(values)) return;
  const deleted = new Set(values);
  result.set(
    key,
    before.filter((value) => !deleted.has(value)),
  );
}

/** Merges the lists whose order the patch dictates, and returns their names. */
function orderedLists(result: Map<string, Json>, patch: JsonObject, schema: StructuralSchema | undefined): Set<string> {
  const done = new Set<string>();
  for (const [key, order] of Object.entries(patch)) {
    if (!key.startsWith(orderPrefix) || !Array.isArray(order)) continue;
    const name = key.slice(orderPrefix.length);
    const listSchema = memberSchema(schema, name);
    const before = result.get(name);
    const change = member(patch, name);
    const merged = listOrNone(before, change, listSchema);
    if (merged === undefined) continue;
    const original = Array.isArray(before) ? before : [];
    result.set(name, inPatchOrder({ merged, patchOrder: order, original, mergeKey: mergeKeyOf(listSchema) }));
    done.add(name);
  }
  return done;
}

function listOrNone(
  before: Json | undefined,
  change: Json | undefined,
  schema: StructuralSchema | undefined,
): Json[] | undefined {
  if (Array.isArray(before)) return Array.isArray(change) ? mergedList(before, change, schema) : before;
  return Array.isArray(change) ? change.filter((item) => !isItemDirective(item)).map(plain) : undefined;
}

function mergedList(original: Json[], patch: Json[], schema: StructuralSchema | undefined): Json[] {
  if (schema?.['x-kubernetes-patch-strategy']?.includes('merge') !== true) return patch.map(plain);
  const mergeKey = mergeKeyOf(schema);
  if (mergeKey === undefined) return mergedValues(original, patch);
  const items = patch.filter(isObject);
  if (items.some((item) => member(item, '$patch') === 'replace')) {
    return items.filter((item) => member(item, '$patch') === undefined).map(plain);
  }
  const deleted = items.filter((item) => member(item, '$patch') === 'delete').map((item) => keyValue(item, mergeKey));
  const deletedKeys = new Set(deleted);
  const kept = original.filter((item) => !deletedKeys.has(member(item, mergeKey) ?? null));
  const changes = items.filter((item) => member(item, '$patch') !== 'delete');
  const merged = mergedItems(kept, changes, { mergeKey, schema: schema.items });
  return inPatchOrder({ merged, patchOrder: changes, original, mergeKey });
}

/** A list of plain values merges as a set. */
function mergedValues(original: Json[], patch: Json[]): Json[] {
  const merged = [...new Set([...original, ...patch])];
  return inPatchOrder({ merged, patchOrder: patch, original, mergeKey: undefined });
}

type ItemRule = { readonly mergeKey: string; readonly schema: StructuralSchema | undefined };

function mergedItems(original: Json[], changes: JsonObject[], { mergeKey, schema }: ItemRule): Json[] {
  const merged = [...original];
  // The first item of a key is the one that changes.
  const indexes = new Map(original.map((item, index) => [member(item, mergeKey), index] as const).toReversed());
  for (const change of changes) {
    const name = keyValue(change, mergeKey);
    const index = indexes.get(name) ?? merged.length;
    const before = merged[index];
    if (isObject(before)) merged[index] = mergedMap(before, change, schema);
    else merged.push(plain(change));
    indexes.set(name, index);
  }
  return merged;
}

function keyValue(item: JsonObject, mergeKey: string): Json {
  const value = member(item, mergeKey);
  if (value === undefined)
    throw new PatchFailure(`map: ${goText(item)} does not contain declared merge key: ${mergeKey}`);
  return value;
}

const isItemDirective = (item: Json): boolean => member(item, '$patch') === 'delete';

function plainObject(patch: JsonObject): JsonObject {
  const value = plain(patch);
  return isObject(value) ? value : {};
}
