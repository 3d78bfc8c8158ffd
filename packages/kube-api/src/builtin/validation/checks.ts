import { type Cause, duplicate, invalid, notSupported, required } from '../../schema/cause.ts';
import { equal, isObject, type Json, type JsonObject, member } from '../../schema/json.ts';

export const objectsIn = (value: Json | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

/** A value that has to be one of a few texts; an absent one is somebody else's business. */
export const oneOf = (field: string, value: Json | undefined, supported: readonly string[]): Cause[] =>
  value === undefined || (typeof value === 'string' && supported.includes(value))
    ? []
    : [notSupported(field, value, supported)];

export const present = (field: string, value: Json | undefined): Cause[] =>
  value === undefined || value === null || value === '' ? [required(field)] : [];

export const notNegative = (field: string, value: Json | undefined): Cause[] =>
  typeof value === 'number' && value < 0 ? [invalid(field, value, 'must be greater than or equal to 0')] : [];

export const isPort = (field: string, value: Json | undefined): Cause[] =>
  typeof value === 'number' && (value < 1 || value > 65_535)
    ? [invalid(field, value, 'must be between 1 and 65535, inclusive')]
    : [];

export const immutable = (field: string, before: Json | undefined, after: Json | undefined): Cause[] =>
  equal(before, after) ? [] : [invalid(field, after ?? null, 'field is immutable')];

/** Names that occur more than once in a list, each at its place. */
export function repeatedNames(field: string, list: readonly JsonObject[], key = 'name'): Cause[] {
  const names = list.map((item) => member(item, key) ?? '');
  return names.flatMap((name, index) =>
    names.indexOf(name) < index && name !== '' ? [duplicate(`${field}[${index}].${key}`, name)] : [],
  );
}
