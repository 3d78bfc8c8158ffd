import { readOwn } from '@nodewright/apis';
import { isObject, type Json, type JsonObject } from '../schema/json.ts';
import { memberSchema, type StructuralSchema } from '../schema/structural.ts';
import { itemElement } from './field-path.ts';
import { isGranular } from './shape.ts';

/** Lays an applied value over the stored one: leaves win, members and identified items merge, new items go last. */
export function mergeApplied(schema: StructuralSchema | undefined, live: Json | undefined, applied: Json): Json {
  if (live === undefined || !isGranular(schema, live) || !isGranular(schema, applied)) return applied;
  if (Array.isArray(live) && Array.isArray(applied)) return mergeItems(schema ?? {}, live, applied);
  return isObject(live) && isObject(applied) ? mergeMembers(schema, live, applied) : applied;
}

function mergeMembers(schema: StructuralSchema | undefined, live: JsonObject, applied: JsonObject): JsonObject {
  const merged = Object.entries(applied).map(([key, value]): [string, Json] => [
    key,
    mergeApplied(memberSchema(schema, key), readOwn(live, key), value),
  ]);
  return { ...live, ...Object.fromEntries(merged) };
}

function mergeItems(schema: StructuralSchema, live: Json[], applied: Json[]): Json[] {
  const items = new Map(live.map((item) => [itemElement(schema, item), item]));
  for (const item of applied) {
    const element = itemElement(schema, item);
    items.set(element, mergeApplied(schema.items, items.get(element), item));
  }
  return [...items.values()];
}
