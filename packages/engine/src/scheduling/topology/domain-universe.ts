import type { Taint, Toleration } from '@nodewright/apis';
import { hasIntersection, intersect, requirementFor } from '../../requirements/intersection.ts';
import type { Requirements } from '../../requirements/requirements.ts';
import { toleratesAll } from '../tolerations.ts';

/** What a pool could launch, as far as domains go. */
export type DomainSource = {
  readonly taints: readonly Taint[];
  /** The pool's requirements and template labels. */
  readonly requirements: Requirements;
  readonly types: readonly { readonly requirements: Requirements }[];
};

type TaintedDomain = { readonly domain: string; readonly taints: readonly Taint[] };

/** Every domain of a key that some pool could open; with tolerations, those behind tolerated taints only. */
export class DomainUniverse {
  readonly #sources: readonly DomainSource[];
  readonly #byKey = new Map<string, readonly TaintedDomain[]>();

  constructor(sources: readonly DomainSource[]) {
    this.#sources = sources;
  }

  domains(key: string, tolerations: readonly Toleration[] | undefined): ReadonlySet<string> {
    const all = this.#byKey.get(key) ?? this.#sources.flatMap((source) => domainsOf(source, key));
    this.#byKey.set(key, all);
    const reachable = all.filter(({ taints }) => tolerations === undefined || toleratesAll(taints, tolerations));
    return new Set(reachable.map(({ domain }) => domain));
  }
}

/** Values that the pool lists itself, and those its types leave of them. All types count, available or not. */
function domainsOf({ requirements, types, taints }: DomainSource, key: string): readonly TaintedDomain[] {
  if (types.length === 0) return [];
  const ofPool = requirementFor(requirements, key);
  const found = new Set<string>(ofPool.complement ? [] : ofPool.values);
  for (const type of types) {
    const ofType = requirementFor(type.requirements, key);
    if (!hasIntersection(ofPool, ofType)) continue;
    const both = intersect(ofPool, ofType);
    if (!both.complement) for (const value of both.values) found.add(value);
  }
  return [...found].toSorted().map((domain) => ({ domain, taints }));
}
