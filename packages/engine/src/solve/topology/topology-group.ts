import type { Toleration } from '@nodewright/apis';
import { allowAnything, type Requirement } from '@nodewright/requirements';
import { CountedHosts } from './counted-hosts.ts';
import type { SpreadNodeFilter, TopologyCandidate } from './node-filter.ts';
import type { PodSelection } from './pod-selection.ts';

type TopologyRule = 'spread' | 'affinity' | 'antiAffinity';

export type TopologyGroupSpec = {
  readonly rule: TopologyRule;
  /** The label whose values are the domains. */
  readonly key: string;
  readonly selection: PodSelection;
  readonly maxSkew: number;
  readonly minDomains?: number;
  readonly filter?: SpreadNodeFilter;
  /** Counts pods that have the term rather than pods that it selects: how an anti-affinity keeps others away. */
  readonly inverse: boolean;
  /** Only domains behind taints that these tolerate are known; `undefined` when taints do not matter. */
  readonly tolerations?: readonly Toleration[];
};

/** Equal for rules that count and allow the same. */
export const topologyIdentityOf = (spec: TopologyGroupSpec): string =>
  JSON.stringify([
    spec.rule,
    spec.inverse,
    spec.key,
    spec.selection.identity,
    spec.maxSkew === Infinity ? null : spec.maxSkew,
    spec.minDomains ?? null,
    spec.filter?.identity ?? null,
    spec.tolerations ?? null,
  ]);

const noDomainCounts: ReadonlyMap<string, number> = new Map();

/** One rule of placement shared by all pods that state it, and how many pods it has counted in each domain. */
export class TopologyGroup {
  readonly spec: TopologyGroupSpec;
  readonly identity: string;
  /** The requirement of a node that has none on the key. */
  readonly anywhere: Requirement;
  /** Counts that other rounds use too: never changed, and overruled by `#counts`. */
  #ground = noDomainCounts;
  readonly #counts = new Map<string, number>();
  readonly #registered = new Set<string>();
  readonly #populated = new Set<string>();
  readonly #rank: ReadonlyMap<string, number>;
  #fullest = 0;
  /** Where planned nodes stand, if the rule is about hosts. */
  readonly hosts: CountedHosts;

  /** @param domains where new nodes could be, the best first */
  constructor(spec: TopologyGroupSpec, identity: string, domains: Iterable<string>) {
    this.spec = spec;
    this.identity = identity;
    this.anywhere = allowAnything(spec.key);
    this.hosts = new CountedHosts(spec.maxSkew);
    for (const domain of domains) this.register(domain);
    this.#rank = new Map([...this.#registered].map((domain, rank) => [domain, rank]));
  }

  /** Whether a domain is the one to choose of two between which the rule makes no difference. */
  prefers(domain: string, other: string): boolean {
    const a = this.#rank.get(domain) ?? Infinity;
    const b = this.#rank.get(other) ?? Infinity;
    return a === b ? domain < other : a < b;
  }

  /** Makes a domain known without counting anything in it. */
  register(domain: string): void {
    this.#registered.add(domain);
    if (!this.#counts.has(domain)) this.#counts.set(domain, 0);
  }

  knows(domain: string): boolean {
    return this.#counts.has(domain) || this.#ground.has(domain);
  }

  /** Counts a pod that this round places. */
  place(domain: string): void {
    this.record(domain);
    this.#fullest = Math.max(this.#fullest, this.countIn(domain));
  }

  /** The most pods in any domain in which this round has placed one. */
  get fullest(): number {
    return this.#fullest;
  }

  record(domain: string, count = 1): void {
    this.#counts.set(domain, this.countIn(domain) + count);
    this.#populated.add(domain);
  }

  /** Takes back one that was counted in a domain; one that was known by its pods alone is unknown again without them. */
  forget(domain: string): void {
    const count = this.countIn(domain) - 1;
    const isKnown = count > 0 || this.#registered.has(domain) || this.#ground.has(domain);
    if (isKnown) this.#counts.set(domain, count);
    else this.#counts.delete(domain);
    if (count > 0) this.#populated.add(domain);
    else this.#populated.delete(domain);
  }

  /** Adds counts that were made before, without copying them if possible. */
  standOn(counts: ReadonlyMap<string, number>): void {
    if (this.#ground.size === 0 && this.#counts.size === 0) this.#ground = counts;
    else for (const [domain, count] of counts) this.record(domain, count);
  }

  countIn(domain: string): number {
    return this.#counts.get(domain) ?? this.#ground.get(domain) ?? 0;
  }

  /** By domain; for a rule about hosts only of the hosts that this round has looked at. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  /** Domains with at least one pod. */
  get populated(): Iterable<string> {
    return this.#ground.size === 0 ? this.#populated : this.#everywhere();
  }

  *#everywhere(): Generator<string> {
    yield* this.#populated;
    for (const domain of this.#ground.keys()) if (!this.#counts.has(domain)) yield domain;
  }
}

/** The domain in which a group counts what is on a node that is there; `undefined` when it counts nothing there. */
export function domainOf({ spec }: TopologyGroup, node: TopologyCandidate): string | undefined {
  if (!(spec.filter?.accepts(node) ?? true)) return undefined;
  const [domain] = node.requirements.get(spec.key)?.values ?? [];
  return domain;
}
