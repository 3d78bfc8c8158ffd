import { intersects } from '../requirements/compatibility.ts';
import { requirementText } from '../requirements/requirement-text.ts';
import type { Requirements } from '../requirements/requirements.ts';
import { addBit, bitSet } from './bit-set.ts';
import type { BitSet } from './bit-set.ts';
import type { InstanceType } from './instance-type.ts';

/** How a set of requirements lets the types be bought now. Types are numbers, in the order given. */
export type Purchase = {
  /** Types with an available offering. */
  readonly offered: BitSet;
  /** All types, the cheapest first, in the order given among equals; those that cannot be had at the end. */
  readonly cheapestFirst: readonly number[];
};

/** An available offering: its price, and which of the ways to buy it is. */
type Offer = { readonly price: number; readonly way: number };

/**
 * What can be bought now of some types. There are few ways to buy (a zone, a capacity type), so
 * requirements are held against the ways and not against every offering.
 */
export class Offers {
  /** The labels that a way to buy decides, sorted. */
  readonly labels: readonly string[];
  readonly #ways: readonly Requirements[];
  /** By type, the cheapest first. */
  readonly #ofType: readonly (readonly Offer[])[];

  constructor(types: readonly Pick<InstanceType, 'offerings'>[]) {
    const labels = new Set<string>();
    const numbers = new Map<string, number>();
    const ways: Requirements[] = [];
    const wayOf = (requirements: Requirements): number => {
      let text = '';
      for (const [label, r] of requirements) {
        labels.add(label);
        text += `${label} ${requirementText(r)} `;
      }
      const number = numbers.get(text) ?? ways.length;
      if (number === ways.length) ways.push(requirements);
      numbers.set(text, number);
      return number;
    };
    this.#ofType = types.map(({ offerings }) =>
      offerings
        .map((offering) => ({ ...offering, way: wayOf(offering.requirements) }))
        .filter(({ available }) => available)
        .map(({ priceMicroUsdPerHour, way }) => ({ price: priceMicroUsdPerHour, way }))
        .toSorted((a, b) => a.price - b.price),
    );
    this.#ways = ways;
    this.labels = [...labels].toSorted();
  }

  under(requirements: Requirements): Purchase {
    const isOpen = this.#ways.map((way) => intersects(requirements, way));
    const prices = this.#ofType.map((offers) => offers.find(({ way }) => isOpen[way])?.price ?? Infinity);
    const offered = bitSet(prices.length);
    for (const [index, price] of prices.entries()) if (price !== Infinity) addBit(offered, index);
    const cheapestFirst = prices
      .map((_, index) => index)
      .toSorted((a, b) => compare(prices[a] ?? 0, prices[b] ?? 0) || a - b);
    return { offered, cheapestFirst };
  }
}

const compare = (a: number, b: number): number => (a === b ? 0 : a - b);
