import type { Toleration } from '@nodewright/apis';
import { anything } from '../../requirements/requirement.ts';
import type { Requirement } from '../../requirements/requirements.ts';
import { CountedHosts } from './counted-hosts.ts';
import type { NodeFilter } from './node-filter.ts';
import type { PodSelection } from './pod-selection.ts';

type TopologyRule = 'spread' | 'affinity' | 'antiAffinity';

export type TopologyGroupSpec = {
  readonly rule: TopologyRule;
  /** The label whose values are the domains. */
  readonly key: string;
  readonly selection: PodSelection;
  readonly maxSkew: number;
  readonly minDomains?: number;
  readonly filter?: NodeFilter;
  /** Counts pods that have the term rather than pods that it selects: how an anti-affinity keeps others away. */
  readonly inverse: boolean;
  /** Only domains behind taints that these tolerate are known; `undefined` when taints do not matter. */
  readonly tolerations?: readonly Toleration[];
};

/** Equal for rules that count and allow the same. */
export const identityOf = (spec: TopologyGroupSpec): string =>
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

/** One rule of placement shared by all pods that state it, and how many pods it has counted in each domain. */
export class TopologyGroup {
  readonly spec: TopologyGroupSpec;
  /** What a node that says nothing about the key may be. */
  readonly anywhere: Requirement;
  readonly #counts = new Map<string, number>();
  readonly #populated = new Set<string>();
  /** Where planned nodes stand, if the rule is about hosts. */
  readonly hosts: CountedHosts;

  constructor(spec: TopologyGroupSpec) {
    this.spec = spec;
    this.hosts = new CountedHosts(spec.maxSkew);
    this.anywhere = anything(spec.key);
  }

  /** Makes a domain known without counting anything in it. */
  register(domain: string): void {
    if (!this.#counts.has(domain)) this.#counts.set(domain, 0);
  }

  record(domain: string): void {
    this.#counts.set(domain, this.countIn(domain) + 1);
    this.#populated.add(domain);
  }

  countIn(domain: string): number {
    return this.#counts.get(domain) ?? 0;
  }

  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  /** Domains with at least one pod. */
  get populated(): ReadonlySet<string> {
    return this.#populated;
  }
}
