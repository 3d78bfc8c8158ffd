/**
 * Maps whose keys are words of users: labels, annotations, resources, tags, members of a JSON object.
 *
 * A plain object answers `constructor`, `toString` or `hasOwnProperty` with what it inherits from `Object.prototype`,
 * and an assignment to `__proto__` changes its prototype instead of its members. All maps keyed by users' words are
 * read, written and merged with these functions; an architecture test holds every package to that.
 */

/** The member `key` that `record` itself has; an inherited one counts as absent. */
export function readOwn<V>(record: Readonly<Record<string, V>> | null | undefined, key: string): V | undefined {
  const value = record?.[key];
  // `Object.prototype` holds functions and `__proto__` only, so that most reads need no second look.
  if (typeof value !== 'function' && key !== '__proto__') return value;
  return record !== null && record !== undefined && Object.hasOwn(record, key) ? value : undefined;
}

/** Sets the member `key` of `record`; `__proto__` becomes a member as every other word does. */
export function writeOwn<V>(record: Record<string, V>, key: string, value: V): void {
  if (key === '__proto__') {
    Object.defineProperty(record, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    record[key] = value;
  }
}

/** A new record with the members of all; later ones win. `Object.assign` would lose a member `__proto__`. */
export function mergeRecords<V>(records: readonly (Readonly<Record<string, V>> | undefined)[]): Record<string, V> {
  return Object.fromEntries(records.flatMap((record) => Object.entries(record ?? {})));
}
