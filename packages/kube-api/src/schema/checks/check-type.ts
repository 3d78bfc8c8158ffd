import { type Cause, invalidCause, typeInvalidCause } from '../cause.ts';
import type { JsonValue } from '../json.ts';
import { causeField, type ValuePlace } from './place.ts';
import type { ValueSchema } from '../structural.ts';

/** Checks the type of a value. A wrong integer has two causes: its type and its range. */
export function checkValueType(schema: ValueSchema, value: JsonValue, place: ValuePlace): Cause[] {
  const expected = expectedTypes(schema);
  if (expected.length === 0 || (value === null && schema.nullable === true)) return [];
  const kind = jsonTypeName(value);
  if (typeof value === 'number' && expected.includes('integer'))
    return checkInteger(schema, value, { place, expected });
  const fits = expected.includes(kind) || (kind === 'integer' && expected.includes('number'));
  return fits ? [] : [typeMismatchCause(place, { expected: expected.join(','), found: kind })];
}

type IntegerCheck = { readonly place: ValuePlace; readonly expected: readonly string[] };

function checkInteger(schema: ValueSchema, value: number, { place, expected }: IntegerCheck): Cause[] {
  const { format } = schema;
  const hasFormat = format === 'int32' || format === 'int64';
  // Go reads a number beyond 64 bits as a float.
  if (!Number.isInteger(value) || value >= 2 ** 63 || value < -(2 ** 63)) {
    const type = hasFormat
      ? typeMismatchCause(place, { expected: format, found: 'float64' })
      : typeMismatchCause(place, { expected: expected.join(','), found: 'number' });
    // For `integer or string` the alternatives report the range.
    return expected.length > 1
      ? [type]
      : [type, outOfFormat(place, hasFormat ? `with format ${format}` : '(default format)')];
  }
  const isTooLarge = format === 'int32' && (value > 2_147_483_647 || value < -2_147_483_648);
  return isTooLarge ? [outOfFormat(place, 'with format int32')] : [];
}

const outOfFormat = (place: ValuePlace, format: string): Cause =>
  invalidCause(place.root, '', `Checked value must be of type integer ${format} in ${place.path}`);

const typeMismatchCause = (place: ValuePlace, types: { readonly expected: string; readonly found: string }): Cause =>
  typeInvalidCause(
    causeField(place),
    types.found,
    `${place.path} in body must be of type ${types.expected}: ${JSON.stringify(types.found)}`,
  );

function expectedTypes(schema: ValueSchema): string[] {
  if (schema['x-kubernetes-int-or-string'] === true) return ['integer', 'string'];
  return schema.type === undefined || schema.type === '' ? [] : [schema.type];
}

/** The JSON type of a value, in the words of JSON schema. */
export function jsonTypeName(value: JsonValue): string {
  if (value === null) return 'null';
  if (Number.isInteger(value)) return 'integer';
  return Array.isArray(value) ? 'array' : typeof value;
}
