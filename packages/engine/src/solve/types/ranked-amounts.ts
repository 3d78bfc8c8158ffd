import { byNumber, byNumberOf, inReverse } from '@nodewright/apis';
import { addBit, bitSet, dropCommon, hasBit, keepCommon, type BitSet } from '../bit-set.ts';

/** The amount of one resource for each item, ranked, so that items with enough are found without a loop over all. */
export class RankedAmounts {
  /** Distinct amounts, rising. */
  readonly #amounts: readonly number[];
  /** By rank of amount: the items with at least that amount. */
  readonly #atLeast: readonly BitSet[];
  /** Items from the largest amount to the smallest. */
  readonly #largestFirst: readonly number[];
  readonly #of: readonly number[];

  constructor(amounts: readonly number[]) {
    this.#of = amounts;
    this.#amounts = [...new Set(amounts)].toSorted(byNumber);
    this.#largestFirst = amounts.map((_, thing) => thing).toSorted(inReverse(byNumberOf((each) => amounts[each] ?? 0)));
    this.#atLeast = this.#sets(amounts.length);
  }

  #sets(count: number): readonly BitSet[] {
    const growing = bitSet(count);
    let next = 0;
    const sets = this.#amounts.toReversed().map((amount) => {
      for (let thing = this.#largestFirst[next]; thing !== undefined && this.#of[thing] === amount;) {
        addBit(growing, thing);
        next += 1;
        thing = this.#largestFirst[next];
      }
      return growing.slice();
    });
    return sets.toReversed();
  }

  /** Keeps in `set` only items with at least `wanted`. */
  keepAtLeast(wanted: number, set: BitSet): void {
    const rank = this.#rankOf(wanted);
    if (rank === 0) return;
    const enough = this.#atLeast[rank];
    if (enough === undefined) set.fill(0);
    else keepCommon(set, enough);
  }

  /** Keeps in `set` only items with at most `most`. */
  keepAtMost(most: number, set: BitSet): void {
    const rank = this.#rankOf(most + 1);
    const tooMuch = this.#atLeast[rank];
    if (tooMuch !== undefined) dropCommon(set, tooMuch);
  }

  /** The largest amount that a member of `set` has; minus infinity when it is empty. */
  largestIn(set: BitSet): number {
    for (const thing of this.#largestFirst) if (hasBit(set, thing)) return this.#of[thing] ?? 0;
    return -Infinity;
  }

  /** How many of the distinct amounts are smaller than `wanted`. */
  #rankOf(wanted: number): number {
    let low = 0;
    let high = this.#amounts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#amounts[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
