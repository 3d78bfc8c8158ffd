import { byNumberOf } from '@nodewright/apis';
import { requirementsIntersect, requirementText, type Requirements } from '@nodewright/requirements';
import { addBit, bitSet, type BitSet } from '../bit-set.ts';
import type { InstanceType } from '../../instance-types/instance-type.ts';

/** What can be bought now under some requirements. Types are numbers, in the order given. */
export type PurchaseOption = {
  /** Types with an available offering. */
  readonly offered: BitSet;
  /** All types, the cheapest first, equal prices in the order given, unavailable types at the end. */
  readonly cheapestFirst: readonly number[];
  /** The lowest price of a type; infinite where it is unavailable. */
  readonly priceOf: (type: number) => number;
};

/** An available offering: its price, the number of lower prices, and the number of its combination of labels. */
type Offer = { readonly price: number; readonly rank: number; readonly way: number };

/**
 * What can be bought now of some types. There are few combinations of zone and capacity type, so
 * requirements are compared with the combinations and not with every offering.
 */
export class Offers {
  /** The labels of offerings, sorted. */
  readonly labels: readonly string[];
  readonly #ways: readonly Requirements[];
  /** The offerings of each type, the cheapest first. */
  readonly #ofType: readonly (readonly Offer[])[];
  /** The rank of an unavailable type. */
  readonly #unbuyable: number;

  constructor(types: readonly Pick<InstanceType, 'offerings'>[]) {
    const labels = new Set<string>();
    const numbers = new Map<string, number>();
    const known = new Map<Requirements, number>();
    const ways: Requirements[] = [];
    const wayOf = (requirements: Requirements): number => known.get(requirements) ?? numberWay(requirements);
    const numberWay = (requirements: Requirements): number => {
      let text = '';
      for (const [label, r] of requirements) {
        labels.add(label);
        text += `${label} ${requirementText(r)} `;
      }
      const number = numbers.get(text) ?? ways.length;
      if (number === ways.length) ways.push(requirements);
      numbers.set(text, number);
      known.set(requirements, number);
      return number;
    };
    const rankOf = ranks(types.flatMap(({ offerings }) => offerings.map((offering) => offering.priceMicroUsdPerHour)));
    this.#ofType = types.map(({ offerings }) =>
      offerings
        .map((offering) => ({ ...offering, way: wayOf(offering.requirements) }))
        .filter(({ available }) => available)
        .map(({ priceMicroUsdPerHour: price, way }) => ({ price, rank: rankOf.get(price) ?? 0, way }))
        .toSorted(byNumberOf(({ rank }) => rank)),
    );
    this.#unbuyable = rankOf.size;
    this.#ways = ways;
    this.labels = [...labels].toSorted();
  }

  under(requirements: Requirements): PurchaseOption {
    const isOpen = this.#ways.map((way) => requirementsIntersect(requirements, way));
    const cheapestOf = (type: number): Offer | undefined => this.#ofType[type]?.find(({ way }) => isOpen[way]);
    const count = this.#ofType.length;
    const offered = bitSet(count);
    // Numbers sort faster than with a comparison function: by rank, then in the order given.
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

/** The number of lower amounts, for each amount. */
function ranks(amounts: readonly number[]): ReadonlyMap<number, number> {
  const rising = Float64Array.from(new Set(amounts)).toSorted();
  return new Map(Array.from(rising, (amount, rank) => [amount, rank]));
}
