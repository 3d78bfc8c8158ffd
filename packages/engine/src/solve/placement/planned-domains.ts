import { allowsValue, type Requirements } from '@nodewright/requirements';
import { bitSet, removeBit, withBit, type BitSet } from '../bit-set.ts';

/** The most domains of a label that are kept apart. With more, the nodes are asked one by one. */
const mostDomainsKept = 64;

/** The domains that each planned node may still get: one bit set of nodes for each domain. */
export class PlannedDomains {
  readonly #byKey = new Map<string, Map<string, BitSet>>();

  /** @param keys the labels that rules are about, with their domains */
  constructor(keys: ReadonlyMap<string, ReadonlySet<string>>) {
    for (const [key, domains] of keys) {
      if (domains.size > mostDomainsKept) continue;
      this.#byKey.set(key, new Map([...domains].map((domain) => [domain, bitSet(0)])));
    }
  }

  /** Records the new requirements of a node. */
  note(node: number, before: Requirements | undefined, now: Requirements): void {
    if (before === now) return;
    for (const [key, domains] of this.#byKey) {
      const r = now.get(key);
      if (before !== undefined && before.get(key) === r) continue;
      for (const [domain, nodes] of domains) {
        if (r !== undefined && !allowsValue(r, domain)) {
          removeBit(nodes, node);
          continue;
        }
        const roomy = withBit(nodes, node);
        if (roomy !== nodes) domains.set(domain, roomy);
      }
    }
  }

  /** The nodes that may be in a domain; `undefined` when the domains of the label are not kept. */
  nodesIn(key: string, domain: string): BitSet | undefined {
    return this.#byKey.get(key)?.get(domain);
  }
}
