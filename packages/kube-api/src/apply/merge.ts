import { readOwn } from '@nodewright/apis';
import { isObject, type JsonValue, type JsonObject } from '../schema/json.ts';
import { memberSchema, type ValueSchema } from '../schema/structural.ts';
import { itemElement } from './field-path.ts';
import { isGranular } from './shape.ts';

/**
 * Merges an applied value into the stored one: applied leaves win, members and identified items merge, new items go
 * last.
 */
export function mergeApplied(
  schema: ValueSchema | undefined,
  live: JsonValue | undefined,
  applied: JsonValue,
): JsonValue {
  // A null leaves a map or a list as it is.
  if (applied === null && typeof live === 'object' && isGranular(schema, live)) return live;
  if (live === undefined || !isGranular(schema, live) || !isGranular(schema, applied)) return applied;
  if (Array.isArray(live) && Array.isArray(applied)) return mergeItems(schema ?? {}, live, applied);
  return isObject(live) && isObject(applied) ? mergeMembers(schema, live, applied) : applied;
}

function mergeMembers(schema: ValueSchema | undefined, live: JsonObject, applied: JsonObject): JsonObject {
  const merged = Object.entries(applied).map(([key, value]): [string, JsonValue] => [
    key,
    mergeApplied(memberSchema(schema, key), readOwn(live, key), value),
  ]);
  return { ...live, ...Object.fromEntries(merged) };
}

function mergeItems(schema: ValueSchema, live: JsonValue[], applied: JsonValue[]): JsonValue[] {
  const items = new Map(live.map((item) => [itemElement(schema, item), item]));
  for (const item of applied) {
    const element = itemElement(schema, item);
    items.set(element, mergeApplied(schema.items, items.get(element), item));
  }
  return [...items.values()];
}
