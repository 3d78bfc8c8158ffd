import type { TopologyGroup } from './topology-group.ts';

/**
 * Pods on a planned node that groups select but cannot count yet, because the node may still come to be in several of
 * their domains. They are counted as soon as a later pod decides that.
 */
export class UncountedPods {
  readonly #byGroup = new Map<TopologyGroup, number>();

  get isEmpty(): boolean {
    return this.#byGroup.size === 0;
  }

  /** How many of them a group will count where the node comes to be. */
  of(group: TopologyGroup): number {
    return this.#byGroup.get(group) ?? 0;
  }

  add(group: TopologyGroup): void {
    this.#byGroup.set(group, this.of(group) + 1);
  }

  /** Counts those of which the domain is known by now. */
  settle(domainOf: (group: TopologyGroup) => string | undefined): void {
    for (const [group, count] of this.#byGroup) {
      const domain = domainOf(group);
      if (domain === undefined) continue;
      for (let pod = 0; pod < count; pod++) group.place(domain);
      this.#byGroup.delete(group);
    }
  }
}
