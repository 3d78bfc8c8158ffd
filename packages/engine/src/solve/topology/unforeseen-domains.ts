import type { Taint } from '@nodewright/apis';
import type { TopologyCandidate } from './node-filter.ts';
import type { TopologyGroup } from './topology-group.ts';

/** A domain of a planned node that neither a pool nor an existing node lists, and the taints of that node. */
export type UnforeseenDomain = { readonly key: string; readonly domain: string; readonly taints: readonly Taint[] };

type Opened = { readonly group: TopologyGroup; readonly domain: string };

const nothingOpened: readonly Opened[] = [];
const noSpreads: readonly TopologyGroup[] = [];

/**
 * Keeps spreads valid when a planned node adds a domain: its pool leaves a label open and a pod requires a value. As
 * soon as the node exists, the spread has one more empty domain, and earlier placements have to respect the skew to it.
 */
export class UnforeseenDomains {
  /** By key. */
  readonly #spreads = new Map<string, TopologyGroup[]>();
  /** Domains that all spreads of a key know already. */
  readonly #familiar = new Map<string, Set<string>>();
  readonly #refused = new Map<string, UnforeseenDomain>();

  /** @param spreads required spreads, except spreads over hosts: any pod may add a host */
  constructor(spreads: Iterable<TopologyGroup>) {
    for (const group of spreads) {
      const others = this.#spreads.get(group.spec.key);
      if (others === undefined) this.#spreads.set(group.spec.key, [group]);
      else others.push(group);
    }
  }

  /** Domains that a node was not planned for. */
  get refused(): readonly UnforeseenDomain[] {
    return [...this.#refused.values()];
  }

  /** Whether the planned node would violate some spread. */
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

  /** Registers the domains of a planned node with all spreads. */
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

  /** The spreads that do not know the domain. */
  #unaware(spreads: readonly TopologyGroup[], { key, domain }: Pick<UnforeseenDomain, 'key' | 'domain'>) {
    const familiar = this.#familiar.get(key) ?? new Set();
    if (familiar.has(domain)) return noSpreads;
    const unaware = spreads.filter((group) => !group.knows(domain));
    if (unaware.length === 0) this.#familiar.set(key, familiar.add(domain));
    return unaware;
  }
}
