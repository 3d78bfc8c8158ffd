import type { NodeSelectorRequirement, RequirementWithMinValues } from '@nodewright/apis';
import { intersectRequirements } from './intersection.ts';
import { requireOneOf, parseRequirement } from './requirement.ts';
import type { Requirement, Requirements } from './requirements.ts';

/** Asks nothing: every label may be anything. */
export const noRequirements: Requirements = new Map();

/** A set from single requirements; several on one key intersect. */
export function requirementSet(all: Iterable<Requirement>): Requirements {
  const set = new Map<string, Requirement>();
  for (const r of all) {
    const present = set.get(r.key);
    set.set(r.key, present === undefined ? r : intersectRequirements(present, r));
  }
  return set;
}

/** A set from requirements as manifests write them. */
export const parseRequirements = (
  written: readonly (NodeSelectorRequirement | RequirementWithMinValues)[] | undefined,
): Requirements => requirementSet((written ?? []).map(parseRequirement));

/** What labels (or a `nodeSelector`) say: each key has exactly that value. */
export const requirementsOfLabels = (labels: Readonly<Record<string, string>> | undefined): Requirements =>
  requirementSet(Object.entries(labels ?? {}).map(([key, value]) => requireOneOf(key, [value])));

/** The set without some keys. */
export function withoutKeys(set: Requirements, keys: ReadonlySet<string>): Requirements {
  const left = new Map(set);
  for (const key of keys) left.delete(key);
  return left;
}
