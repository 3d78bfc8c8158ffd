import type { Offering } from '../../instance-types/instance-type.ts';

/**
 * The free places of capacity reservations while a round plans nodes.
 *
 * A node may hold several although it will use one: until its instance type and zone are settled,
 * the one that it will use is unknown. Holders are host names.
 */
export class Reservations {
  readonly #left = new Map<string, number>();
  readonly #held = new Map<string, ReadonlySet<string>>();

  /** @param offerings the offerings of all pools; where they disagree about a reservation, the smallest count is used */
  constructor(offerings: Iterable<Offering>) {
    for (const { reservation } of offerings) {
      if (reservation === undefined) continue;
      const { id, remaining } = reservation;
      this.#left.set(id, Math.min(remaining, this.#left.get(id) ?? Infinity));
    }
  }

  /**
   * Whether a node holds a place already or could have one.
   * @throws for a reservation that no offering of the round is from
   */
  canHold(host: string, id: string): boolean {
    return this.#isHeld(host, id) || this.#leftIn(id) > 0;
  }

  /** Lets a node hold places in exactly these reservations. It releases its other places. */
  hold(host: string, ids: Iterable<string>): void {
    const wanted = new Set(ids);
    for (const id of wanted) {
      if (this.#isHeld(host, id)) continue;
      if (this.#leftIn(id) <= 0) throw new Error(`reservation ${id} has no place left for ${host}`);
      this.#left.set(id, this.#leftIn(id) - 1);
    }
    for (const id of this.#held.get(host) ?? []) if (!wanted.has(id)) this.#left.set(id, this.#leftIn(id) + 1);
    this.#held.set(host, wanted);
  }

  #isHeld(host: string, id: string): boolean {
    return this.#held.get(host)?.has(id) ?? false;
  }

  #leftIn(id: string): number {
    const left = this.#left.get(id);
    if (left === undefined) throw new Error(`reservation ${id} is not of this round`);
    return left;
  }
}
