import type { Taint } from '@nodewright/apis';
import type { TopologyCandidate } from './node-filter.ts';
import type { TopologyGroup } from './topology-group.ts';

/** A domain that a planned node would open although neither a pool nor a node lists it, and the taints it is behind. */
export type UnforeseenDomain = { readonly key: string; readonly domain: string; readonly taints: readonly Taint[] };

type Opened = { readonly group: TopologyGroup; readonly domain: string };

const nothingOpened: readonly Opened[] = [];
const noSpreads: readonly TopologyGroup[] = [];

/**
 * Watches over domains that only a planned node brings: a pool leaves a label open and a pod says what it is to be. As
 * soon as the node is there a spread has an empty domain more, so what was placed before has to be within the skew of it.
 */
export class UnforeseenDomains {
  /** By key. */
  readonly #spreads = new Map<string, TopologyGroup[]>();
  /** Domains that all spreads of a key know; what is known is not forgotten in a round. */
  readonly #familiar = new Map<string, Set<string>>();
  readonly #refused = new Map<string, UnforeseenDomain>();

  /** @param spreads those that must not be violated, but for those over hosts: any pod may open a host */
  constructor(spreads: Iterable<TopologyGroup>) {
    for (const group of spreads) {
      const others = this.#spreads.get(group.spec.key);
      if (others === undefined) this.#spreads.set(group.spec.key, [group]);
      else others.push(group);
    }
  }

  /** Those for whose sake a node was not planned. */
  get refused(): readonly UnforeseenDomain[] {
    return [...this.#refused.values()];
  }

  /** Whether some spread would be broken if a planned node came to be this. */
  refuses(candidate: TopologyCandidate): boolean {
    for (const { group, domain } of this.#openedBy(candidate)) {
      if (group.fullest <= group.spec.maxSkew) continue;
      const { key } = group.spec;
      const { taints } = candidate;
      this.#refused.set(JSON.stringify([key, domain, taints]), { key, domain, taints });
      return true;
    }
    return false;
  }

  /** Makes known to all spreads what a node has come to be. */
  register(candidate: TopologyCandidate): void {
    for (const { group, domain } of this.#openedBy(candidate)) group.register(domain);
  }

  #openedBy(candidate: TopologyCandidate): readonly Opened[] {
    let opened = nothingOpened;
    for (const [key, spreads] of this.#spreads) {
      const r = candidate.requirements.get(key);
      if (r === undefined || r.complement || r.values.size !== 1) continue;
      const [domain = ''] = r.values;
      const unaware = this.#unaware(spreads, { key, domain });
      const counting = unaware.filter(({ spec }) => spec.filter?.accepts(candidate) ?? true);
      if (counting.length > 0) opened = [...opened, ...counting.map((group) => ({ group, domain }))];
    }
    return opened;
  }

  /** Those to which a domain is new. */
  #unaware(spreads: readonly TopologyGroup[], { key, domain }: Pick<UnforeseenDomain, 'key' | 'domain'>) {
    const familiar = this.#familiar.get(key) ?? new Set();
    if (familiar.has(domain)) return noSpreads;
    const unaware = spreads.filter((group) => !group.knows(domain));
    if (unaware.length === 0) this.#familiar.set(key, familiar.add(domain));
    return unaware;
  }
}
