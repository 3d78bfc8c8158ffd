import type { Pod, Taint, Toleration, TopologySpreadConstraint } from '@nodewright/apis';
import { isCompatible } from '../../requirements/compatibility.ts';
import { intersectSets } from '../../requirements/intersection.ts';
import { requirementsOf, requirementsOfLabels } from '../../requirements/requirement-set.ts';
import type { Requirements } from '../../requirements/requirements.ts';
import { toleratesAll, toleratesPreferNoSchedule } from '../tolerations.ts';

/** A node, existing or to be launched, as topology looks at it. */
export type TopologyCandidate = {
  readonly requirements: Requirements;
  readonly taints: readonly Taint[];
  /** Labels it may get from its instance type; empty for a node that exists. */
  readonly mayBeUndefined: ReadonlySet<string>;
  /** Its number among the nodes that this round plans; absent for a node that exists. */
  readonly planned?: number;
};

/** Which nodes a spread constraint counts at all. */
export type NodeFilter = {
  readonly identity: string;
  /** Whether nodes that the pod's node selector and affinity do not admit are left out. */
  readonly honorsAffinity: boolean;
  accepts(candidate: TopologyCandidate): boolean;
};

/**
 * Unless told to ignore them, a spread counts only nodes that its pod's node selector and one of
 * its required alternatives admit; taints matter only when told so, and PreferNoSchedule never.
 */
export function nodeFilterOf(constraint: TopologySpreadConstraint, owner: Pod): NodeFilter {
  const honorsAffinity = (constraint.nodeAffinityPolicy ?? 'Honor') === 'Honor';
  const honorsTaints = constraint.nodeTaintsPolicy === 'Honor';
  const alternatives = honorsAffinity ? admittedNodes(owner) : [];
  const tolerations = honorsTaints ? (owner.spec.tolerations ?? []) : undefined;
  return {
    identity: JSON.stringify([
      honorsAffinity ? [owner.spec.nodeSelector, requiredTerms(owner)] : null,
      tolerations ?? null,
    ]),
    honorsAffinity,
    accepts: (candidate) => admits(alternatives, candidate) && toleratedBy(tolerations, candidate),
  };
}

const requiredTerms = (pod: Pod) =>
  pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];

/** What a pod requires of its node, one entry for each alternative. */
export function admittedNodes(pod: Pod): readonly Requirements[] {
  const selector = requirementsOfLabels(pod.spec.nodeSelector);
  const terms = requiredTerms(pod);
  if (terms.length === 0) return [selector];
  return terms.map((term) => intersectSets(selector, requirementsOf(term.matchExpressions)));
}

const admits = (alternatives: readonly Requirements[], candidate: TopologyCandidate): boolean =>
  alternatives.length === 0 ||
  alternatives.some((alternative) => isCompatible(candidate.requirements, alternative, candidate.mayBeUndefined));

const toleratedBy = (tolerations: readonly Toleration[] | undefined, candidate: TopologyCandidate): boolean =>
  tolerations === undefined || toleratesAll(candidate.taints, [...tolerations, toleratesPreferNoSchedule]);
