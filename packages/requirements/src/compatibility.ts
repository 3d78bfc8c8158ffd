import { byTextOf } from '@nodewright/apis';
import { hasIntersection } from './intersection.ts';
import { nearestKey } from './nearest-key.ts';
import { admitsAbsence } from './requirement.ts';
import type { Requirement, Requirements } from './requirements.ts';

/** Why two sets do not go together. */
export type Incompatibility =
  /** Asked for a label that the base does not define. */
  | { readonly kind: 'undefinedLabel'; readonly key: string; readonly didYouMean?: string }
  /** Both speak about the label and no value suits both. */
  | { readonly kind: 'conflict'; readonly key: string; readonly base: Requirement; readonly incoming: Requirement };

const noUndefinedLabels: ReadonlySet<string> = new Set();

/** The first key (by name) on which two sets exclude each other; `undefined` when they go together. */
export function conflictBetween(base: Requirements, incoming: Requirements): Incompatibility | undefined {
  const conflicts = [...incoming].flatMap(([key, asked]): readonly Incompatibility[] => {
    const own = base.get(key);
    return own === undefined || agree(own, asked) ? [] : [{ kind: 'conflict', key, base: own, incoming: asked }];
  });
  return conflicts.toSorted(byTextOf(({ key }) => key))[0];
}

/** Whether a set leaves room for a requirement: no word on its key, a common value, or both content with the label's absence. */
export function admitsRequirement(set: Requirements, r: Requirement): boolean {
  const own = set.get(r.key);
  return own === undefined || agree(own, r);
}

const agree = (a: Requirement, b: Requirement): boolean =>
  a === b || hasIntersection(a, b) || (admitsAbsence(a) && admitsAbsence(b));

/** Whether no key of both sets excludes the other: how an instance type is held against a claim. */
export function requirementsIntersect(base: Requirements, incoming: Requirements): boolean {
  const smaller = base.size <= incoming.size ? base : incoming;
  const larger = smaller === base ? incoming : base;
  for (const r of smaller.values()) if (!admitsRequirement(larger, r)) return false;
  return true;
}

/**
 * Why `incoming` (what a pod asks) cannot be met by `base` (what a node or claim is), if so.
 *
 * A key that only `incoming` has passes when its absence satisfies it, or when the key is in
 * `mayBeUndefined`: empty for nodes, whose labels are complete; the well-known labels for claims,
 * which get those from their instance type. Not symmetric.
 */
export function findIncompatibleLabel(
  base: Requirements,
  incoming: Requirements,
  mayBeUndefined: ReadonlySet<string> = noUndefinedLabels,
): Incompatibility | undefined {
  const key = undefinedKeys(base, incoming, mayBeUndefined).toSorted()[0];
  if (key === undefined) return conflictBetween(base, incoming);
  const didYouMean = intendedKey(key, [...mayBeUndefined].toSorted(), [...base.keys()].toSorted());
  return { kind: 'undefinedLabel', key, ...(didYouMean === undefined ? {} : { didYouMean }) };
}

/** `incompatibility` without the reason. */
export function isCompatible(
  base: Requirements,
  incoming: Requirements,
  mayBeUndefined: ReadonlySet<string> = noUndefinedLabels,
): boolean {
  for (const [key, r] of incoming) {
    const own = base.get(key);
    if (own === undefined ? !mayBeUndefined.has(key) && !admitsAbsence(r) : !admitsRequirement(base, r)) return false;
  }
  return true;
}

function undefinedKeys(base: Requirements, incoming: Requirements, mayBeUndefined: ReadonlySet<string>): string[] {
  const found: string[] = [];
  for (const [key, r] of incoming) {
    if (!base.has(key) && !mayBeUndefined.has(key) && !admitsAbsence(r)) found.push(key);
  }
  return found;
}

/** The known key a mistyped one was probably meant to be: one of the same name, else one that contains it. */
function intendedKey(key: string, wellKnown: readonly string[], base: readonly string[]): string | undefined {
  const known = [...wellKnown, ...base];
  return (
    known.find((candidate) => labelNameOf(candidate) === labelNameOf(key)) ??
    known.find((candidate) => candidate.includes(key)) ??
    nearestKey(key, known)
  );
}

const labelNameOf = (key: string): string => key.slice(key.lastIndexOf('/') + 1);
