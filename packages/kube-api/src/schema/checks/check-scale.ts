import { type Cause, invalidCause } from '../cause.ts';
import { goText } from '../go-text.ts';
import { isObject, type JsonValue, memberOf } from '../json.ts';

const largestCount = 2_147_483_647;

/**
 * Checks a count that the scale subresource of a custom resource reads: a whole number of 32 bits that is not
 * negative.
 * @param path JSON path such as `.spec.replicas`
 * @param isFloat whether the request wrote the number as a float: `2.0` is not a count
 */
export function checkScaleCount(
  value: JsonValue,
  path: string,
  isFloat: (path: string) => boolean = () => false,
): Cause[] {
  const found = findCount(value, path.split('.').slice(1));
  if (found.kind === 'absent') return [];
  if (found.kind === 'wrong') return [accessorError(path, found)];
  if (isFloat(path)) return [accessorError(path, { value: found.count, expected: 'int64' })];
  if (found.count < 0) return [invalidCause(path, found.count, 'should be a non-negative integer')];
  return found.count > largestCount
    ? [invalidCause(path, found.count, `should be less than or equal to ${largestCount}`)]
    : [];
}

const accessorError = (
  path: string,
  { value, expected }: { readonly value: JsonValue; readonly expected: string },
): Cause =>
  invalidCause(
    path,
    0,
    `${path} accessor error: ${goText(value)} is of the type ${goValueType(value)}, expected ${expected}`,
  );

type FoundCount =
  | { readonly kind: 'absent' }
  | { readonly kind: 'count'; readonly count: number }
  | { readonly kind: 'wrong'; readonly value: JsonValue; readonly expected: string };

function findCount(value: JsonValue, names: readonly string[]): FoundCount {
  let current: JsonValue = value;
  for (const name of names) {
    if (!isObject(current)) return { kind: 'wrong', value: current, expected: 'map[string]interface{}' };
    const next = memberOf(current, name);
    if (next === undefined) return { kind: 'absent' };
    current = next;
  }
  return typeof current === 'number' && Number.isInteger(current)
    ? { kind: 'count', count: current }
    : { kind: 'wrong', value: current, expected: 'int64' };
}

function goValueType(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  if (isObject(value)) return 'map[string]interface {}';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'number' ? 'float64' : 'string';
}
