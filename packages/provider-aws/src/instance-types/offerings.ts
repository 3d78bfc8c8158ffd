import { type EC2NodeClass, karpenterLabels, kubernetesLabels } from '@nodewright/apis';
import type { CapacityType, Offering } from '@nodewright/engine';
import type { UnavailableOfferings } from '../instances/unavailable-offerings.ts';
import type { Prices } from '../pricing/pricing.ts';
import type { SoldType } from './catalogue.ts';
import { requirementsFrom } from './requirements.ts';

type OfferingDeps = {
  readonly nodeClass: EC2NodeClass;
  readonly prices: Prices;
  readonly unavailable: UnavailableOfferings;
  readonly isCompatible: boolean;
};

/** Every way to buy the type in the zones it is sold in; those out of reach are marked. */
export function offeringsOf(type: SoldType, deps: OfferingDeps): readonly Offering[] {
  return type.zones.flatMap((zone) =>
    capacityTypesOf(type).map((capacityType) => offering(type, zone, capacityType, deps)),
  );
}

export const capacityTypesOf = ({ info }: SoldType): readonly CapacityType[] =>
  (['on-demand', 'spot'] as const).filter((capacityType) => info.SupportedUsageClasses?.includes(capacityType));

function offering(type: SoldType, zone: string, capacityType: CapacityType, deps: OfferingDeps): Offering {
  const { nodeClass, prices, unavailable, isCompatible } = deps;
  const subnet = nodeClass.status?.subnets?.find((each) => each.zone === zone);
  const price = capacityType === 'spot' ? prices.spot(type.name, zone) : prices.onDemand(type.name);
  const isOut = unavailable.has({ instanceType: type.name, zone, capacityType });
  return {
    zone,
    capacityType,
    priceMicroUsdPerHour: price ?? 0,
    available: isCompatible && subnet !== undefined && price !== undefined && !isOut,
    requirements: requirementsFrom([
      [karpenterLabels.capacityType, [capacityType]],
      [kubernetesLabels.zone, [zone]],
      ...(subnet?.zoneID === undefined ? [] : [[kubernetesLabels.zoneId, [subnet.zoneID]] as const]),
    ]),
  };
}
