import { kubernetesLabels } from '@nodewright/apis';
import { bitSet, withBit, type BitSet } from '../bit-set.ts';
import type { PlannedDomains } from './planned-domains.ts';
import { canJoin, openDomains } from '../topology/allowed-domains.ts';
import type { TopologyStake } from '../topology/topology.ts';

/**
 * Excludes planned nodes that cannot take pods of one form, without asking each node: nodes that have
 * refused for good, and nodes in domains that some topology rule closes to the pod now.
 */
export class ExcludedNodes {
  /** Nodes that will never take a pod in this form. */
  #refused: BitSet = bitSet(0);
  /** Nodes that will never take a pod of the class that asks. */
  #refusedToClass: BitSet = this.#refused;
  readonly #stakes: readonly TopologyStake[];
  readonly #domains: PlannedDomains;
  /** Members of any of these sets are excluded. */
  #outside: BitSet[] = [];
  /** A node has to be in at least one set of every list. */
  #inside: (readonly BitSet[])[] = [];

  constructor(stakes: readonly TopologyStake[], domains: PlannedDomains) {
    this.#stakes = stakes;
    this.#domains = domains;
  }

  /** Records that a node will never take a pod in this form. */
  refuse(node: number): void {
    this.#refused = withBit(this.#refused, node);
  }

  /**
   * Reads the current counts of the topology rules.
   * @param refusedToClass nodes that will never take a pod of the class that asks
   * @returns false when no planned node can do
   */
  refresh(refusedToClass: BitSet): boolean {
    this.#refusedToClass = refusedToClass;
    if (this.#stakes.length === 0) return true;
    this.#outside = [];
    this.#inside = [];
    for (const stake of this.#stakes) {
      const isAboutHosts = stake.group.spec.key === kubernetesLabels.hostname;
      if (!(isAboutHosts ? this.#onHosts(stake) : this.#inDomains(stake))) return false;
    }
    return true;
  }

  /** Removes the nodes that cannot take the pod from one word of the bit set. */
  pass(index: number, word: number): number {
    let left = word & ~(this.#refused[index] ?? 0) & ~(this.#refusedToClass[index] ?? 0);
    for (const set of this.#outside) left &= ~(set[index] ?? 0);
    for (const sets of this.#inside) {
      if (left === 0) return 0;
      let any = 0;
      for (const set of sets) any |= set[index] ?? 0;
      left &= any;
    }
    return left;
  }

  #onHosts({ group, podDomains, selfSelecting }: TopologyStake): boolean {
    const { hosts } = group;
    switch (group.spec.rule) {
      case 'spread':
        this.#outside.push(selfSelecting ? hosts.full : hosts.overfull);
        return true;
      case 'antiAffinity':
        this.#outside.push(hosts.occupied);
        return true;
      case 'affinity':
        if (!canJoin(group, { podDomains })) return selfSelecting;
        this.#inside.push([hosts.occupied]);
        return true;
    }
  }

  #inDomains({ group, podDomains, selfSelecting }: TopologyStake): boolean {
    const open = openDomains(group, { podDomains, selfSelecting });
    if (open === 'any') return true;
    const sets: BitSet[] = [];
    for (const domain of open) {
      const nodes = this.#domains.nodesIn(group.spec.key, domain);
      if (nodes === undefined) return true;
      sets.push(nodes);
    }
    this.#inside.push(sets);
    return sets.length > 0;
  }
}
