import { type Cause, invalidCause, tooLongCause, typeInvalidCause } from '../cause.ts';
import { hasFormat } from '../formats.ts';
import { causeField, type ValuePlace } from './place.ts';
import { RegularExpressions } from '../regular-expressions.ts';
import type { ValueSchema } from '../structural.ts';

const patternExpressions = new RegularExpressions();

/**
 * Checks the length in characters, the pattern and the format of a text. Of length and pattern, the first failure is
 * reported.
 */
export function checkText(schema: ValueSchema, value: string, place: ValuePlace): Cause[] {
  const { format } = schema;
  const shape = shapeCause(schema, value, place);
  const causes = shape === undefined ? [] : [shape];
  if (format === undefined || hasFormat(format, value)) return causes;
  const detail = `${place.path} in body must be of type ${format}: ${JSON.stringify(value)}`;
  return [...causes, typeInvalidCause(causeField(place), value, detail)];
}

function shapeCause(schema: ValueSchema, value: string, place: ValuePlace): Cause | undefined {
  const { maxLength, minLength, pattern } = schema;
  if (maxLength === undefined && minLength === undefined && pattern === undefined) return undefined;
  const says = (detail: string): Cause => invalidCause(causeField(place), value, `${place.path} in body ${detail}`);
  const length = Array.from(value).length;
  if (maxLength !== undefined && length > maxLength) return tooLongCause(causeField(place), maxLength);
  if (minLength !== undefined && length < minLength) return says(`should be at least ${minLength} chars long`);
  const matches = pattern === undefined || patternExpressions.matches(value, pattern);
  return matches ? undefined : says(`should match '${pattern}'`);
}

/** Checks the bounds of a number. */
export function checkNumber(schema: ValueSchema, value: number, place: ValuePlace): Cause[] {
  const { minimum, maximum, multipleOf } = schema;
  if (minimum === undefined && maximum === undefined && multipleOf === undefined) return [];
  const says = (detail: string): Cause =>
    invalidCause(causeField(place), value, `${place.path} in body should be ${detail}`);
  const [isBelow, least] = checkBound(schema.exclusiveMinimum, value, minimum, 'greater');
  const [isAbove, most] = checkBound(
    schema.exclusiveMaximum,
    -value,
    maximum === undefined ? undefined : -maximum,
    'less',
  );
  return [
    ...(isBelow ? [says(`${least} ${minimum}`)] : []),
    ...(isAbove ? [says(`${most} ${maximum}`)] : []),
    ...(multipleOf !== undefined && value % multipleOf !== 0 ? [says(`a multiple of ${multipleOf}`)] : []),
  ];
}

function checkBound(
  isExclusive: boolean | undefined,
  value: number,
  limit: number | undefined,
  word: string,
): [isBroken: boolean, relation: string] {
  if (limit === undefined) return [false, ''];
  return isExclusive === true ? [value <= limit, `${word} than`] : [value < limit, `${word} than or equal to`];
}
