const refuseChange = (): never => {
  throw new TypeError('a shared collection is not changed');
};
const refused = { value: refuseChange };

/** What a frozen map and a frozen set inherit: a map as any other, but for its changes. */
const frozenMap: object = Object.create(Map.prototype, { set: refused, delete: refused, clear: refused });
const frozenSet: object = Object.create(Set.prototype, { add: refused, delete: refused, clear: refused });

/**
 * Freezes a value with all that it holds: plain objects, lists, maps and sets. A change of it throws from then on.
 *
 * Objects of a class keep their own state and stay as they are.
 *
 * Assumptions: what is frozen already holds only what is frozen. No source freezes an object without what it holds.
 */
export function freezeShared(value: object): void {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Map.prototype) freezeMap(value as ReadonlyMap<unknown, unknown>);
  else if (prototype === Set.prototype) freezeSet(value as ReadonlySet<unknown>);
  else if (Array.isArray(value)) freezeList(value);
  else if (prototype === Object.prototype || prototype === null) freezeObject(value);
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

function freezeMap(map: ReadonlyMap<unknown, unknown>): void {
  Object.setPrototypeOf(map, frozenMap);
  for (const [key, each] of map) {
    if (typeof key === 'object' && key !== null) freezeShared(key);
    if (typeof each === 'object' && each !== null) freezeShared(each);
  }
}

function freezeSet(set: ReadonlySet<unknown>): void {
  Object.setPrototypeOf(set, frozenSet);
  for (const each of set) if (typeof each === 'object' && each !== null) freezeShared(each);
}
