import { type Cause, duplicateCause, invalidCause, notSupportedCause, requiredCause } from '../../schema/cause.ts';
import { isEqualJson, isObject, type JsonValue, type JsonObject, memberOf } from '../../schema/json.ts';

export const jsonObjectsIn = (value: JsonValue | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

/** Validates that a present value is one of a few texts. Another check reports an absent value. */
export const validateChoice = (field: string, value: JsonValue | undefined, supported: readonly string[]): Cause[] =>
  value === undefined || (typeof value === 'string' && supported.includes(value))
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
