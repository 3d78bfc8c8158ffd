import { oncePerItem, type Pod } from '@nodewright/apis';
import { domainOf, type TopologyGroup } from '../../topology/topology-group.ts';
import { podIdentity, podsOnNodeOf, type EqualPodsOnNode, type PodsOnNode } from './pods-on-node.ts';
import type { ClusterNode } from './cluster-node.ts';

/** Running pods that no rule tells apart: one of them, and the node number of each. */
export type EqualPods = { readonly pod: Pod; readonly on: number[]; readonly tallies: Map<string, PodTally> };

/** The number of pods (or nodes) in each domain of one label. */
export type PodTally = ReadonlyMap<string, number>;

/** A counted pod and the number of its node. */
export type CountedPod = { readonly pod: Pod; readonly on: number };

/** Counts the pods on the nodes of a cluster. Pods with equal labels are counted together, and every count is made once. */
export class PodCounts {
  /** Existing and in-flight nodes. Only existing nodes have pods. */
  readonly nodes: readonly ClusterNode[];
  /** Pods with required anti-affinity, grouped by their terms. */
  readonly keepingAway: readonly EqualPods[];
  readonly #podsByNode: readonly PodsOnNode[];
  /** Grouped when the first group asks: most rounds count no pods. */
  #byLabels: readonly EqualPods[] | undefined;
  readonly #numbers: ReadonlyMap<string, number>;
  /** Some pods do not name their node, so pods are searched for. */
  readonly #hides: boolean;
  #hidden: ReadonlyMap<string, number> | undefined;
  readonly #tallies = new Map<string, PodTally>();
  readonly #domains = new Map<string, readonly (string | undefined)[]>();

  constructor(nodes: readonly ClusterNode[]) {
    this.nodes = nodes;
    const podsByNode = podsOnNodes(nodes);
    this.#podsByNode = podsByNode;
    this.keepingAway = equalPodsOf(podsByNode.map(({ keepingAway }) => keepingAway));
    this.#numbers = new Map(nodes.map(({ state }, index) => [state.node?.metadata.name ?? '', index]));
    this.#hides = podsByNode.some(({ sayWhere }) => !sayWhere);
  }

  /** The pod with the number of its node, if it runs here. */
  countedPod(pod: Pod): CountedPod | undefined {
    const on = this.#hides ? this.#search(pod) : this.#numbers.get(pod.spec.nodeName ?? '');
    const state = on === undefined ? undefined : this.nodes[on]?.state;
    if (on === undefined || state === undefined || !podsOnNodeOf(state).identities.has(podIdentity(pod)))
      return undefined;
    return { pod, on };
  }

  /**
   * The domains that the nodes make known to a group, without some of the nodes. An in-flight node will have joined
   * before the pods of the round are bound, so its domain is there even if no pool opens it any more.
   */
  domainsOfNodes(group: TopologyGroup, without: readonly number[]): readonly string[] {
    const all = this.#once(`nodes ${group.identity}`, () => this.tally(group, [...this.nodes.keys()]));
    if (without.length === 0) return [...all.keys()];
    const left = this.tally(group, without);
    return [...all].filter(([domain, nodes]) => nodes > (left.get(domain) ?? 0)).map(([domain]) => domain);
  }

  /** How many pods a group counts, by domain. */
  podsIn(group: TopologyGroup): PodTally {
    return this.#once(`pods ${group.identity}`, () =>
      this.tally(
        group,
        this.#podsByLabels().flatMap(({ pod, on }) => (group.spec.selection.selects(pod) ? on : [])),
      ),
    );
  }

  /** How many of these pods are in each domain of a group that belongs to their own term. */
  havingTerm(equalPods: EqualPods, group: TopologyGroup): PodTally {
    let tally = equalPods.tallies.get(group.identity);
    if (tally === undefined) {
      tally = this.tally(group, equalPods.on);
      equalPods.tallies.set(group.identity, tally);
    }
    return tally;
  }

  /** How often the list names nodes of each domain. */
  tally(group: TopologyGroup, on: readonly number[]): PodTally {
    const domains = this.#domainsFor(group);
    const counts = new Map<string, number>();
    for (const index of on) {
      const domain = domains[index];
      if (domain !== undefined) counts.set(domain, (counts.get(domain) ?? 0) + 1);
    }
    return counts;
  }

  /** The domain of each node for a group. Groups with one label and one filter share the list. */
  #domainsFor(group: TopologyGroup): readonly (string | undefined)[] {
    const rule = `${group.spec.key} ${group.spec.filter?.identity ?? ''}`;
    const domains = this.#domains.get(rule) ?? this.nodes.map((node) => domainOf(group, node));
    this.#domains.set(rule, domains);
    return domains;
  }

  #podsByLabels(): readonly EqualPods[] {
    return (this.#byLabels ??= equalPodsOf(this.#podsByNode.map(({ byLabels }) => byLabels)));
  }

  #search(pod: Pod): number | undefined {
    this.#hidden ??= new Map(
      this.nodes.flatMap(({ state }, index) =>
        [...podsOnNodeOf(state).identities].map((each) => [each, index] as const),
      ),
    );
    return this.#hidden.get(podIdentity(pod));
  }

  #once(question: string, count: () => PodTally): PodTally {
    const tally = this.#tallies.get(question) ?? count();
    this.#tallies.set(question, tally);
    return tally;
  }
}

const podsOnNodes = oncePerItem(({ state }: ClusterNode): PodsOnNode => podsOnNodeOf(state));

/** @param kinds the groups of each node, by its number */
function equalPodsOf(kinds: readonly (readonly EqualPodsOnNode[])[]): readonly EqualPods[] {
  const groups = new Map<string, EqualPods>();
  for (const [index, ofNode] of kinds.entries())
    for (const { text, pod, count } of ofNode) {
      let equalPods = groups.get(text);
      if (equalPods === undefined) groups.set(text, (equalPods = { pod, on: [], tallies: new Map() }));
      for (let times = 0; times < count; times += 1) equalPods.on.push(index);
    }
  return [...groups.values()];
}
