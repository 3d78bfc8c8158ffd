import type { Instance } from '@nodewright/ports';

/** What may change about an instance from outside, and matters to its claim. */
const changeableFacts = ({ subnetId, securityGroupIds, capacityType, reservationId }: Instance): string =>
  JSON.stringify([subnetId, securityGroupIds, capacityType, reservationId]);

/** Tells which instances another listing describes otherwise than the last one did. */
export class InstanceNews {
  #known = new Map<string, string>();
  readonly #handlers: ((providerId: string) => void)[] = [];

  /** Notes a whole listing. */
  listed(instances: readonly Instance[]): void {
    const before = this.#known;
    this.#known = new Map(instances.map((instance) => [instance.providerId, changeableFacts(instance)]));
    for (const [providerId, facts] of this.#known) {
      const old = before.get(providerId);
      if (old !== undefined && old !== facts) for (const handler of this.#handlers) handler(providerId);
    }
  }

  /** Called with the provider id of an instance that has changed. */
  onChange(handler: (providerId: string) => void): void {
    this.#handlers.push(handler);
  }
}
