import type { Pod } from '@nodewright/apis';
import {
  contradictedKey,
  parseRequirement,
  requirementSet,
  requirementsOfLabels,
  type Requirements,
} from '@nodewright/requirements';
import { meetableTerms, requiredTermsOf } from './required-terms.ts';

/**
 * What a pod requires of the labels of its node, one entry for each alternative. A daemon that is pinned to its node by
 * name counts with what it requires beside that. Alternatives that contradict themselves admit no node.
 */
export function admittedNodes(pod: Pod): readonly Requirements[] {
  const selector = requirementsOfLabels(pod.spec.nodeSelector);
  const terms = requiredTermsOf(pod);
  if (terms.length === 0) return [selector];
  const meetable = meetableTerms(terms);
  const counting = meetable.length > 0 ? meetable : terms.filter(({ matchFields }) => matchFields !== undefined);
  return counting
    .map(({ matchExpressions = [] }) => [...selector.values(), ...matchExpressions.map(parseRequirement)])
    .filter((parts) => contradictedKey(parts) === undefined)
    .map(requirementSet);
}
