import { type Cause, invalid, tooLong, typeInvalid } from '../cause.ts';
import { hasFormat } from '../formats.ts';
import { fieldOf, type Place } from './place.ts';
import { RegularExpressions } from '../regular-expressions.ts';
import type { StructuralSchema } from '../structural.ts';

const expressions = new RegularExpressions();

/** Length, in characters, pattern and format of a text. Of length and pattern only the first failure is told. */
export function checkText(schema: StructuralSchema, value: string, place: Place): Cause[] {
  const { format } = schema;
  const shape = shapeCause(schema, value, place);
  const detail = `${place.path} in body must be of type ${format}: ${JSON.stringify(value)}`;
  return [
    ...(shape === undefined ? [] : [shape]),
    ...(format !== undefined && !hasFormat(format, value) ? [typeInvalid(fieldOf(place), value, detail)] : []),
  ];
}

function shapeCause(schema: StructuralSchema, value: string, place: Place): Cause | undefined {
  const says = (detail: string): Cause => invalid(fieldOf(place), value, `${place.path} in body ${detail}`);
  const length = Array.from(value).length;
  const { maxLength, minLength, pattern } = schema;
  if (maxLength !== undefined && length > maxLength) return tooLong(fieldOf(place), maxLength);
  if (minLength !== undefined && length < minLength) return says(`should be at least ${minLength} chars long`);
  const matches = pattern === undefined || expressions.matches(value, pattern);
  return matches ? undefined : says(`should match '${pattern}'`);
}

/** Bounds of a number. */
export function checkNumber(schema: StructuralSchema, value: number, place: Place): Cause[] {
  const says = (detail: string): Cause => invalid(fieldOf(place), value, `${place.path} in body should be ${detail}`);
  const { minimum, maximum, multipleOf } = schema;
  const [isBelow, least] = bound(schema.exclusiveMinimum, value, minimum, 'greater');
  const [isAbove, most] = bound(schema.exclusiveMaximum, -value, maximum === undefined ? undefined : -maximum, 'less');
  return [
    ...(isBelow ? [says(`${least} ${minimum}`)] : []),
    ...(isAbove ? [says(`${most} ${maximum}`)] : []),
    ...(multipleOf !== undefined && value % multipleOf !== 0 ? [says(`a multiple of ${multipleOf}`)] : []),
  ];
}

function bound(
  isExclusive: boolean | undefined,
  value: number,
  limit: number | undefined,
  word: string,
): [isBroken: boolean, relation: string] {
  if (limit === undefined) return [false, ''];
  return isExclusive === true ? [value <= limit, `${word} than`] : [value < limit, `${word} than or equal to`];
}
