import { oncePerObject, type Taint, type Toleration } from '@nodewright/apis';
import { requirementFor, allowsValue, type Requirements } from '@nodewright/requirements';
import { toleratesAll, toleratesPreferNoSchedule } from '../../pods/tolerations.ts';
import { cheapestDomainsFirst, type DomainPricedType } from './cheapest-domains.ts';
import type { UnforeseenDomain } from './unforeseen-domains.ts';

/** The part of a pool that decides its domains. */
export type DomainSource = {
  readonly taints: readonly Taint[];
  /** The pool's requirements and template labels. */
  readonly requirements: Requirements;
  readonly types: readonly DomainPricedType[];
};

/** Every domain of a key that some pool could open, the cheapest of the first pool first; with tolerations, those behind tolerated taints only. PreferNoSchedule keeps nobody out. */
export class DomainUniverse {
  readonly #sources: readonly DomainSource[];
  readonly #opened: readonly UnforeseenDomain[];
  readonly #first: number;

  /**
   * @param opened domains that pools do not list, but that pods are known to open
   * @param first how many of the cheapest domains move to the end
   */
  constructor(sources: readonly DomainSource[], opened: readonly UnforeseenDomain[], first = 0) {
    this.#sources = sources;
    this.#opened = opened;
    this.#first = first;
  }

  domains(key: string, tolerations: readonly Toleration[] | undefined): ReadonlySet<string> {
    const isReachable = ({ taints }: Pick<DomainSource, 'taints'>): boolean =>
      tolerations === undefined || toleratesAll(taints, [...tolerations, toleratesPreferNoSchedule]);
    const domains = new Set([
      ...this.#sources.filter(isReachable).flatMap((source) => domainsOfSource(source, key)),
      ...this.#opened.filter((each) => each.key === key && isReachable(each)).map(({ domain }) => domain),
    ]);
    return this.#first === 0 ? domains : beginningAfter(this.#first % Math.max(1, domains.size), [...domains]);
  }
}

const beginningAfter = (count: number, domains: readonly string[]): ReadonlySet<string> =>
  new Set([...domains.slice(count), ...domains.slice(0, count)]);

/** The domains depend only on the pool and its types. */
const domainsByKey = oncePerObject((source: DomainSource) => {
  const byKey = new Map<string, readonly string[]>();
  return (key: string): readonly string[] => {
    const domains = byKey.get(key) ?? openedBy(source, key);
    byKey.set(key, domains);
    return domains;
  };
});

/** The domains of a key that a pool could open, the cheapest first. */
export const domainsOfSource = (source: DomainSource, key: string): readonly string[] => domainsByKey(source)(key);

/** Values that the pool lists, and values of its types that the pool allows. All types count, available or not. */
function openedBy(source: DomainSource, key: string): readonly string[] {
  const { requirements, types } = source;
  if (types.length === 0) return [];
  const ofPool = requirementFor(requirements, key);
  const found = new Set<string>(ofPool.complement ? [] : ofPool.values);
  for (const type of types) {
    const ofType = requirementFor(type.requirements, key);
    if (!ofType.complement) for (const value of ofType.values) if (allowsValue(ofPool, value)) found.add(value);
  }
  return cheapestDomainsFirst(key, [...found], source);
}
