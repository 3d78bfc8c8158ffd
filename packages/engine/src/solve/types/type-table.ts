import { readOwn, byNumber, byNumberOf, inOrder, inReverse } from '@nodewright/apis';
import {
  requirementsIntersect,
  admitsRequirement,
  requirementText,
  type Requirement,
  type Requirements,
} from '@nodewright/requirements';
import { addBit, bitSet, bitsOf, containsAll, fullBitSet, hasBit, keepCommon, type BitSet } from '../bit-set.ts';
import type { InstanceType, Offering, Resources } from '../../instance-types/instance-type.ts';
import type { TypeOption } from './type-option.ts';
import { Offers, type PurchaseOption } from './offers.ts';
import { RankedAmounts } from './ranked-amounts.ts';
import type { ResourceRow } from '../../instance-types/resource-rows.ts';

/** Options and their types, in the same order. */
export type TypeListing = { readonly options: readonly TypeOption[]; readonly types: readonly InstanceType[] };

/** The number of an option and its lowest price, which is infinite where none is available. */
export type CheapestMember = { readonly option: number; readonly price: number };

const noMember: CheapestMember = { option: -1, price: Infinity };

/**
 * The instance types of one pool, prepared so that sets of them are narrowed word by word: by
 * required labels, by availability, by amounts that have to fit. Every answer is worked out once.
 */
export class TypeTable {
  readonly options: readonly TypeOption[];
  readonly all: BitSet;
  /** Whether the offerings of some type differ in what a node has, so that the type is more than one option. */
  readonly isSplit: boolean;
  /** Every available reserved offering, with the number of its option. */
  readonly reserved: readonly { readonly option: number; readonly offering: Offering }[];
  /** The different amounts that daemons take on its options. */
  readonly overheads: readonly Resources[];
  readonly #labels: ReadonlySet<string>;
  readonly #meeting = new Map<string, BitSet>();
  readonly #offers: Offers;
  readonly #purchases = new Map<string, PurchaseOption>();
  /** All available types, prepared before the round, because many nodes may still be any of them. */
  readonly #whole = new Map<PurchaseOption, TypeListing>();
  readonly #available: readonly RankedAmounts[];
  readonly #roomiestFirst: readonly number[];
  readonly #capacity = new Map<string, RankedAmounts>();

  /** @param width the number of resources that types and daemons name */
  constructor(options: readonly TypeOption[], width: number) {
    this.options = options;
    this.all = fullBitSet(options.length);
    this.isSplit = options.some(({ type, whole }) => type !== whole);
    this.reserved = options.flatMap(({ type }, option) => reservedOf(type).map((offering) => ({ option, offering })));
    this.overheads = [...new Set(options.map(({ daemons }) => daemons.requests))];
    this.#labels = new Set(options.flatMap(({ type }) => [...type.requirements.keys()]));
    this.#offers = new Offers(options.map(({ type }) => type));
    this.#available = Array.from(
      { length: width },
      (_, resource) => new RankedAmounts(options.map(({ available }) => available[resource] ?? 0)),
    );
    this.#roomiestFirst = roomiestFirst(options, this.largestAvailable(this.all));
  }

  /** Prepares what can be bought under requirements. */
  prepare(requirements: Requirements): void {
    const purchase = this.#purchase(requirements);
    this.#whole.set(purchase, this.#listing(purchase, purchase.offered, Infinity));
  }

  /** Prepares the amounts of the resources that a pool limits. */
  prepareLimits(limited: readonly string[]): void {
    for (const resource of limited) this.#capacityOf(resource);
  }

  /** The labels that offerings differ in, sorted. */
  get offerLabels(): readonly string[] {
    return this.#offers.labels;
  }

  /** Keeps the options that a requirement on one label admits. */
  keepMeeting(r: Requirement, set: BitSet): void {
    if (!this.#labels.has(r.key)) return;
    const identity = `${r.key} ${requirementText(r)}`;
    let meeting = this.#meeting.get(identity);
    if (meeting === undefined) {
      meeting = this.#which(({ type }) => admitsRequirement(type.requirements, r));
      this.#meeting.set(identity, meeting);
    }
    keepCommon(set, meeting);
  }

  /** Keeps the options with an available offering that the requirements admit. */
  keepOffered(requirements: Requirements, set: BitSet): void {
    keepCommon(set, this.#purchase(requirements).offered);
  }

  /** Whether a requirement on this label may change what can be bought. */
  decidesOffers(label: string): boolean {
    return this.#offers.labels.includes(label);
  }

  /** Keeps the options on which this amount fits beside their daemons. No type has the resources after those of the types. */
  keepFitting(total: ResourceRow, set: BitSet): void {
    for (let resource = 0; resource < total.length; resource++) {
      const amounts = this.#available[resource];
      if (amounts !== undefined) amounts.keepAtLeast(total[resource] ?? 0, set);
      else if ((total[resource] ?? 0) > 0) set.fill(0);
    }
  }

  /** The most of each resource that any member has beside its daemons. */
  largestAvailable(set: BitSet): ResourceRow {
    return this.#available.map((amounts) => amounts.largestIn(set));
  }

  /** The member with the most room beside its daemons over all resources; `undefined` for an empty set. */
  roomiest(set: BitSet): TypeOption | undefined {
    for (const index of this.#roomiestFirst) if (hasBit(set, index)) return this.options[index];
    return undefined;
  }

  /** The largest capacity of a resource among the members; zero where no type has it. */
  largestCapacity(resource: string, set: BitSet): number {
    return Math.max(0, this.#capacityOf(resource).largestIn(set));
  }

  /** Keeps the options whose capacity of a resource is at most this amount. */
  keepSmaller(resource: string, most: number, set: BitSet): void {
    this.#capacityOf(resource).keepAtMost(most, set);
  }

  #capacityOf(resource: string): RankedAmounts {
    let amounts = this.#capacity.get(resource);
    if (amounts === undefined) {
      amounts = new RankedAmounts(this.options.map(({ type }) => readOwn(type.capacity, resource) ?? 0));
      this.#capacity.set(resource, amounts);
    }
    return amounts;
  }

  /** The cheapest members under the requirements, at most `most`, the cheapest first. */
  cheapestFirst(set: BitSet, requirements: Requirements, most: number): TypeListing {
    const purchase = this.#purchase(requirements);
    const whole = this.#whole.get(purchase);
    const isWhole = whole !== undefined && whole.options.length <= most && containsAll(set, purchase.offered);
    return isWhole ? whole : this.#listing(purchase, set, most);
  }

  #listing({ cheapestFirst }: PurchaseOption, set: BitSet, most: number): TypeListing {
    const options: TypeOption[] = [];
    const types: InstanceType[] = [];
    for (let i = 0; i < cheapestFirst.length && options.length < most; i++) {
      const index = cheapestFirst[i] as number;
      if (!hasBit(set, index)) continue;
      const option = this.options[index] as TypeOption;
      options.push(option);
      types.push(option.type);
    }
    return { options, types };
  }

  /** The cheapest member under the requirements; option -1 where the set is empty. */
  cheapestIn(set: BitSet, requirements: Requirements): CheapestMember {
    const { cheapestFirst, priceOf } = this.#purchase(requirements);
    for (let i = 0; i < cheapestFirst.length; i++) {
      const option = cheapestFirst[i] as number;
      if (hasBit(set, option)) return { option, price: priceOf(option) };
    }
    return noMember;
  }

  members(set: BitSet): readonly TypeOption[] {
    return bitsOf(set).flatMap((index) => this.options[index] ?? []);
  }

  /** A text that is equal for requirements under which the same types are available at the same prices. */
  purchaseIdentity(requirements: Requirements): string {
    let identity = '';
    for (const label of this.#offers.labels) {
      const r = requirements.get(label);
      identity += r === undefined ? '|' : `|${requirementText(r)}`;
    }
    return identity;
  }

  #purchase(requirements: Requirements): PurchaseOption {
    const identity = this.purchaseIdentity(requirements);
    let purchase = this.#purchases.get(identity);
    if (purchase === undefined) {
      purchase = this.#offers.under(requirements);
      this.#purchases.set(identity, purchase);
    }
    return purchase;
  }

  #which(holds: (option: TypeOption) => boolean): BitSet {
    const set = bitSet(this.options.length);
    for (const [index, option] of this.options.entries()) if (holds(option)) addBit(set, index);
    return set;
  }
}

const reservedOf = ({ offerings }: InstanceType): readonly Offering[] =>
  offerings.filter(({ reservation, available }) => reservation !== undefined && available);

/** Sorts options by the sum of their shares of the largest amount of each resource. */
function roomiestFirst(options: readonly TypeOption[], largest: ResourceRow): readonly number[] {
  const room = options.map(({ available }) =>
    available.reduce((sum, amount, resource) => sum + amount / Math.max(1, largest[resource] ?? 1), 0),
  );
  return room.map((_, index) => index).toSorted(inOrder(inReverse(byNumberOf((each) => room[each] ?? 0)), byNumber));
}

type Purchasable = Pick<TypeOption['type'], 'offerings'>;

/** The lowest price of an available offering within the requirements; infinite when there is none. */
export function cheapestPrice(type: Purchasable, requirements: Requirements): number {
  let cheapest = Infinity;
  for (const { available, priceMicroUsdPerHour, requirements: offered } of type.offerings) {
    if (available && priceMicroUsdPerHour < cheapest && requirementsIntersect(requirements, offered))
      cheapest = priceMicroUsdPerHour;
  }
  return cheapest;
}
