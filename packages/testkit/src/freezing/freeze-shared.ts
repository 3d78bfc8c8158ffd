/** What a frozen value holds frozen already. Each object is looked at once, however often it is shared. */
const frozen = new WeakSet<object>();

/**
 * Freezes a value with all that it holds: plain objects, lists, maps and sets. A change of it throws from then on.
 *
 * Objects of a class keep their own state and stay as they are.
 */
export function freezeShared(value: object): void {
  const waiting: object[] = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (frozen.has(next)) continue;
    frozen.add(next);
    const inner = freezeOne(next);
    for (const each of inner) if (typeof each === 'object' && each !== null && !frozen.has(each)) waiting.push(each);
  }
}

/** Freezes one object; what it holds. */
function freezeOne(value: object): Iterable<unknown> {
  if (value instanceof Map) return [...refuseChanges(value, ['set', 'delete', 'clear'])].flat();
  if (value instanceof Set) return refuseChanges(value, ['add', 'delete', 'clear']);
  if (!Array.isArray(value) && !isPlainObject(value)) return [];
  return Object.values<unknown>({ ...Object.freeze(value) });
}

function refuseChanges<Collection extends object>(collection: Collection, methods: readonly string[]): Collection {
  for (const name of methods) {
    Object.defineProperty(collection, name, {
      value: () => {
        throw new TypeError(`a shared collection is not changed: ${name}`);
      },
    });
  }
  return collection;
}

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
