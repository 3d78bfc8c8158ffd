import {
  kubernetesLabels,
  type Namespace,
  type Pod,
  type PodAffinityTerm,
  type TopologySpreadConstraint,
} from '@nodewright/apis';
import type { Requirement } from '@nodewright/requirements';
import type { DomainUniverse } from './domain-universe.ts';
import { nodeFilterOf } from './node-filter.ts';
import { selectedByAll, selectionOfAffinity, selectionOfSpread, type PodSelection } from './pod-selection.ts';
import { GroupsBySelection } from './groups-by-selection.ts';
import { topologyIdentityOf, TopologyGroup, type TopologyGroupSpec } from './topology-group.ts';

/** What makes known to a new group what is there already. */
type CountedPods = { introduce(group: TopologyGroup): void };

/** The terms of a pod that are in force: all of them at first, fewer after each relaxation. */
export type TopologyTerms = {
  readonly affinity: readonly PodAffinityTerm[];
  readonly antiAffinity: readonly PodAffinityTerm[];
  readonly spread: readonly TopologySpreadConstraint[];
};

/** A group whose rule holds for a pod, and whether it also counts that pod. */
export type TopologyStake = {
  readonly group: TopologyGroup;
  readonly selfSelecting: boolean;
  /** Where the pod may be at all: what each of its required alternatives says of the group's key. */
  readonly podDomains: readonly Requirement[];
  /** For one of several required affinities, the others: while any of them is met somewhere the pod is not the first of its kind. */
  readonly beside?: readonly TopologyStake[];
};

const noGroups: readonly TopologyGroup[] = [];

/** All spread and affinity rules of one round and what they have counted so far. */
export class Topology {
  readonly #groups = new Map<string, TopologyGroup>();
  readonly #bySelection = new GroupsBySelection();
  readonly #strictSpreads = new Set<TopologyGroup>();
  readonly #universe: DomainUniverse;
  readonly #namespaces: readonly Namespace[];
  readonly #countedPods: CountedPods;

  constructor(universe: DomainUniverse, namespaces: readonly Namespace[], countedPods: CountedPods) {
    this.#universe = universe;
    this.#namespaces = namespaces;
    this.#countedPods = countedPods;
  }

  /** States the rules of a pod; equal rules of different pods are one group. @returns the groups it has stated */
  declare(pod: Pod, terms: TopologyTerms): readonly TopologyGroup[] {
    const groups = this.#specsOf(pod, terms).map((spec) => this.#groupFor(spec));
    for (const [index, { whenUnsatisfiable }] of terms.spread.entries()) {
      const group = groups[index];
      if (group !== undefined && whenUnsatisfiable === 'DoNotSchedule') this.#strictSpreads.add(group);
    }
    return groups;
  }

  /** The spreads that must not be violated. */
  get strictSpreads(): Iterable<TopologyGroup> {
    return this.#strictSpreads;
  }

  /** States how a pod keeps others away: its required anti-affinities, seen from their side. */
  declareInverse(pod: Pod): readonly TopologyGroup[] {
    const terms = pod.spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
    if (terms.length === 0) return noGroups;
    return terms.map((term) => {
      // What the pod tolerates says nothing about where the pods that it keeps away may be.
      const { tolerations: _, ...spec } = this.#affinitySpec(pod, term, 'antiAffinity');
      return this.#groupFor({ ...spec, inverse: true });
    });
  }

  /** Every group that counts or keeps away a pod such as this. */
  groupsSelecting(pod: Pod): readonly TopologyGroup[] {
    return this.#bySelection.selecting(pod);
  }

  /** The labels that rules are about, with all their domains known so far. */
  get domains(): ReadonlyMap<string, ReadonlySet<string>> {
    const domains = new Map<string, Set<string>>();
    for (const { spec, counts } of this.#groups.values()) {
      if (spec.key === kubernetesLabels.hostname) continue;
      const known = domains.get(spec.key) ?? new Set();
      for (const domain of counts.keys()) known.add(domain);
      domains.set(spec.key, known);
    }
    return domains;
  }

  #groupFor(spec: TopologyGroupSpec): TopologyGroup {
    const identity = topologyIdentityOf(spec);
    const present = this.#groups.get(identity);
    if (present !== undefined) return present;
    const group = new TopologyGroup(spec, identity, this.#universe.domains(spec.key, spec.tolerations));
    this.#countedPods.introduce(group);
    this.#groups.set(identity, group);
    this.#bySelection.add(group);
    return group;
  }

  /** Those of spreads first. */
  #specsOf(pod: Pod, terms: TopologyTerms): readonly TopologyGroupSpec[] {
    return [
      ...terms.spread.map((constraint) => spreadSpec(pod, constraint, terms.spread)),
      ...terms.affinity.map((term) => this.#affinitySpec(pod, term, 'affinity')),
      ...terms.antiAffinity.map((term) => this.#affinitySpec(pod, term, 'antiAffinity')),
    ];
  }

  #affinitySpec(pod: Pod, term: PodAffinityTerm, rule: 'affinity' | 'antiAffinity'): TopologyGroupSpec {
    return {
      rule,
      key: term.topologyKey,
      selection: this.#selectionOf(pod, term),
      maxSkew: Infinity,
      inverse: false,
      tolerations: pod.spec.tolerations ?? [],
    };
  }

  /** As kube-scheduler counts, one required affinity of several counts only pods that all of them select. */
  #selectionOf(pod: Pod, term: PodAffinityTerm): PodSelection {
    const own = selectionOfAffinity(term, pod, this.#namespaces);
    const required = pod.spec.affinity?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
    if (required.length < 2 || !required.includes(term)) return own;
    return selectedByAll([own, ...required.map((each) => selectionOfAffinity(each, pod, this.#namespaces))]);
  }
}

const spreadSpec = (
  pod: Pod,
  constraint: TopologySpreadConstraint,
  spread: readonly TopologySpreadConstraint[],
): TopologyGroupSpec => ({
  rule: 'spread',
  key: constraint.topologyKey,
  selection: selectionOfSpread(constraint, pod),
  maxSkew: constraint.maxSkew,
  ...(constraint.minDomains === undefined ? {} : { minDomains: constraint.minDomains }),
  filter: nodeFilterOf(constraint, pod, spread),
  inverse: false,
  ...(constraint.nodeTaintsPolicy === 'Honor' ? { tolerations: pod.spec.tolerations ?? [] } : {}),
});
