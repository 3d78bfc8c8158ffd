import { intersects, requirementText, type Requirements } from '@nodewright/requirements';
import { addBit, bitSet, type BitSet } from '../bit-set.ts';
import type { InstanceType } from '../../instance-types/instance-type.ts';

/** How a set of requirements lets the types be bought now. Types are numbers, in the order given. */
export type Purchase = {
  /** Types with an available offering. */
  readonly offered: BitSet;
  /** All types, the cheapest first, in the order given among equals; those that cannot be had at the end. */
  readonly cheapestFirst: readonly number[];
  /** The lowest price of a type; infinite where it cannot be had. */
  readonly priceOf: (type: number) => number;
};

/** An available offering: its price, how many lower prices there are, and which of the ways to buy it is. */
type Offer = { readonly price: number; readonly rank: number; readonly way: number };

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
  /** The rank of what cannot be had. */
  readonly #unbuyable: number;

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
    const rankOf = ranks(types.flatMap(({ offerings }) => offerings.map((offering) => offering.priceMicroUsdPerHour)));
    this.#ofType = types.map(({ offerings }) =>
      offerings
        .map((offering) => ({ ...offering, way: wayOf(offering.requirements) }))
        .filter(({ available }) => available)
        .map(({ priceMicroUsdPerHour: price, way }) => ({ price, rank: rankOf.get(price) ?? 0, way }))
        .toSorted((a, b) => a.rank - b.rank),
    );
    this.#unbuyable = rankOf.size;
    this.#ways = ways;
    this.labels = [...labels].toSorted();
  }

  under(requirements: Requirements): Purchase {
    const isOpen = this.#ways.map((way) => intersects(requirements, way));
    const cheapestOf = (type: number): Offer | undefined => this.#ofType[type]?.find(({ way }) => isOpen[way]);
    const count = this.#ofType.length;
    const offered = bitSet(count);
    // Numbers are sorted faster than by comparing: by rank, then in the order given.
    const places = new Float64Array(count);
    for (let type = 0; type < count; type++) {
      const cheapest = cheapestOf(type);
      if (cheapest !== undefined) addBit(offered, type);
      places[type] = (cheapest?.rank ?? this.#unbuyable) * count + type;
    }
    return {
      offered,
      cheapestFirst: Array.from(places.toSorted(), (place) => place % count),
      priceOf: (type) => cheapestOf(type)?.price ?? Infinity,
    };
  }
}

/** How many lower ones there are of each amount. */
function ranks(amounts: readonly number[]): ReadonlyMap<number, number> {
  const rising = Float64Array.from(new Set(amounts)).toSorted();
  return new Map(Array.from(rising, (amount, rank) => [amount, rank]));
}
