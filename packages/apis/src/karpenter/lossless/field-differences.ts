import { readOwn } from '../../values/own-property.ts';

/**
 * Where a value is not what it was: a whole value, or the items of a list by pairs. A side without a value has no
 * member. The paths are names of members.
 */
export type FieldDifference =
  | { readonly at: readonly string[]; readonly was?: unknown; readonly is?: unknown }
  | { readonly at: readonly string[]; readonly items: readonly ItemPair[] };

type ItemPair = { readonly was: unknown; readonly is: unknown };

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What turns one value of JSON into the other. */
export function listFieldDifferences(
  was: unknown,
  is: unknown,
  at: readonly string[] = [],
): readonly FieldDifference[] {
  if (isEqualField(was, is)) return [];
  if (isMembers(was) && isMembers(is)) {
    const names = [...new Set([...Object.keys(was), ...Object.keys(is)])].toSorted();
    return names.flatMap((name) => listFieldDifferences(readOwn(was, name), readOwn(is, name), [...at, name]));
  }
  if (Array.isArray(was) && Array.isArray(is) && was.length === is.length) {
    return [{ at, items: was.map((item: unknown, index) => ({ was: item, is: is[index] as unknown })) }];
  }
  return [{ at, ...(was === undefined ? {} : { was }), ...(is === undefined ? {} : { is }) }];
}

/** The value with every difference taken over whose place still has what was there; other places keep what they have. */
export const restoreFields = (value: unknown, differences: readonly FieldDifference[]): unknown =>
  differences.reduce((restored, difference) => restoreAt(restored, difference.at, difference), value);

function restoreAt(value: unknown, [name, ...rest]: readonly string[], difference: FieldDifference): unknown {
  if (name === undefined)
    return 'items' in difference ? restoreItems(value, difference.items) : restoreWhole(value, difference);
  if (!isMembers(value)) return value;
  const before = readOwn(value, name);
  const after = restoreAt(before, rest, difference);
  if (after === before) return value;
  const others = Object.entries(value).filter(([each]) => each !== name);
  return Object.fromEntries(after === undefined ? others : [...others, [name, after]]);
}

const restoreWhole = (value: unknown, { was, is }: { readonly was?: unknown; readonly is?: unknown }): unknown =>
  isEqualField(value, was) ? is : value;

/** Items may have moved, come or gone; each pair serves one item. */
function restoreItems(value: unknown, pairs: readonly ItemPair[]): unknown {
  if (!Array.isArray(value)) return value;
  const left = [...pairs];
  return value.map((item: unknown) => {
    const place = left.findIndex(({ was }) => isEqualField(was, item));
    return place < 0 ? item : left.splice(place, 1)[0]?.is;
  });
}

/** Whether two values of JSON are equal; the order of members does not count. */
function isEqualField(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => isEqualField(item, b[index]));
  }
  if (!isMembers(a) || !isMembers(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && isEqualField(readOwn(a, name), readOwn(b, name)))
  );
}

/** Differences as an annotation has them; `undefined` where the text is none, because any client may write an annotation. */
export function parseFieldDifferences(text = ''): readonly FieldDifference[] | undefined {
  const value = parseAnyText(text);
  return Array.isArray(value) && value.every(isFieldDifference) ? value : undefined;
}

function parseAnyText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isFieldDifference(value: unknown): value is FieldDifference {
  if (!isMembers(value) || !Array.isArray(value['at'])) return false;
  const { at, items } = value;
  if (!at.every((name) => typeof name === 'string')) return false;
  return items === undefined || (Array.isArray(items) && items.every(isMembers));
}
