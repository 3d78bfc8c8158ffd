import {
  type CapacityReservation,
  DescribeCapacityReservationsCommand,
  type DescribeCapacityReservationsCommandInput,
  type Filter,
} from '@aws-sdk/client-ec2';
import { byTextOf, type EC2NodeClass, minutes } from '@nodewright/apis';
import type { FoundReservation } from '@nodewright/ports';
import { askInParts } from '../../caching/divided-batch.ts';
import { ExpiringCache } from '../../caching/expiring-cache.ts';
import { isAwsNotFound } from '../../calls/error-codes.ts';
import type { AwsContext } from '../../context.ts';
import { readAllPages } from '../../calls/pages.ts';
import { tagFilters } from '../filters.ts';
import { reservationFrom } from './found-reservation.ts';

type ReservationTerm = NonNullable<EC2NodeClass['spec']['capacityReservationSelectorTerms']>[number];

/** Finds capacity reservations and keeps count of the room in them between two looks. */
export class ReservationLookup {
  readonly #context: AwsContext;
  readonly #isOn: boolean;
  readonly #found: ExpiringCache<readonly CapacityReservation[]>;
  readonly #remaining = new Map<string, number>();
  /** Which reservation each instance that was launched here, or seen, takes a place in. */
  readonly #placeOf = new Map<string, string>();
  #changes = 0;

  /** @param isOn the gate `ReservedCapacity`; while it is off, nothing is asked and nothing found */
  constructor(context: AwsContext, isOn: boolean) {
    this.#context = context;
    this.#isOn = isOn;
    this.#found = new ExpiringCache(context.clock, minutes(1), context.freshness.market);
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  /** The reservations of the selector that have not ended, sorted by id. */
  find({ spec }: EC2NodeClass, signal: AbortSignal): Promise<readonly FoundReservation[]> {
    return this.#matching(spec.capacityReservationSelectorTerms ?? [], signal);
  }

  /** The reservations with these ids that have not ended, sorted by id. */
  named(ids: readonly string[], signal: AbortSignal): Promise<readonly FoundReservation[]> {
    const terms = ids.map((id) => ({ id }));
    return this.#matching(terms, signal);
  }

  /** How many more instances a reservation takes: what EC2 said last, less what was launched since. */
  remainingIn(id: string): number {
    return this.#remaining.get(id) ?? 0;
  }

  launched(instanceId: string, id: string): void {
    this.sawInstance(instanceId, id);
    this.#set(id, Math.max(0, this.remainingIn(id) - 1));
  }

  sawInstance(instanceId: string, id: string): void {
    this.#placeOf.set(instanceId, id);
  }

  /** The instance is gone for certain: its place is free again. */
  ended(instanceId: string): void {
    const id = this.#placeOf.get(instanceId);
    if (id === undefined) return;
    this.#placeOf.delete(instanceId);
    this.#set(id, this.remainingIn(id) + 1);
  }

  /** EC2 refused a launch from it. */
  exhausted(id: string): void {
    this.#set(id, 0);
  }

  /** Another number whenever the room in some reservation may be another. */
  version(): number {
    return this.#changes;
  }

  async #matching(terms: readonly ReservationTerm[], signal: AbortSignal): Promise<readonly FoundReservation[]> {
    if (!this.#isOn || terms.length === 0) return [];
    const described = await this.#found.remember(JSON.stringify(terms), () => this.#look(terms, signal));
    const now = this.#context.clock.now();
    return described.flatMap((each) => reservationFrom(each, now) ?? []).toSorted(byTextOf(({ id }) => id));
  }

  #set(id: string, remaining: number): void {
    if (this.#remaining.get(id) === remaining) return;
    this.#remaining.set(id, remaining);
    this.#changes += 1;
  }

  async #look(terms: readonly ReservationTerm[], signal: AbortSignal): Promise<readonly CapacityReservation[]> {
    const lists = await Promise.all(requestsFor(terms).map((request) => this.#describe(request, signal)));
    const found = new Map(lists.flat().map((each) => [each.CapacityReservationId ?? '', each]));
    for (const [id, { AvailableInstanceCount = 0 }] of found) this.#set(id, AvailableInstanceCount);
    return [...found.values()];
  }

  /** An id that is gone hides the others of its call: then they are asked for without it. */
  async #describe(
    request: DescribeCapacityReservationsCommandInput,
    signal: AbortSignal,
  ): Promise<readonly CapacityReservation[]> {
    const { CapacityReservationIds: ids, ...rest } = request;
    if (ids === undefined) return this.#pagesOf(rest, signal);
    const found: CapacityReservation[] = [];
    const failures = await askInParts(ids, async (part) => {
      found.push(...(await this.#pagesOf({ ...rest, CapacityReservationIds: [...part] }, signal)));
    });
    for (const { error, isOwn } of failures.values()) if (!isOwn || !isAwsNotFound(error)) throw error;
    return found;
  }

  async #pagesOf(
    request: DescribeCapacityReservationsCommandInput,
    signal: AbortSignal,
  ): Promise<readonly CapacityReservation[]> {
    const { call, clients } = this.#context;
    const pages = await readAllPages((NextToken) =>
      call(
        (options) => clients.ec2.send(new DescribeCapacityReservationsCommand({ ...request, NextToken }), options),
        signal,
      ),
    );
    return pages.flatMap(({ CapacityReservations: found = [] }) => found);
  }
}

const active: Filter = { Name: 'state', Values: ['active'] };

/** All ids in one request, and one for each other term. */
function requestsFor(terms: readonly ReservationTerm[]): readonly DescribeCapacityReservationsCommandInput[] {
  const ids = terms.flatMap(({ id }) => id ?? []);
  const others = terms.filter(({ id, tags, instanceMatchCriteria }) =>
    id === undefined ? true : tags !== undefined || instanceMatchCriteria !== undefined,
  );
  return [
    ...(ids.length === 0 ? [] : [{ CapacityReservationIds: ids, Filters: [active] }]),
    ...others.map((term) => ({ Filters: [active, ...filtersOf(term)], MaxResults: 500 })),
  ];
}

const filtersOf = ({ ownerID, tags, instanceMatchCriteria }: ReservationTerm): Filter[] => [
  ...(ownerID === undefined ? [] : [{ Name: 'owner-id', Values: [ownerID] }]),
  ...(instanceMatchCriteria === undefined
    ? []
    : [{ Name: 'instance-match-criteria', Values: [instanceMatchCriteria] }]),
  ...tagFilters(tags),
];
