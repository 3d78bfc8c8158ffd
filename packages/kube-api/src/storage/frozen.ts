/**
 * Freezes a value made of plain objects and lists, as far as it is not frozen yet: readers in the same process get what is
 * stored, not a copy. A new version shares most of its parts with the one before, so that there is little to do.
 */
export function frozen<T extends object>(value: T): T {
  if (Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const inner of Object.values<unknown>(value as Readonly<Record<string, unknown>>)) {
    if (typeof inner === 'object' && inner !== null) frozen(inner);
  }
  return value;
}
