import { allowsValue, allowAnything, insideBounds, requireAbsent } from './requirement.ts';
import type { Requirement, Requirements } from './requirements.ts';

const largerBound = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined ? b : b === undefined ? a : Math.max(a, b);
const smallerBound = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined ? b : b === undefined ? a : Math.min(a, b);

/**
 * Allows exactly what both allow. Commutative and associative; `anything` is its identity, an
 * absence absorbs. Of two `minValues` the larger holds, even when nothing is left to count.
 * @param a and `b` speak about the same key
 */
export function intersectRequirements(a: Requirement, b: Requirement): Requirement {
  const atLeast = largerBound(a.atLeast, b.atLeast);
  const atMost = smallerBound(a.atMost, b.atMost);
  const minValues = largerBound(a.minValues, b.minValues);
  const complement = a.complement && b.complement;
  if (complement && excludesAll(a, b, { atLeast, atMost })) return requireAbsent(a.key, minValues);
  const bounds = { ...(atLeast === undefined ? {} : { atLeast }), ...(atMost === undefined ? {} : { atMost }) };
  return {
    key: a.key,
    complement,
    values: new Set(commonValues(a, b).filter((value) => insideBounds(bounds, value))),
    ...(complement ? bounds : {}),
    ...(complement && (a.defined ?? b.defined) ? { defined: true as const } : {}),
    ...(minValues === undefined ? {} : { minValues }),
  };
}

/** The values of the result: exclusions add up, lists keep what the other side admits. */
function commonValues(a: Requirement, b: Requirement): string[] {
  if (a.complement && b.complement) return [...a.values, ...b.values];
  const [list, other] = a.complement ? [b, a] : [a, b];
  return [...list.values].filter((value) => other.values.has(value) !== other.complement);
}

type RequirementBounds = { readonly atLeast: number | undefined; readonly atMost: number | undefined };

/** Whether two exclusions together leave no whole number between the bounds, as where the bounds cross. */
function excludesAll(
  a: Requirement,
  b: Requirement,
  { atLeast = -Infinity, atMost = Infinity }: RequirementBounds,
): boolean {
  // More numbers than exclusions: without this, unbounded ones would be counted for ever.
  if (atMost - atLeast >= a.values.size + b.values.size) return false;
  for (let number = atLeast; number <= atMost; number++) {
    if (!a.values.has(String(number)) && !b.values.has(String(number))) return false;
  }
  return true;
}

/** Whether the intersection leaves more than absence, told without building it. */
export function hasIntersection(a: Requirement, b: Requirement): boolean {
  const atLeast = largerBound(a.atLeast, b.atLeast);
  const atMost = smallerBound(a.atMost, b.atMost);
  if (a.complement && b.complement) return !excludesAll(a, b, { atLeast, atMost });
  const list = a.complement || (!b.complement && b.values.size < a.values.size) ? b : a;
  const other = list === a ? b : a;
  for (const value of list.values) if (allowsValue(other, value)) return true;
  return false;
}

/** What a set says about a key: an absent key allows anything. */
export const requirementFor = (set: Requirements, key: string): Requirement => set.get(key) ?? allowAnything(key);

/** Both sets at once: keys of either, intersected where both have one. `a` itself when `b` adds nothing to it. */
export function intersectSets(a: Requirements, b: Requirements): Requirements {
  if (b.size === 0) return a;
  let both: Map<string, Requirement> | undefined;
  for (const [key, incoming] of b) {
    const present = a.get(key);
    if (present !== undefined && implies(present, incoming)) continue;
    both ??= new Map(a);
    both.set(key, present === undefined ? incoming : intersectRequirements(present, incoming));
  }
  return both ?? a;
}

/** Whether `b` takes nothing away from `a`; false may also mean that it is not known. */
function implies(a: Requirement, b: Requirement): boolean {
  if (a === b) return true;
  if ((b.minValues ?? 0) > (a.minValues ?? 0)) return false;
  if (a.complement)
    return (
      b.complement &&
      b.values.size === 0 &&
      b.atLeast === undefined &&
      b.atMost === undefined &&
      (b.defined === undefined || a.defined !== undefined)
    );
  for (const value of a.values) if (!allowsValue(b, value)) return false;
  return true;
}
