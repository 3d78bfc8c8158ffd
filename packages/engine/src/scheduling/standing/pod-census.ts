import type { Pod } from '@nodewright/apis';
import { isActivePod } from '../../pods/pod-state.ts';
import { domainOf } from '../topology/topology-group.ts';
import type { TopologyGroup } from '../topology/topology-group.ts';
import type { StandingNode } from './standing-node.ts';

/** Running pods that a rule cannot tell apart: one of them, and for each the number of its node. */
export type Population = { readonly pod: Pod; readonly on: number[]; readonly tallies: Map<string, Tally> };

/** By domain of one label, how many there are. */
export type Tally = ReadonlyMap<string, number>;

/** A pod of the census and the number of its node. */
export type Resident = { readonly pod: Pod; readonly on: number };

/** Which pods run on the nodes of a cluster. Pods with equal labels are counted together, and every count is made once. */
export class PodCensus {
  /** Nodes that have joined or are in flight; there are pods only on those that have joined. */
  readonly nodes: readonly StandingNode[];
  /** Pods by how they keep others away, for those that do. */
  readonly keepingAway: readonly Population[];
  readonly #byLabels: readonly Population[];
  readonly #nodeOf = new Map<string, number>();
  readonly #tallies = new Map<string, Tally>();
  readonly #domains = new Map<string, readonly (string | undefined)[]>();

  constructor(nodes: readonly StandingNode[]) {
    this.nodes = nodes;
    const byLabels = new Map<string, Population>();
    const keepingAway = new Map<string, Population>();
    for (const [index, { state }] of nodes.entries()) {
      if (state.node === undefined) continue;
      for (const pod of state.pods) {
        if (!isActivePod(pod)) continue;
        this.#nodeOf.set(podIdentity(pod), index);
        join(byLabels, labelText(pod), pod, index);
        const terms = pod.spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
        if (terms === undefined || terms.length === 0) continue;
        const text = JSON.stringify([pod.metadata.namespace, terms, pod.spec.tolerations]);
        join(keepingAway, text, pod, index);
      }
    }
    this.#byLabels = [...byLabels.values()];
    this.keepingAway = [...keepingAway.values()];
  }

  /** The pod as it runs here, if it does. */
  resident(pod: Pod): Resident | undefined {
    const on = this.#nodeOf.get(podIdentity(pod));
    return on === undefined ? undefined : { pod, on };
  }

  /**
   * Domains that a group knows by the nodes, without some of the nodes. One in flight will have joined
   * before the pods of the round are bound, so its domain is there even if no pool opens it any more.
   */
  domainsOfNodes(group: TopologyGroup, without: readonly number[]): readonly string[] {
    const all = this.#once(`nodes ${group.identity}`, () => this.tally(group, [...this.nodes.keys()]));
    if (without.length === 0) return [...all.keys()];
    const left = this.tally(group, without);
    return [...all].filter(([domain, nodes]) => nodes > (left.get(domain) ?? 0)).map(([domain]) => domain);
  }

  /** How many pods a group counts, by domain. */
  podsIn(group: TopologyGroup): Tally {
    return this.#once(`pods ${group.identity}`, () =>
      this.tally(
        group,
        this.#byLabels.flatMap(({ pod, on }) => (group.spec.selection.selects(pod) ? on : [])),
      ),
    );
  }

  /** How many pods of a population there are, by domain of a group that counts them because they have its term. */
  havingTerm(population: Population, group: TopologyGroup): Tally {
    let tally = population.tallies.get(group.identity);
    if (tally === undefined) {
      tally = this.tally(group, population.on);
      population.tallies.set(group.identity, tally);
    }
    return tally;
  }

  /** How often nodes are listed, by the domain in which a group counts them. */
  tally(group: TopologyGroup, on: readonly number[]): Tally {
    const domains = this.#domainsFor(group);
    const counts = new Map<string, number>();
    for (const index of on) {
      const domain = domains[index];
      if (domain !== undefined) counts.set(domain, (counts.get(domain) ?? 0) + 1);
    }
    return counts;
  }

  /** By node, the domain in which a group counts it; groups of one label and one filter have them in common. */
  #domainsFor(group: TopologyGroup): readonly (string | undefined)[] {
    const rule = `${group.spec.key} ${group.spec.filter?.identity ?? ''}`;
    const domains = this.#domains.get(rule) ?? this.nodes.map((node) => domainOf(group, node));
    this.#domains.set(rule, domains);
    return domains;
  }

  #once(question: string, count: () => Tally): Tally {
    const tally = this.#tallies.get(question) ?? count();
    this.#tallies.set(question, tally);
    return tally;
  }
}

const podIdentity = ({ metadata }: Pod): string => metadata.uid ?? `${metadata.namespace}/${metadata.name}`;

function join(populations: Map<string, Population>, text: string, pod: Pod, node: number): void {
  const population = populations.get(text);
  if (population === undefined) populations.set(text, { pod, on: [node], tallies: new Map() });
  else population.on.push(node);
}

/** A pod that was read never changes. */
const knownTexts = new WeakMap<Pod, string>();

/** What pods that no selector can tell apart have in common. */
function labelText(pod: Pod): string {
  const before = knownTexts.get(pod);
  if (before !== undefined) return before;
  const text = `${pod.metadata.namespace ?? 'default'} ${JSON.stringify(pod.metadata.labels)}`;
  knownTexts.set(pod, text);
  return text;
}
