import { instant, type Instant } from '@nodewright/apis';
import type { Clock, Random, Ledger } from '@nodewright/runtime';
import { noSuchReservation, reservationFull } from './errors.ts';
import type { ReservationWish } from './instance.ts';
import type { TagBook, TagSet } from './tags.ts';

export type CapacityReservation = {
  readonly id: string;
  readonly instanceType: string;
  readonly zone: string;
  readonly zoneId: string;
  readonly count: number;
  /** `open` takes every instance that fits, `targeted` only instances that name the reservation. */
  readonly criteria: 'open' | 'targeted';
  readonly platform: string;
  readonly tenancy: string;
  readonly createdAt: Instant;
  readonly endsAt?: Instant;
  readonly cancelled?: boolean;
  readonly clientToken?: string;
  /** The reservation that an interruptible one has its capacity from. */
  readonly lentBy?: string;
  /** What was given to an interruptible reservation. */
  readonly lending?: Lending;
};

export type Lending = {
  readonly to: string;
  /** How much the interruptible reservation is to have. */
  readonly target: number;
  /** How much comes back as soon as no instance uses it. */
  readonly returning: number;
};

export type NewReservation = Omit<CapacityReservation, 'id' | 'createdAt' | 'cancelled'>;

type ReservationPlace = { readonly instanceType: string; readonly zone: string };

type CapacityReservationsDeps = {
  readonly clock: Clock;
  readonly random: Random;
  readonly tags: TagBook;
  readonly ledger: Ledger;
};

/** What the account has reserved, and will be remembered to have reserved. */
export class CapacityReservationModel {
  readonly #deps: CapacityReservationsDeps;
  readonly #byId: Map<string, CapacityReservation>;

  constructor(deps: CapacityReservationsDeps) {
    this.#deps = deps;
    this.#byId = deps.ledger.map('ec2/capacity-reservations');
  }

  /** In the order in which they were made. */
  all(): readonly CapacityReservation[] {
    return [...this.#byId.values()];
  }

  create(wanted: NewReservation, tags: TagSet): CapacityReservation {
    const id = `cr-0${this.#deps.random.hex(16)}`;
    const reservation = { ...wanted, id, createdAt: this.#deps.clock.now() };
    this.#byId.set(id, reservation);
    this.#deps.tags.add(id, tags);
    return reservation;
  }

  /** @throws AwsError when there is none of this id */
  get(id: string): CapacityReservation {
    const reservation = this.#byId.get(id);
    if (reservation === undefined) throw noSuchReservation(id);
    return reservation;
  }

  replace(reservation: CapacityReservation): void {
    this.#byId.set(reservation.id, reservation);
  }

  stateOf({ cancelled, endsAt }: CapacityReservation): 'active' | 'cancelled' | 'expired' {
    if (cancelled === true) return 'cancelled';
    return endsAt !== undefined && endsAt <= this.#deps.clock.now() ? 'expired' : 'active';
  }

  /**
   * The reservation that an instance comes from, if from any.
   * @param used how many instances a reservation holds already
   * @throws AwsError when the launch insists on one that is not there or has no room
   */
  taking(place: ReservationPlace, wish: ReservationWish, used: (id: string) => number): string | undefined {
    if (wish.target !== undefined) return this.#target(wish.target, place, used);
    if (wish.preference === 'none') return undefined;
    const open = this.all().find(
      (each) => each.criteria === 'open' && this.#suits(each, place) && used(each.id) < each.count,
    );
    if (open === undefined && wish.preference === 'capacity-reservations-only') throw reservationFull();
    return open?.id;
  }

  #target(id: string, place: ReservationPlace, used: (id: string) => number): string {
    const reservation = this.get(id);
    if (!this.#suits(reservation, place) || used(id) >= reservation.count) throw reservationFull();
    return id;
  }

  #suits(reservation: CapacityReservation, { instanceType, zone }: ReservationPlace): boolean {
    return (
      this.stateOf(reservation) === 'active' && reservation.instanceType === instanceType && reservation.zone === zone
    );
  }
}

/** Ends are told to the second. */
export const readEndDate = (date: Date | undefined): { readonly endsAt?: Instant } =>
  date === undefined ? {} : { endsAt: instant(date.getTime()) };
