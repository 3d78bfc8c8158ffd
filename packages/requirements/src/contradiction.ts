import { requirementSet } from './requirement-set.ts';
import { admitsAbsence, operatorOfRequirement } from './requirement.ts';
import type { Requirement } from './requirements.ts';

/**
 * The first label on which requirements exclude each other; `undefined` when a node could meet all of them.
 * Without this, `In [a]` together with `In [b]` would pass for `DoesNotExist`.
 */
export function contradictedKey(parts: readonly Requirement[]): string | undefined {
  const all = requirementSet(parts);
  return parts.find((part) => {
    const together = all.get(part.key);
    return together !== undefined && operatorOfRequirement(together) === 'DoesNotExist' && !admitsAbsence(part);
  })?.key;
}
