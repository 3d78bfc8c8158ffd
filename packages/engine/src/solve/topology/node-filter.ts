import {
  kubernetesLabels,
  type Pod,
  type Taint,
  type Toleration,
  type TopologySpreadConstraint,
} from '@nodewright/apis';
import { isCompatible, parseRequirements, type Requirements } from '@nodewright/requirements';
import { admittedNodes } from '../../pods/admitted-nodes.ts';
import { requiredTermsOf } from '../../pods/required-terms.ts';
import { toleratesAll, toleratesPreferNoSchedule } from '../../pods/tolerations.ts';

/** A node, existing or to be launched, as topology looks at it. */
export type TopologyCandidate = {
  readonly requirements: Requirements;
  readonly taints: readonly Taint[];
  /** Labels it may get from its instance type; empty for a node that exists. */
  readonly mayBeUndefined: ReadonlySet<string>;
  /** Its number among the nodes that this round plans; absent for a node that exists. */
  readonly planned?: number;
  /** How many pods on it a group cannot count yet; absent for a node that exists, which is where it is. */
  readonly uncounted?: { of(group: object): number };
};

/** Which nodes a spread constraint counts at all. */
export type SpreadNodeFilter = {
  readonly identity: string;
  /** Whether nodes that the pod's node selector and affinity do not admit are left out. */
  readonly honorsAffinity: boolean;
  accepts(candidate: TopologyCandidate): boolean;
};

/**
 * A pod with several spreads that must hold counts only nodes that carry the labels of all of them. Unless told to
 * ignore them, a spread counts only nodes that its pod's node selector and one of
 * its required alternatives admit; taints matter only when told so, and PreferNoSchedule never.
 */
export function nodeFilterOf(
  constraint: TopologySpreadConstraint,
  owner: Pod,
  spread: readonly TopologySpreadConstraint[],
): SpreadNodeFilter {
  const honorsAffinity = (constraint.nodeAffinityPolicy ?? 'Honor') === 'Honor';
  const honorsTaints = constraint.nodeTaintsPolicy === 'Honor';
  const alternatives = honorsAffinity ? admittedNodes(owner) : [];
  const tolerations = honorsTaints ? (owner.spec.tolerations ?? []) : undefined;
  const labels = otherLabels(constraint, spread);
  return {
    identity: JSON.stringify([
      honorsAffinity ? [owner.spec.nodeSelector, requiredTermsOf(owner)] : null,
      tolerations ?? null,
      labels.map(({ key }) => key),
    ]),
    honorsAffinity,
    accepts: (candidate) =>
      admitsCandidate(alternatives, candidate) &&
      toleratedBy(tolerations, candidate) &&
      labels.every((label) => isCompatible(candidate.requirements, label.exists, candidate.mayBeUndefined)),
  };
}

type Label = { readonly key: string; readonly exists: Requirements };

/** Labels of the other spreads that must hold beside one that must; every node has a host name. */
function otherLabels(constraint: TopologySpreadConstraint, spread: readonly TopologySpreadConstraint[]) {
  if (constraint.whenUnsatisfiable !== 'DoNotSchedule' || spread.length < 2) return [];
  const keys = spread
    .filter(({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule')
    .map(({ topologyKey }) => topologyKey)
    .filter((key) => key !== constraint.topologyKey && key !== kubernetesLabels.hostname);
  return [...new Set(keys)]
    .toSorted()
    .map((key): Label => ({ key, exists: parseRequirements([{ key, operator: 'Exists' }]) }));
}

const admitsCandidate = (alternatives: readonly Requirements[], candidate: TopologyCandidate): boolean =>
  alternatives.length === 0 ||
  alternatives.some((alternative) => isCompatible(candidate.requirements, alternative, candidate.mayBeUndefined));

const toleratedBy = (tolerations: readonly Toleration[] | undefined, candidate: TopologyCandidate): boolean =>
  tolerations === undefined || toleratesAll(candidate.taints, [...tolerations, toleratesPreferNoSchedule]);
