import { shareObject } from './shared-objects.ts';

/**
 * Values worked out from an object once, and kept for as long as the object lives.
 *
 * Guarantees: the function runs at most once for one object (one pair), and an object that nothing
 * else holds is forgotten with its value.
 *
 * Assumptions: the identity of an object is its version. An object that was read is never changed,
 * a change brings a new object, and what did not change stays the same object. The function is pure:
 * its answer depends on the object alone. Tests freeze what is watched or cached, so a violation throws.
 *
 * @see docs/adr/0007-identity-is-the-version.md
 */
export function oncePerObject<Source extends object, Value>(
  compute: (source: Source) => Value,
): (source: Source) => Value {
  const values = new WeakMap<Source, { readonly value: Value }>();
  return (source) => {
    const kept = values.get(source);
    if (kept !== undefined) return kept.value;
    const value = compute(shareObject(source));
    if (typeof value === 'object' && value !== null) shareObject(value);
    values.set(source, { value });
    return value;
  };
}

/** As `oncePerObject`, for a value that depends on two objects. Either one's end forgets it. */
export function oncePerPair<First extends object, Second extends object, Value>(
  compute: (first: First, second: Second) => Value,
): (first: First, second: Second) => Value {
  const valuesOf = oncePerObject((first: First) => oncePerObject((second: Second) => compute(first, second)));
  return (first, second) => valuesOf(first)(second);
}
