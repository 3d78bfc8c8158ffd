import { isQuantity, parseQuantity } from '@nodewright/apis';
import {
  type Cause,
  duplicateCause,
  forbiddenCause,
  invalidCause,
  notSupportedCause,
  requiredCause,
} from '../../schema/cause.ts';
import { isEqualJson, isObject, type JsonValue, type JsonObject, jsonTextAt, memberOf } from '../../schema/json.ts';
import type { NameRule } from '../../schema/metadata/names.ts';

export const jsonObjectsIn = (value: JsonValue | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

/** Validates that a present value is one of a few texts. Another check reports an absent value. */
export const validateChoice = (field: string, value: JsonValue | undefined, supported: readonly string[]): Cause[] =>
  value === undefined || value === null || (typeof value === 'string' && supported.includes(value))
    ? []
    : [notSupportedCause(field, value, supported)];

export const validatePresence = (field: string, value: JsonValue | undefined): Cause[] =>
  value === undefined || value === null || value === '' ? [requiredCause(field)] : [];

export const validateNotNegative = (field: string, value: JsonValue | undefined): Cause[] =>
  typeof value === 'number' && value < 0 ? [invalidCause(field, value, 'must be greater than or equal to 0')] : [];

export const validatePort = (field: string, value: JsonValue | undefined): Cause[] =>
  typeof value === 'number' && (value < 1 || value > 65_535)
    ? [invalidCause(field, value, 'must be between 1 and 65535, inclusive')]
    : [];

export const validateImmutable = (
  field: string,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): Cause[] => (isEqualJson(before, after) ? [] : [invalidCause(field, after ?? null, 'field is immutable')]);

/** Reports every name that occurs more than once in a list, at its position. */
export function validateUniqueNames(field: string, list: readonly JsonObject[], key = 'name'): Cause[] {
  const known = new Set<JsonValue>();
  return list.flatMap((item, index) => {
    const name = memberOf(item, key) ?? '';
    const isRepeated = known.has(name) && name !== '';
    known.add(name);
    return isRepeated ? [duplicateCause(`${field}[${index}].${key}`, name)] : [];
  });
}

export type CheckAt<Value> = (value: Value, field: string) => Cause[];

const fieldInside = (field: string, key: string): string => (field === '' ? key : `${field}.${key}`);

/** Checks each object in a list of an object, with its field. */
export const checkEachItem = (
  object: JsonValue | undefined,
  key: string,
  field: string,
  check: CheckAt<JsonObject>,
): Cause[] =>
  jsonObjectsIn(memberOf(object, key)).flatMap((item, index) => check(item, `${fieldInside(field, key)}[${index}]`));

/** Checks an object in another one, if it is there. */
export function checkMember(
  object: JsonValue | undefined,
  key: string,
  field: string,
  check: CheckAt<JsonObject>,
): Cause[] {
  const member = memberOf(object, key);
  return isObject(member) ? check(member, fieldInside(field, key)) : [];
}

/** Checks each text in a list of texts. */
export const checkEachText = (list: JsonValue | undefined, field: string, check: CheckAt<string>): Cause[] =>
  jsonTextsIn(list).flatMap((text, index) => check(text, `${field}[${index}]`));

export const jsonTextsIn = (list: JsonValue | undefined): string[] =>
  Array.isArray(list) ? list.filter((item) => typeof item === 'string') : [];

export const lengthOfList = (list: JsonValue | undefined): number => (Array.isArray(list) ? list.length : 0);

/** Validates the text of a field by the rule for names. */
export const validateNamed = (field: string, text: string, rule: NameRule): Cause[] =>
  rule(text).map((problem) => invalidCause(field, text, problem));

/** Validates a text that must be there. */
export const validateRequiredName = (field: string, object: JsonValue | undefined, rule: NameRule): Cause[] => {
  const text = jsonTextAt(object, field.slice(field.lastIndexOf('.') + 1));
  return text === '' ? [requiredCause(field)] : validateNamed(field, text, rule);
};

/** Validates a text that may be left out. */
export const validateOptionalName = (field: string, object: JsonValue | undefined, rule: NameRule): Cause[] => {
  const text = jsonTextAt(object, field.slice(field.lastIndexOf('.') + 1));
  return text === '' ? [] : validateNamed(field, text, rule);
};

/** Validates a text that may be left out. An empty one is none. */
export const validateNameIfPresent = (field: string, text: JsonValue | undefined, rule: NameRule): Cause[] =>
  typeof text === 'string' ? validateNamed(field, text, rule) : [];

/** Validates that several counts of an object are not negative. */
export const validateCounts = (object: JsonValue | undefined, field: string, keys: readonly string[]): Cause[] =>
  keys.flatMap((key) => validateNotNegative(fieldInside(field, key), memberOf(object, key)));

export const validateRange = (
  field: string,
  value: JsonValue | undefined,
  { least, most }: { readonly least: number; readonly most: number },
): Cause[] =>
  typeof value === 'number' && (value < least || value > most)
    ? [invalidCause(field, value, `must be between ${least} and ${most}, inclusive`)]
    : [];

/** Refuses each of several members that have no meaning here. */
export const forbidMembers = (
  object: JsonValue | undefined,
  field: string,
  keys: readonly string[],
  because: string,
): Cause[] =>
  keys
    .filter((key) => memberOf(object, key) !== undefined)
    .map((key) => forbiddenCause(fieldInside(field, key), because));

/** The amount of a quantity; undefined for what is none. */
export const amountNanos = (amount: JsonValue | undefined): bigint | undefined =>
  (typeof amount === 'string' || typeof amount === 'number') && isQuantity(amount)
    ? parseQuantity(amount).nanos
    : undefined;

export const amountText = (amount: JsonValue): string => (typeof amount === 'string' ? amount : JSON.stringify(amount));

export const validatePositiveAmount = (
  field: string,
  amount: JsonValue | undefined,
  problem = 'must be greater than zero',
): Cause[] => {
  const nanos = amountNanos(amount);
  return amount === undefined || nanos === undefined || nanos > 0n
    ? []
    : [invalidCause(field, amountText(amount), problem)];
};

export const membersOf = (value: JsonValue | undefined): [string, JsonValue][] =>
  isObject(value) ? Object.entries(value) : [];

export const hasMembers = (value: JsonValue | undefined): boolean => membersOf(value).length > 0;
