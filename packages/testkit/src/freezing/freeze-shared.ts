/** Maps and sets that refuse changes. `Object.isFrozen` answers the same question for objects and lists. */
const sealedCollections = new WeakSet<object>();

/**
 * Freezes a value with all that it holds: plain objects, lists, maps and sets. A change of it throws from then on.
 *
 * Objects of a class keep their own state and stay as they are.
 *
 * Assumptions: what is frozen already holds only what is frozen. No source freezes an object without what it holds.
 */
export function freezeShared(value: object): void {
  if (value instanceof Map) freezeCollection(value, ['set', 'delete', 'clear']);
  else if (value instanceof Set) freezeCollection(value, ['add', 'delete', 'clear']);
  else if (Array.isArray(value)) freezeList(value);
  else if (isPlainObject(value)) freezeObject(value);
}

function freezeList(list: readonly unknown[]): void {
  if (Object.isFrozen(list)) return;
  Object.freeze(list);
  for (const each of list) if (typeof each === 'object' && each !== null) freezeShared(each);
}

function freezeObject(object: object): void {
  if (Object.isFrozen(object)) return;
  const inner: readonly unknown[] = Object.values(object);
  Object.freeze(object);
  for (const each of inner) if (typeof each === 'object' && each !== null) freezeShared(each);
}

function freezeCollection(
  collection: ReadonlyMap<unknown, unknown> | ReadonlySet<unknown>,
  changes: readonly string[],
): void {
  if (sealedCollections.has(collection)) return;
  sealedCollections.add(collection);
  for (const name of changes) {
    Object.defineProperty(collection, name, {
      value: () => {
        throw new TypeError(`a shared collection is not changed: ${name}`);
      },
    });
  }
  for (const [key, each] of collection.entries()) {
    if (typeof key === 'object' && key !== null) freezeShared(key);
    if (typeof each === 'object' && each !== null) freezeShared(each);
  }
}

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
