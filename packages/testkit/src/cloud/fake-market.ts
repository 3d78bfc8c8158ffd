import { type Instant, minutes } from '@nodewright/apis';
import type { InstanceType } from '@nodewright/engine';
import type { SoldInstanceType } from '@nodewright/ports';

const takenBackForMs = minutes(3);

/** Instance types in memory. Spot capacity that was taken back is not on offer for three minutes. */
export class FakeMarket {
  readonly #now: () => Instant;
  readonly #types: readonly InstanceType[];
  /** By type and zone. */
  readonly #takenBackAt = new Map<string, Instant>();
  #latest: { readonly withheld: string; readonly types: readonly InstanceType[] };

  constructor(now: () => Instant, types: readonly InstanceType[]) {
    this.#now = now;
    this.#types = types;
    this.#latest = { withheld: '', types };
  }

  takeSpotBack(instanceType: string, zone: string): void {
    this.#takenBackAt.set(`${instanceType} ${zone}`, this.#now());
  }

  /** The same list as long as the same capacity is withheld. */
  list(): readonly InstanceType[] {
    const withheld = [...this.#takenBackAt].filter(([, at]) => this.#now() < at + takenBackForMs).map(([key]) => key);
    const text = withheld.join();
    if (text !== this.#latest.withheld) {
      const types = withheld.length === 0 ? this.#types : this.#types.map((type) => withholdSpot(type, withheld));
      this.#latest = { withheld: text, types };
    }
    return this.#latest.types;
  }

  named(names: readonly string[]): readonly SoldInstanceType[] {
    const asked = this.list().filter(({ name }) => names.includes(name));
    return asked.map(({ name, capacity, offerings }) => ({ name, vcpus: (capacity['cpu'] ?? 0) / 1_000, offerings }));
  }
}

const withholdSpot = (type: InstanceType, withheld: readonly string[]): InstanceType => ({
  ...type,
  offerings: type.offerings.map((offering) =>
    offering.capacityType === 'spot' && withheld.includes(`${type.name} ${offering.zone}`)
      ? { ...offering, available: false }
      : offering,
  ),
});
