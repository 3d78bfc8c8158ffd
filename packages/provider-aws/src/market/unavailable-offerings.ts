import { earliest, instant, type Instant, minutes, type OutOfCapacity } from '@nodewright/apis';
import type { CapacityType } from '@nodewright/engine';
import type { Clock } from '@nodewright/runtime';

export type OfferingKey = {
  readonly instanceType: string;
  readonly zone: string;
  readonly capacityType: CapacityType;
  /** Id of the placement group in which it is not to be had, though it may be elsewhere. */
  readonly placementGroup?: string | undefined;
};

const unavailableForMs = minutes(3);
const offeringTextOf = ({
  instanceType,
  zone,
  capacityType,
  placementGroup = '',
}: Omit<OfferingKey, 'capacityType'> & { readonly capacityType: string }): string =>
  `${capacityType} ${instanceType} ${zone} ${placementGroup}`;

/** What EC2 said that it is out of, for three minutes. */
export class UnavailableOfferings {
  readonly #clock: Clock;
  readonly #until = new Map<string, number>();
  #changes = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  mark(offering: OfferingKey): OutOfCapacity {
    const until = instant(this.#clock.now() + unavailableForMs);
    this.#until.set(offeringTextOf(offering), until);
    this.#changes += 1;
    const { instanceType, zone, capacityType } = offering;
    return { instanceType, zone, capacityType, until };
  }

  /**
   * What was found out before, by this process or another one; it is believed no longer than what is found out now.
   * @param placementGroup id of the group that it holds for
   */
  learn(found: readonly OutOfCapacity[], placementGroup?: string): void {
    const latest = this.#clock.now() + unavailableForMs;
    for (const { until, ...offering } of found) {
      const key = offeringTextOf({ ...offering, placementGroup });
      if (until <= this.#clock.now() || until > latest || until <= (this.#until.get(key) ?? 0)) continue;
      this.#until.set(key, until);
      this.#changes += 1;
    }
  }

  /** The whole capacity type is out of reach, as spot without its service-linked role. */
  markCapacityType(capacityType: CapacityType): OutOfCapacity {
    return this.mark({ capacityType, instanceType: '*', zone: '*' });
  }

  has(offering: OfferingKey): boolean {
    return this.until(offering) !== undefined;
  }

  /** When it is tried again, in its placement group and anywhere; `undefined` for what EC2 is not known to be out of. */
  until(offering: OfferingKey): Instant | undefined {
    const whole = { capacityType: offering.capacityType, instanceType: '*', zone: '*' };
    const anywhere = { ...offering, placementGroup: undefined };
    const latest = Math.max(...[offering, anywhere, whole].map((each) => this.#until.get(offeringTextOf(each)) ?? 0));
    return this.#clock.now() < latest ? instant(latest) : undefined;
  }

  /** The next instant at which something is tried again. */
  nextEnd(): Instant | undefined {
    return earliest(...[...this.#until.values()].filter((until) => until > this.#clock.now()).map(instant));
  }

  /** Another number whenever the answers may be others. */
  version(): number {
    for (const [key, until] of this.#until) {
      if (this.#clock.now() < until) continue;
      this.#until.delete(key);
      this.#changes += 1;
    }
    return this.#changes;
  }
}
