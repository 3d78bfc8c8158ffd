import { type Cause, duplicateCause } from '../cause.ts';
import { storedItem, storedMember } from './correlate.ts';
import { isEqualJson, isObject, type JsonValue, memberOf } from '../json.ts';
import { itemPlace, memberPlace, type ValuePlace } from './place.ts';
import { memberSchema, type ValueSchema } from '../structural.ts';

type ListCheck = {
  readonly schema: ValueSchema;
  readonly value: JsonValue;
  readonly old: JsonValue | undefined;
  readonly place: ValuePlace;
};

/** Reports repeated items in lists of type `set` and `map`. */
export function checkLists(check: ListCheck): Cause[] {
  const { schema, value, old, place } = check;
  if (old !== undefined && isEqualJson(value, old)) return [];
  if (Array.isArray(value)) return [...duplicateItems(check, value), ...insideItems(check, value)];
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const known = memberSchema(schema, key);
    if (known === undefined) return [];
    return checkLists({
      schema: known,
      value: inner,
      old: storedMember(schema, old, key),
      place: memberPlace(place, key),
    });
  });
}

function insideItems({ schema, old, place }: ListCheck, list: JsonValue[]): Cause[] {
  const { items } = schema;
  if (items === undefined) return [];
  return list.flatMap((item, index) =>
    checkLists({ schema: items, value: item, old: storedItem(schema, old, item), place: itemPlace(place, index) }),
  );
}

function duplicateItems({ schema, place }: ListCheck, list: JsonValue[]): Cause[] {
  const identity = itemIdentity(schema);
  if (identity === undefined) return [];
  const counts = new Map<string, number>();
  return list.flatMap((item, index) => {
    const id = identity(item);
    const text = JSON.stringify(id);
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    // A repeated item is reported once, however often it occurs.
    return count === 2 ? [duplicateCause(itemPlace(place, index).field, id)] : [];
  });
}

function itemIdentity(schema: ValueSchema): ((item: JsonValue) => JsonValue) | undefined {
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  if (schema['x-kubernetes-list-type'] === 'set') return (item) => item;
  if (schema['x-kubernetes-list-type'] !== 'map') return undefined;
  return (item) => Object.fromEntries(keys.map((key): [string, JsonValue] => [key, memberOf(item, key) ?? null]));
}
