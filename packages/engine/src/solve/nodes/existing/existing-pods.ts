import { kubernetesLabels, type Pod } from '@nodewright/apis';
import type { Topology } from '../../topology/topology.ts';
import type { TopologyGroup } from '../../topology/topology-group.ts';
import type { PodCensus, Resident, Tally } from './pod-counts.ts';

/** A census as a round sees it. */
type Part = {
  readonly census: PodCensus;
  /** Nodes of it that are leaving: their domains are not known by them, though pods on them count. */
  readonly gone: readonly number[];
  /** Pods of the round that run here: they are about to move and do not count. */
  readonly moving: readonly Resident[];
};

/** What runs already, as topology counts it: pods on nodes that stay and on nodes that are leaving, but those of the round. */
export class StandingPods {
  readonly #parts: readonly Part[];

  /** @param parts censuses, each with the numbers of its nodes that are leaving */
  constructor(parts: readonly Pick<Part, 'census' | 'gone'>[], pods: readonly Pod[]) {
    const inhabited = parts.filter(({ census }) => census.nodes.length > 0);
    this.#parts = inhabited.map(({ census, gone }) => ({
      census,
      gone,
      moving: pods.flatMap((pod) => census.resident(pod) ?? []),
    }));
  }

  /** States how pods that run keep others away, and counts them in the rules this makes. */
  declareKeepingAway(topology: Topology): void {
    for (const { census, moving } of this.#parts) {
      for (const population of census.keepingAway) {
        const groups = new Set(topology.declareInverse(population.pod));
        for (const group of groups) add(group, census.havingTerm(population, group));
      }
      for (const { pod, on } of moving) {
        for (const group of new Set(topology.declareInverse(pod))) {
          for (const domain of census.tally(group, [on]).keys()) group.forget(domain);
        }
      }
    }
  }

  /** Makes known to a new group what it counts on. */
  introduce(group: TopologyGroup): void {
    if (group.spec.inverse) return;
    for (const { census, gone, moving } of this.#parts) {
      // A host is told apart by its own count: which others there are does not matter.
      if (group.spec.key !== kubernetesLabels.hostname)
        for (const domain of census.domainsOfNodes(group, gone)) group.register(domain);
      add(group, census.podsIn(group));
      for (const { pod, on } of moving) {
        if (!group.spec.selection.selects(pod)) continue;
        for (const domain of census.tally(group, [on]).keys()) group.forget(domain);
      }
    }
  }
}

/** Hosts are many: what is known of them is shared between rounds. */
function add(group: TopologyGroup, tally: Tally): void {
  if (group.spec.key === kubernetesLabels.hostname) group.standOn(tally);
  else for (const [domain, count] of tally) group.record(domain, count);
}
