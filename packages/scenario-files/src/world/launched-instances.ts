import {
  kubernetesLabels,
  karpenterLabels,
  type Instant,
  type KubernetesObject,
  type Node,
  type NodeClaim,
} from '@nodewright/apis';
import type { Aws, ImageRelease } from '@nodewright/aws-endpoints';

/** An EC2 instance, as it was launched. */
export type RecordedInstance = {
  readonly id: string;
  readonly imageId: string;
  readonly release: ImageRelease | undefined;
  readonly type: string;
  readonly zone: string;
  readonly capacityType: string;
  /** USD per hour. */
  readonly price: number;
  readonly launched: Instant;
};

export const instanceIdIn = (providerId: string | undefined): string => providerId?.split('/').at(-1) ?? '';

/** Remembers every instance that nodes and claims name, after its end, too. EC2 forgets ended ones after an hour. */
export class InstanceRecords {
  readonly #aws: Aws;
  readonly #now: () => Instant;
  readonly #known = new Map<string, RecordedInstance>();
  readonly #nodes = new Map<string, string>();
  #typePrices: ReadonlyMap<string, Parameters<Aws['ec2']['market']['isOffered']>[0]> | undefined;

  constructor(aws: Aws, now: () => Instant) {
    this.#aws = aws;
    this.#now = now;
  }

  /** @returns the instance of a node or a claim when it is seen for the first time */
  see(object: KubernetesObject): RecordedInstance | undefined {
    const { spec, status } = object as Node & NodeClaim;
    const id = instanceIdIn(spec?.providerID ?? status?.providerID);
    if (spec?.providerID !== undefined) this.#nodes.set(object.metadata.name, id);
    if (id === '' || this.#known.has(id)) return undefined;
    const found = this.#aws.ec2.instances.get(id);
    if (found === undefined) return undefined;
    const labels = object.metadata.labels ?? {};
    const { imageId, instanceType, capacityType, subnetId } = found.settings;
    const zone =
      this.#aws.ec2.network.subnets.find((subnet) => subnet.id === subnetId)?.zone ??
      labels[kubernetesLabels.zone] ??
      '';
    const instance: RecordedInstance = {
      id,
      imageId,
      release: this.#aws.releases.byImage(imageId),
      type: instanceType,
      zone,
      capacityType: labels[karpenterLabels.capacityType] ?? capacityType,
      price: this.#priceOf(instanceType, zone, capacityType),
      launched: this.#now(),
    };
    this.#known.set(id, instance);
    return instance;
  }

  /** The instance that was first seen with a node of this name. */
  ofNode(name: string): RecordedInstance | undefined {
    return this.find(this.#nodes.get(name) ?? '');
  }

  find(id: string): RecordedInstance | undefined {
    return this.#known.get(id);
  }

  all(): readonly RecordedInstance[] {
    return [...this.#known.values()];
  }

  isRunning(id: string): boolean {
    const state = this.#aws.ec2.instances.get(id)?.state;
    return state === 'pending' || state === 'running';
  }

  #priceOf(name: string, zone: string, capacityType: string): number {
    const { market } = this.#aws.ec2;
    this.#typePrices ??= new Map(market.types().map((type) => [type.name, type]));
    const type = this.#typePrices.get(name);
    if (type === undefined) return 0;
    const now = this.#now();
    const quote = capacityType === 'spot' ? market.spotQuotes(type, zone, { from: now, to: now })[0] : undefined;
    return (quote?.microUsdPerHour ?? type.priceMicroUsdPerHour) / 1e6;
  }
}
