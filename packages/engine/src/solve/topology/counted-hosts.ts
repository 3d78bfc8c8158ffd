import { bitSet, withBit } from '../bit-set.ts';
import type { BitSet } from '../bit-set.ts';

/** How many pods a rule over hosts counts on each planned node, with a set of the full nodes. */
export class CountedHosts {
  readonly #maxSkew: number;
  readonly #counts: number[] = [];
  #occupied = bitSet(0);
  #full = bitSet(0);
  #overfull = bitSet(0);

  constructor(maxSkew: number) {
    this.#maxSkew = maxSkew;
  }

  /** Planned nodes with a pod. */
  get occupied(): BitSet {
    return this.#occupied;
  }

  /** Planned nodes where one more pod that counts would break the skew. */
  get full(): BitSet {
    return this.#full;
  }

  /** Planned nodes where the skew is broken already. */
  get overfull(): BitSet {
    return this.#overfull;
  }

  record(node: number): void {
    const count = (this.#counts[node] ?? 0) + 1;
    this.#counts[node] = count;
    this.#occupied = withBit(this.#occupied, node);
    if (count >= this.#maxSkew) this.#full = withBit(this.#full, node);
    if (count > this.#maxSkew) this.#overfull = withBit(this.#overfull, node);
  }
}
