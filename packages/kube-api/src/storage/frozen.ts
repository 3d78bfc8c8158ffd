/**
 * Freezes a value of plain objects and lists. Readers in the same process share the stored object. A new version
 * shares most parts with the previous one, and parts that are already frozen are skipped.
 */
export function freezeDeep<T extends object>(value: T): T {
  if (Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const inner of Object.values<unknown>(value as Readonly<Record<string, unknown>>)) {
    if (typeof inner === 'object' && inner !== null) freezeDeep(inner);
  }
  return value;
}
