import { oncePerObject } from '@nodewright/apis';
import { type Cause, invalidCause, notSupportedCause, requiredCause, tooManyCause } from '../cause.ts';
import type { ValueCheck } from './check.ts';
import { checkCombinations } from './check-combinations.ts';
import { checkNumber, checkText } from './check-scalars.ts';
import { checkValueType } from './check-type.ts';
import { storedItem, storedMember } from './correlate.ts';
import { isEqualJson, isObject, type JsonValue, type JsonObject, memberOf } from '../json.ts';
import { causeField, itemPlace, memberPlace, type ValuePlace } from './place.ts';
import { memberSchema, type ValueSchema } from '../structural.ts';

/** Checks a value by its schema, without CEL rules and without repeated list items. */
export function checkValue(check: ValueCheck): Cause[] {
  const { schema, value, old, place } = check;
  if (old !== undefined && isEqualJson(value, old)) return [];
  const causes = checkValueType(schema, value, place);
  if (value === null) return causes;
  if (schema.enum !== undefined && !isAllowed(schema.enum, value)) {
    causes.push(notSupportedCause(causeField(place), value, schema.enum));
  }
  return [...causes, ...checkContent(check), ...checkCombinations(check, checkValue)];
}

const isAllowed = (allowed: readonly JsonValue[], value: JsonValue): boolean =>
  typeof value === 'string' ? textsIn(allowed).has(value) : allowed.some((each) => isEqualJson(each, value));

/** Schemas never change, and a list looks up each of its items. */
const textsIn = oncePerObject((allowed: readonly JsonValue[]): ReadonlySet<JsonValue> => new Set(allowed));

function checkContent(check: ValueCheck): Cause[] {
  const { schema, value, place } = check;
  if (typeof value === 'string') return checkText(schema, value, place);
  if (typeof value === 'number') return checkNumber(schema, value, place);
  if (Array.isArray(value)) return checkList(check, value);
  return isObject(value) ? checkMembers(check, value) : [];
}

function checkList({ schema, value, old, place }: ValueCheck, list: JsonValue[]): Cause[] {
  const { items, minItems, maxItems } = schema;
  const causes: Cause[] = [];
  if (maxItems !== undefined && list.length > maxItems) {
    causes.push(tooManyCause(causeField(place), { seen: list.length, most: maxItems }));
  }
  if (minItems !== undefined && list.length < minItems) {
    causes.push(
      invalidCause(causeField(place), list.length, `${place.path} in body should have at least ${minItems} items`),
    );
  }
  if (items === undefined || !Array.isArray(value)) return causes;
  const inside = list.flatMap((item, index) =>
    checkValue({ schema: items, value: item, old: storedItem(schema, old, item), place: itemPlace(place, index) }),
  );
  return [...causes, ...inside];
}

function checkMembers({ schema, old, place }: ValueCheck, value: JsonObject): Cause[] {
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

/** The members of an object of a wrong size are not checked. */
function sizeCause({ minProperties, maxProperties }: ValueSchema, seen: number, place: ValuePlace): Cause | undefined {
  if (minProperties !== undefined && seen < minProperties) {
    return invalidCause(
      causeField(place),
      seen,
      `${place.path} in body should have at least ${minProperties} properties`,
    );
  }
  if (maxProperties === undefined || seen <= maxProperties) return undefined;
  return tooManyCause(causeField(place), { seen, most: maxProperties });
}

function missingMembers(schema: ValueSchema, value: JsonObject, place: ValuePlace): Cause[] {
  const names = requiredNames(schema);
  if (names.every((name) => memberOf(value, name) !== undefined)) return [];
  return names
    .filter((name) => memberOf(value, name) === undefined)
    .map((name) => requiredCause(memberPlace(place, name).field));
}

const requiredNames = oncePerObject((schema: ValueSchema): readonly string[] => {
  const embedded = schema['x-kubernetes-embedded-resource'] === true ? ['apiVersion', 'kind'] : [];
  return [...new Set([...(schema.required ?? []), ...embedded])];
});
