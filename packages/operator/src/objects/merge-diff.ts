import { readOwn } from '@nodewright/apis';

type DiffValue = unknown;

/**
 * The RFC 7386 merge patch that turns `before` into `after`; `undefined` when nothing differs.
 *
 * Members that are gone are written as null; lists are replaced whole, as merge patches do.
 */
export function mergeDiff(before: DiffValue, after: DiffValue): DiffValue {
  if (before === after) return undefined;
  if (isPlainObject(before) && isPlainObject(after)) return objectDiff(before, after);
  return isEqualDiffValue(before, after) || (isEmptyValue(before) && isEmptyValue(after)) ? undefined : (after ?? null);
}

/** The API server leaves empty lists out: a controller that writes one finds none, and would write it for ever. */
const isEmptyValue = (value: DiffValue): boolean => value === undefined || (Array.isArray(value) && value.length === 0);

function objectDiff(before: Record<string, DiffValue>, after: Record<string, DiffValue>): DiffValue {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted();
  const changes = keys.flatMap((key) => {
    const change = mergeDiff(readOwn(before, key), readOwn(after, key));
    return change === undefined ? [] : [[key, change] as const];
  });
  return changes.length === 0 ? undefined : Object.fromEntries(changes);
}

/** Deep equality of JSON values; a member that is undefined is not there. */
export function isEqualDiffValue(a: DiffValue, b: DiffValue): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => isEqualDiffValue(item, b[index]));
  }
  if (!isPlainObject(a) || !isPlainObject(b)) return false;
  for (const key in a) if (!isEqualDiffValue(readOwn(a, key), readOwn(b, key))) return false;
  for (const key in b) if (!Object.hasOwn(a, key) && readOwn(b, key) !== undefined) return false;
  return true;
}

const isPlainObject = (value: DiffValue): value is Record<string, DiffValue> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
