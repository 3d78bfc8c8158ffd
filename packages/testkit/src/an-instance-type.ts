import { kubernetesLabels, karpenterLabels } from '@nodewright/apis';
import { oneOf, requirementSet } from '@nodewright/engine';
import type { CapacityType, InstanceType, Offering, Resources } from '@nodewright/engine';

type OfferingTraits = readonly [
  zone: string,
  capacityType: CapacityType,
  priceMicroUsdPerHour: number,
  availability?: 'soldOut',
];

type InstanceTypeTraits = {
  readonly cpu?: number;
  readonly memoryGib?: number;
  readonly pods?: number;
  readonly arch?: 'amd64' | 'arm64';
  readonly labels?: Readonly<Record<string, readonly string[]>>;
  readonly resources?: Resources;
  readonly offerings?: readonly OfferingTraits[];
};

const zones = ['zone-a', 'zone-b', 'zone-c'];

/** An instance type of `cpu` cores; on demand and spot in three zones, at a price that grows with its size, unless told otherwise. */
export function anInstanceType(name: string, traits: InstanceTypeTraits = {}): InstanceType {
  const { cpu = 4, memoryGib = cpu * 2, pods = 110, arch = 'amd64', labels = {}, resources = {} } = traits;
  const offerings = (traits.offerings ?? defaultOfferings(cpu)).map(offering);
  const capacity = { cpu: cpu * 1000, memory: memoryGib * 2 ** 30, pods, ...resources };
  return {
    name,
    capacity,
    allocatable: { ...capacity, cpu: cpu * 1000 - 100 },
    offerings,
    requirements: requirementSet([
      oneOf(kubernetesLabels.instanceType, [name]),
      oneOf(kubernetesLabels.arch, [arch]),
      oneOf(kubernetesLabels.os, ['linux']),
      oneOf(
        kubernetesLabels.zone,
        offerings.map(({ zone }) => zone),
      ),
      oneOf(
        karpenterLabels.capacityType,
        offerings.map(({ capacityType }) => capacityType),
      ),
      ...Object.entries(labels).map(([key, values]) => oneOf(key, values)),
    ]),
  };
}

const defaultOfferings = (cpu: number): readonly OfferingTraits[] =>
  zones.flatMap((zone) => [[zone, 'on-demand', cpu * 40_000] as const, [zone, 'spot', cpu * 14_000] as const]);

const offering = ([zone, capacityType, priceMicroUsdPerHour, availability]: OfferingTraits): Offering => ({
  zone,
  capacityType,
  priceMicroUsdPerHour,
  available: availability !== 'soldOut',
  requirements: requirementSet([
    oneOf(kubernetesLabels.zone, [zone]),
    oneOf(karpenterLabels.capacityType, [capacityType]),
  ]),
});
