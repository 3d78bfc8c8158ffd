import { type Cause, invalid, notSupported, required, tooMany } from '../cause.ts';
import type { Check } from './check.ts';
import { checkCombinations } from './check-combinations.ts';
import { checkNumber, checkText } from './check-scalars.ts';
import { checkType } from './check-type.ts';
import { storedItem, storedMember } from './correlate.ts';
import { equal, isObject, type Json, type JsonObject, member } from '../json.ts';
import { fieldOf, itemPlace, memberPlace, type Place } from './place.ts';
import { memberSchema, type StructuralSchema } from '../structural.ts';

/** What a schema says against a value, without its CEL rules and without duplicates in lists. */
export function checkValue(check: Check): Cause[] {
  const { schema, value, old, place } = check;
  if (old !== undefined && equal(value, old)) return [];
  const causes = checkType(schema, value, place);
  if (value === null) return causes;
  if (schema.enum !== undefined && !schema.enum.some((allowed) => equal(allowed, value))) {
    causes.push(notSupported(fieldOf(place), value, schema.enum));
  }
  return [...causes, ...checkContent(check), ...checkCombinations(check, checkValue)];
}

function checkContent(check: Check): Cause[] {
  const { schema, value, place } = check;
  if (typeof value === 'string') return checkText(schema, value, place);
  if (typeof value === 'number') return checkNumber(schema, value, place);
  if (Array.isArray(value)) return checkList(check, value);
  return isObject(value) ? checkMembers(check, value) : [];
}

function checkList({ schema, value, old, place }: Check, list: Json[]): Cause[] {
  const { items, minItems, maxItems } = schema;
  const causes: Cause[] = [];
  if (maxItems !== undefined && list.length > maxItems) {
    causes.push(tooMany(fieldOf(place), { seen: list.length, most: maxItems }));
  }
  if (minItems !== undefined && list.length < minItems) {
    causes.push(invalid(fieldOf(place), list.length, `${place.path} in body should have at least ${minItems} items`));
  }
  if (items === undefined || !Array.isArray(value)) return causes;
  const inside = list.flatMap((item, index) =>
    checkValue({ schema: items, value: item, old: storedItem(schema, old, item), place: itemPlace(place, index) }),
  );
  return [...causes, ...inside];
}

function checkMembers({ schema, old, place }: Check, value: JsonObject): Cause[] {
  const size = sizeCause(schema, Object.keys(value).length, place);
  if (size !== undefined) return [size];
  const inside = Object.entries(value).flatMap(([key, inner]) => {
    const known = memberSchema(schema, key);
    if (known === undefined) return [];
    const stored = storedMember(schema, old, key);
    return checkValue({ schema: known, value: inner, old: stored, place: memberPlace(place, key) });
  });
  return [...missingMembers(schema, value, place), ...inside];
}

/** An object of a wrong size is not looked into. */
function sizeCause({ minProperties, maxProperties }: StructuralSchema, seen: number, place: Place): Cause | undefined {
  if (minProperties !== undefined && seen < minProperties) {
    return invalid(fieldOf(place), seen, `${place.path} in body should have at least ${minProperties} properties`);
  }
  if (maxProperties === undefined || seen <= maxProperties) return undefined;
  return tooMany(fieldOf(place), { seen, most: maxProperties });
}

function missingMembers(schema: StructuralSchema, value: JsonObject, place: Place): Cause[] {
  const embedded = schema['x-kubernetes-embedded-resource'] === true ? ['apiVersion', 'kind'] : [];
  const names = new Set([...(schema.required ?? []), ...embedded]);
  return [...names]
    .filter((name) => member(value, name) === undefined)
    .map((name) => required(memberPlace(place, name).field));
}
