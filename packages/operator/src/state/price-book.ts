import { karpenterLabels, kubernetesLabels, type NodeClaim } from '@nodewright/apis';
import type { InstanceType } from '@nodewright/engine';

/** What machines cost, as rounds and launches have seen it. Only measurements rest on it. */
export class PriceBook {
  readonly #lists = new Map<string, readonly InstanceType[]>();
  readonly #prices = new Map<string, ReadonlyMap<string, number>>();

  /** What a NodePool can launch now, and for how much. */
  learn(nodePool: string, types: readonly InstanceType[]): void {
    if (this.#lists.get(nodePool) === types) return;
    this.#lists.set(nodePool, types);
    this.#prices.delete(nodePool);
  }

  /** Millionths of a US dollar per hour; `undefined` when it is not known. */
  priceOf({ metadata: { labels = {} } }: NodeClaim): number | undefined {
    const { [kubernetesLabels.instanceType]: type, [kubernetesLabels.zone]: zone } = labels;
    const key = offeringKey(type, zone, labels[karpenterLabels.capacityType]);
    return this.#pricesOf(labels[karpenterLabels.nodePool] ?? '')?.get(key);
  }

  /** Computed on demand, and not for every round. */
  #pricesOf(nodePool: string): ReadonlyMap<string, number> | undefined {
    const known = this.#prices.get(nodePool);
    const types = this.#lists.get(nodePool);
    if (known !== undefined || types === undefined) return known;
    const prices = new Map(
      types.flatMap(({ name, offerings }) =>
        offerings.map(({ zone, capacityType, priceMicroUsdPerHour }) => [
          offeringKey(name, zone, capacityType),
          priceMicroUsdPerHour,
        ]),
      ),
    );
    this.#prices.set(nodePool, prices);
    return prices;
  }
}

const offeringKey = (type = '', zone = '', capacityType = ''): string => `${type} ${zone} ${capacityType}`;
