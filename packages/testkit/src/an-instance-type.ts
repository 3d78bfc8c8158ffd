import { awsLabels, kubernetesLabels, karpenterLabels } from '@nodewright/apis';
import { requireOneOf, requirementSet } from '@nodewright/requirements';
import type { CapacityType, InstanceType, Offering, OfferingOverrides, Resources } from '@nodewright/engine';

type OfferingTraits = readonly [
  zone: string,
  capacityType: CapacityType,
  priceMicroUsdPerHour: number,
  availability?: 'soldOut' | undefined,
  reservation?: { readonly id: string; readonly remaining: number },
];

type InstanceTypeTraits = {
  readonly cpu?: number;
  readonly memoryGib?: number;
  readonly pods?: number;
  readonly arch?: 'amd64' | 'arm64';
  readonly labels?: Readonly<Record<string, readonly string[]>>;
  readonly resources?: Resources;
  readonly offerings?: readonly OfferingTraits[];
  /** How many volumes of each CSI driver a node may have attached. */
  readonly attachLimits?: Readonly<Record<string, number>>;
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
    ...(traits.attachLimits === undefined ? {} : { attachLimits: new Map(Object.entries(traits.attachLimits)) }),
    requirements: requirementSet([
      requireOneOf(kubernetesLabels.instanceType, [name]),
      requireOneOf(kubernetesLabels.arch, [arch]),
      requireOneOf(kubernetesLabels.os, ['linux']),
      requireOneOf(
        kubernetesLabels.zone,
        offerings.map(({ zone }) => zone),
      ),
      requireOneOf(
        karpenterLabels.capacityType,
        offerings.map(({ capacityType }) => capacityType),
      ),
      ...Object.entries(labels).map(([key, values]) => requireOneOf(key, values)),
    ]),
  };
}

const defaultOfferings = (cpu: number): readonly OfferingTraits[] =>
  zones.flatMap((zone) => [[zone, 'on-demand', cpu * 40_000] as const, [zone, 'spot', cpu * 14_000] as const]);

const offering = ([zone, capacityType, priceMicroUsdPerHour, availability, reservation]: OfferingTraits): Offering => ({
  zone,
  capacityType,
  priceMicroUsdPerHour,
  available: availability !== 'soldOut',
  requirements: requirementSet([
    requireOneOf(kubernetesLabels.zone, [zone]),
    requireOneOf(karpenterLabels.capacityType, [capacityType]),
    ...(reservation === undefined ? [] : [requireOneOf(awsLabels.capacityReservationId, [reservation.id])]),
  ]),
  ...(reservation === undefined ? {} : { reservation }),
});

/** An offering of a type from a capacity reservation that has room for so many more. */
export const reservedOffering = (id: string, remaining: number, zone = 'zone-a'): OfferingTraits => [
  zone,
  'reserved',
  1,
  remaining === 0 ? 'soldOut' : undefined,
  { id, remaining },
];

/** The type with overrides on those of its offerings that the test admits. */
export const withOverrides = (
  type: InstanceType,
  isConcerned: (offering: Offering) => boolean,
  overrides: OfferingOverrides,
): InstanceType => ({
  ...type,
  offerings: type.offerings.map((each) => (isConcerned(each) ? { ...each, overrides } : each)),
});
