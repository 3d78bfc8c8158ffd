import {
  type NodeSelectorTerm,
  type Pod,
  type PodAffinityTerm,
  type Toleration,
  type TopologySpreadConstraint,
  byNumberOf,
  inReverse,
} from '@nodewright/apis';
import {
  contradictedKey,
  intersectSets,
  parseRequirement,
  parseRequirements,
  requirementsOfLabels,
  type Requirements,
} from '@nodewright/requirements';
import { meetableTerms, requiredTermsOf } from './required-terms.ts';
import { toleratesPreferNoSchedule } from './tolerations.ts';

/** What a pod asks of its node besides resources, in the form that relaxation works on. Preferences come heaviest first. */
export type PodConstraints = {
  readonly nodeSelector: Requirements;
  /** Alternatives, of which the first counts. */
  readonly requiredTerms: readonly NodeSelectorTerm[];
  readonly preferredTerms: readonly NodeSelectorTerm[];
  readonly affinity: readonly PodAffinityTerm[];
  readonly preferredAffinity: readonly PodAffinityTerm[];
  readonly antiAffinity: readonly PodAffinityTerm[];
  readonly preferredAntiAffinity: readonly PodAffinityTerm[];
  readonly spread: readonly TopologySpreadConstraint[];
  readonly tolerations: readonly Toleration[];
};

type Weighted = { readonly weight: number };

const heaviestTermFirst = <T extends Weighted>(terms: readonly T[] | undefined): readonly T[] =>
  (terms ?? []).toSorted(inReverse(byNumberOf(({ weight }) => weight)));

/**
 * The constraints of a pod before any relaxation.
 * @param spread what its spread is; its own, unless given
 */
export function podConstraintsOf(
  pod: Pick<Pod, 'spec'>,
  preferences: 'Respect' | 'Ignore',
  spread: readonly TopologySpreadConstraint[] = pod.spec.topologySpreadConstraints ?? [],
): PodConstraints {
  const { affinity, nodeSelector, tolerations } = pod.spec;
  const weighted = <T extends Weighted>(terms: readonly T[] | undefined) =>
    preferences === 'Respect' ? heaviestTermFirst(terms) : [];
  const podAffinity = affinity?.podAffinity;
  const podAntiAffinity = affinity?.podAntiAffinity;
  return {
    nodeSelector: requirementsOfLabels(nodeSelector),
    requiredTerms: meetableTerms(requiredTermsOf(pod)),
    preferredTerms: weighted(affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution).map(
      ({ preference }) => preference,
    ),
    affinity: podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [],
    preferredAffinity: weighted(podAffinity?.preferredDuringSchedulingIgnoredDuringExecution).map(
      ({ podAffinityTerm }) => podAffinityTerm,
    ),
    antiAffinity: podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [],
    preferredAntiAffinity: weighted(podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution).map(
      ({ podAffinityTerm }) => podAffinityTerm,
    ),
    spread: spread.filter(
      ({ whenUnsatisfiable }) => preferences === 'Respect' || whenUnsatisfiable === 'DoNotSchedule',
    ),
    tolerations: tolerations ?? [],
  };
}

/** Node requirements that hold whatever is preferred: the selector and the first alternative. */
export const strictRequirements = (constraints: PodConstraints): Requirements =>
  intersectSets(constraints.nodeSelector, parseRequirements(constraints.requiredTerms[0]?.matchExpressions));

/** Node requirements with the heaviest preference taken as if it were required. */
export const allRequirements = (constraints: PodConstraints): Requirements =>
  intersectSets(strictRequirements(constraints), parseRequirements(constraints.preferredTerms[0]?.matchExpressions));

/** The first label on which what the pod asks excludes itself; `undefined` when a node could satisfy all of it. */
export function contradictedLabel({ nodeSelector, requiredTerms, preferredTerms }: PodConstraints): string | undefined {
  const expressions = [...(requiredTerms[0]?.matchExpressions ?? []), ...(preferredTerms[0]?.matchExpressions ?? [])];
  return contradictedKey([...nodeSelector.values(), ...expressions.map(parseRequirement)]);
}

/**
 * The constraints with exactly one thing given up; `undefined` when nothing is left to give up.
 * Required alternatives go first, then preferences, heaviest first, then spreads that may be
 * violated, and last the avoidance of PreferNoSchedule taints, if any pool or node has one.
 */
export function relaxConstraints(
  constraints: PodConstraints,
  pools: { readonly somePreferNoSchedule: boolean },
): PodConstraints | undefined {
  if (constraints.requiredTerms.length > 1)
    return { ...constraints, requiredTerms: constraints.requiredTerms.slice(1) };
  for (const preference of ['preferredAffinity', 'preferredAntiAffinity', 'preferredTerms'] as const) {
    if (constraints[preference].length > 0) return { ...constraints, [preference]: constraints[preference].slice(1) };
  }
  const loose = constraints.spread.findIndex(({ whenUnsatisfiable }) => whenUnsatisfiable === 'ScheduleAnyway');
  if (loose >= 0) return { ...constraints, spread: withLastInPlaceOf(loose, constraints.spread) };
  if (!pools.somePreferNoSchedule || constraints.tolerations.includes(toleratesPreferNoSchedule)) return undefined;
  return { ...constraints, tolerations: [...constraints.tolerations, toleratesPreferNoSchedule] };
}

/** A list without one of its items; the last one takes its place, as Karpenter has it, so it is the next to go. */
const withLastInPlaceOf = <T>(index: number, items: readonly T[]): readonly T[] =>
  items.slice(0, -1).map((item, at) => (at === index ? (items.at(-1) as T) : item));
