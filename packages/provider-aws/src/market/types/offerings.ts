import { awsLabels, type EC2NodeClass, karpenterLabels, kubernetesLabels } from '@nodewright/apis';
import type { CapacityType, Offering, Shortage } from '@nodewright/engine';
import type { FoundPlacementGroup, FoundReservation, SoldInstanceType } from '@nodewright/ports';
import type { UnavailableOfferings } from '../unavailable-offerings.ts';
import type { Prices } from '../prices/pricing.ts';
import type { SoldType } from './catalogue.ts';
import type { sharedRequirements } from './label-requirements.ts';

type OfferingDeps = {
  readonly nodeClass: EC2NodeClass;
  readonly prices: Prices;
  readonly unavailable: UnavailableOfferings;
  /** Why no offering of the type is of use to the NodeClass; `undefined` when they are. */
  readonly incompatibility: Shortage | undefined;
  /** The group that instances are launched in. */
  readonly placementGroup?: FoundPlacementGroup | undefined;
  /** Those of the type. */
  readonly reservations: readonly FoundReservation[];
  readonly remainingIn: (reservationId: string) => number;
  /** Of the list that the type is in. */
  readonly requirementsOf: ReturnType<typeof sharedRequirements>;
};

/** Every way to buy the type in the zones it is sold in; those out of reach are marked. */
export function offeringsOf(type: SoldType, deps: OfferingDeps): readonly Offering[] {
  const sold = type.zones.flatMap((zone) =>
    marketsOf(type).map((capacityType) => buildOffering(type, zone, capacityType, deps)),
  );
  const reserved = deps.reservations.map((reservation) => reservedOffering(type, reservation, deps));
  return [...sold, ...reserved].flatMap((offering) => inPartitions(offering, deps));
}

/** The type as everybody may buy it: what a NodeClass selects or reserves is not looked at. */
export function describeSoldType(
  type: SoldType,
  { prices, unavailable }: Pick<OfferingDeps, 'prices' | 'unavailable'>,
): SoldInstanceType {
  const offerings = type.zones.flatMap((zone) =>
    marketsOf(type).map((capacityType) => {
      const price = findPrice(prices, type.name, { zone, capacityType });
      const isSoldOut = unavailable.has({ instanceType: type.name, zone, capacityType });
      return {
        zone,
        capacityType,
        priceMicroUsdPerHour: price ?? 0,
        available: price !== undefined && !isSoldOut,
      };
    }),
  );
  return { name: type.name, vcpus: type.info.VCpuInfo?.DefaultVCpus ?? 0, offerings };
}

/** The numbers of its partitions, from 1; none where a group has none. */
export const partitionsOf = ({ partitionCount = 0 }: FoundPlacementGroup): readonly string[] =>
  Array.from({ length: partitionCount }, (_, index) => String(index + 1));

/** A node may be in each partition of a group, at the same price. */
function inPartitions(
  offering: Offering,
  { placementGroup, requirementsOf }: Pick<OfferingDeps, 'placementGroup' | 'requirementsOf'>,
): readonly Offering[] {
  const partitions = placementGroup === undefined ? [] : partitionsOf(placementGroup);
  if (partitions.length === 0) return [offering];
  return partitions.map((partition) => {
    const own = requirementsOf([[awsLabels.placementGroupPartition, [partition]]]);
    return { ...offering, requirements: new Map([...offering.requirements, ...own]) };
  });
}

/** Every capacity type that a node of the type may have. */
export const capacityTypesOfType = (
  type: SoldType,
  reservations: readonly FoundReservation[],
): readonly CapacityType[] => (reservations.length === 0 ? marketsOf(type) : [...marketsOf(type), 'reserved']);

type OfferedMarket = Exclude<CapacityType, 'reserved'>;

const marketsOf = ({ info }: SoldType): readonly OfferedMarket[] =>
  (['on-demand', 'spot'] as const).filter((capacityType) => info.SupportedUsageClasses?.includes(capacityType));

const findPrice = (
  prices: Prices,
  typeName: string,
  { zone, capacityType }: { readonly zone: string; readonly capacityType: OfferedMarket },
): number | undefined => (capacityType === 'spot' ? prices.spot(typeName, zone) : prices.onDemand(typeName));

function buildOffering(type: SoldType, zone: string, capacityType: OfferedMarket, deps: OfferingDeps): Offering {
  const { nodeClass, prices, unavailable, incompatibility } = deps;
  const subnet = nodeClass.status?.subnets?.find((each) => each.zone === zone);
  const price = findPrice(prices, type.name, { zone, capacityType });
  const placementGroup = deps.placementGroup?.id;
  const until = unavailable.until({ instanceType: type.name, zone, capacityType, placementGroup });
  const shortage =
    incompatibility ??
    (subnet === undefined ? withoutSubnet(nodeClass) : undefined) ??
    (until === undefined ? undefined : { ...outOfCapacity, until });
  const isWithinReach = shortage === undefined;
  return {
    zone,
    capacityType,
    priceMicroUsdPerHour: price ?? 0,
    available: isWithinReach && price !== undefined,
    ...(isWithinReach && price === undefined ? { unpriced: true } : {}),
    ...(shortage === undefined ? {} : { shortage }),
    requirements: deps.requirementsOf([
      [karpenterLabels.capacityType, [capacityType]],
      [kubernetesLabels.zone, [zone]],
      ...zoneIdOf(subnet),
      ...(deps.reservations.length === 0 ? [] : labelsOfReservations.map((label) => [label, []] as const)),
    ]),
  };
}

const withoutSubnet = ({ metadata }: EC2NodeClass): Shortage => ({
  cause: `no subnet of EC2NodeClass ${metadata.name}`,
  fix: 'select one there in subnetSelectorTerms',
  ofZone: true,
});

const outOfCapacity = { cause: 'out of capacity', fix: 'allow other types, zones or capacity types' };

const labelsOfReservations = [
  awsLabels.capacityReservationId,
  awsLabels.capacityReservationType,
  awsLabels.capacityReservationInterruptible,
];

type ResolvedSubnet = NonNullable<NonNullable<EC2NodeClass['status']>['subnets']>[number];

const zoneIdOf = (subnet: ResolvedSubnet | undefined) =>
  subnet?.zoneID === undefined ? [] : [[kubernetesLabels.zoneId, [subnet.zoneID]] as const];

/** What is paid for already costs next to nothing, the less so the cheaper the type would be. */
const reservedDiscount = 10_000_000;

function reservedOffering(type: SoldType, reservation: FoundReservation, deps: OfferingDeps): Offering {
  const { id, zone, interruptible } = reservation;
  const { nodeClass, prices, incompatibility } = deps;
  const subnet = nodeClass.status?.subnets?.find((each) => each.zone === zone);
  const remaining = deps.remainingIn(id);
  const shortage =
    incompatibility ??
    (subnet === undefined || !type.zones.includes(zone) ? withoutSubnet(nodeClass) : undefined) ??
    withoutPlace(reservation, remaining);
  return {
    zone,
    capacityType: 'reserved',
    priceMicroUsdPerHour: (prices.onDemand(type.name) ?? 0) / reservedDiscount,
    available: shortage === undefined,
    ...(shortage === undefined ? {} : { shortage }),
    requirements: deps.requirementsOf([
      [karpenterLabels.capacityType, ['reserved']],
      [kubernetesLabels.zone, [zone]],
      ...zoneIdOf(subnet),
      [awsLabels.capacityReservationId, [id]],
      [awsLabels.capacityReservationType, [reservation.type]],
      [awsLabels.capacityReservationInterruptible, [String(interruptible)]],
    ]),
    reservation: { id, remaining },
  };
}

/** Of a reservation that nothing can be launched from now. */
function withoutPlace({ id, state }: FoundReservation, remaining: number): Shortage | undefined {
  const fix = 'enlarge it, select another, or allow other capacity types';
  if (state !== 'active') return { cause: `capacity reservation ${id} is about to end`, fix };
  return remaining > 0 ? undefined : { cause: `capacity reservation ${id} is used up`, fix };
}
