import { kubernetesLabels, type Pod } from '@nodewright/apis';
import type { Topology } from '../../topology/topology.ts';
import type { TopologyGroup } from '../../topology/topology-group.ts';
import type { PodCounts, CountedPod, PodTally } from './pod-counts.ts';

/** The counts of one cluster as a round sees them. */
type ClusterPart = {
  readonly podCounts: PodCounts;
  /** Numbers of its leaving nodes. Their pods count, but they make no domain known. */
  readonly gone: readonly number[];
  /** Pods of the round that run here. They are about to move and do not count. */
  readonly moving: readonly CountedPod[];
};

/** The running pods that topology counts: on staying and on leaving nodes, without the pods of the round. */
export class ExistingPods {
  readonly #parts: readonly ClusterPart[];

  /** @param parts the counts of clusters, each with the numbers of its leaving nodes */
  constructor(parts: readonly Pick<ClusterPart, 'podCounts' | 'gone'>[], pods: readonly Pod[]) {
    const inhabited = parts.filter(({ podCounts }) => podCounts.nodes.length > 0);
    this.#parts = inhabited.map(({ podCounts, gone }) => ({
      podCounts,
      gone,
      moving: pods.flatMap((pod) => podCounts.countedPod(pod) ?? []),
    }));
  }

  /** Declares the required anti-affinity of running pods and counts these pods in the resulting groups. */
  declareKeepingAway(topology: Topology): void {
    for (const { podCounts, moving } of this.#parts) {
      for (const equalPods of podCounts.keepingAway) {
        const groups = new Set(topology.declareInverse(equalPods.pod));
        for (const group of groups) addTally(group, podCounts.havingTerm(equalPods, group));
      }
      for (const { pod, on } of moving) {
        for (const group of new Set(topology.declareInverse(pod))) {
          for (const domain of podCounts.tally(group, [on]).keys()) group.forget(domain);
        }
      }
    }
  }

  /** Gives a new group its domains and counts. */
  introduce(group: TopologyGroup): void {
    if (group.spec.inverse) return;
    for (const { podCounts, gone, moving } of this.#parts) {
      // A rule over hosts compares each host with itself, so it does not need the list of hosts.
      if (group.spec.key !== kubernetesLabels.hostname)
        for (const domain of podCounts.domainsOfNodes(group, gone)) group.register(domain);
      addTally(group, podCounts.podsIn(group));
      for (const { pod, on } of moving) {
        if (!group.spec.selection.selects(pod)) continue;
        for (const domain of podCounts.tally(group, [on]).keys()) group.forget(domain);
      }
    }
  }
}

/** There are many hosts, so rounds share their counts. */
function addTally(group: TopologyGroup, tally: PodTally): void {
  if (group.spec.key === kubernetesLabels.hostname) group.standOn(tally);
  else for (const [domain, count] of tally) group.record(domain, count);
}
