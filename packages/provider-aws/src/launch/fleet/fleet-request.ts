import type {
  CreateFleetRequest,
  DefaultTargetCapacityType,
  FleetLaunchTemplateConfigRequest,
  FleetLaunchTemplateOverridesRequest,
  _InstanceType,
} from '@aws-sdk/client-ec2';
import type { FoundSubnet } from '@nodewright/ports';
import { toAwsTagList, type Tags } from '../../tags.ts';
import type { LaunchChoice } from '../options/launch-options.ts';
import type { LaunchOption } from '../options/launch-option.ts';
import { reservationKindOf } from '../options/reserved-options.ts';

export type FleetInput = {
  readonly choice: LaunchChoice;
  /** By zone. */
  readonly subnets: ReadonlyMap<string, FoundSubnet>;
  /** The template that an option is launched with. */
  readonly templateOf: (option: LaunchOption) => string;
  readonly tags: Tags;
  readonly clientToken: string;
  readonly context?: string;
  /** Overlay prices are unknown to EC2, so the request states the order of the options. */
  readonly inOrder: boolean;
};

/** One instance, at once or not at all; `undefined` when no zone has a subnet. */
export function fleetRequest(input: FleetInput): CreateFleetRequest | undefined {
  const configs = templateConfigs(input);
  if (configs.length === 0) return undefined;
  const { tags, clientToken, context } = input;
  const Tags = toAwsTagList(tags);
  return {
    Type: 'instant',
    ClientToken: clientToken,
    ...purchaseOf(input),
    LaunchTemplateConfigs: configs,
    TagSpecifications: (['instance', 'volume', 'fleet'] as const).map((ResourceType) => ({ ResourceType, Tags })),
    ...(context === undefined ? {} : { Context: context }),
  };
}

type FleetPurchase = Pick<
  CreateFleetRequest,
  'TargetCapacitySpecification' | 'SpotOptions' | 'OnDemandOptions' | 'ReservedCapacityOptions'
>;

/** How the one instance is to be paid for. */
function purchaseOf({ choice: { capacityType, options }, inOrder }: FleetInput): FleetPurchase {
  const [first] = options;
  const kind = first === undefined ? undefined : reservationKindOf(first);
  if (capacityType === 'spot')
    return {
      ...buildPurchaseOfOne('spot'),
      SpotOptions: { AllocationStrategy: inOrder ? 'capacity-optimized-prioritized' : 'price-capacity-optimized' },
    };
  if (kind === 'capacity-block') return buildPurchaseOfOne('capacity-block');
  if (kind === 'interruptible') {
    const ReservationTypes = ['interruptible-capacity-reservation' as const];
    return { ...buildPurchaseOfOne('reserved-capacity'), ReservedCapacityOptions: { ReservationTypes } };
  }
  const AllocationStrategy = inOrder ? 'prioritized' : 'lowest-price';
  return { ...buildPurchaseOfOne('on-demand'), OnDemandOptions: { AllocationStrategy } };
}

const buildPurchaseOfOne = (DefaultTargetCapacityType: DefaultTargetCapacityType): FleetPurchase => ({
  TargetCapacitySpecification: { TotalTargetCapacity: 1, DefaultTargetCapacityType },
});

function templateConfigs(input: FleetInput): FleetLaunchTemplateConfigRequest[] {
  const overrides = new Map<string, FleetLaunchTemplateOverridesRequest[]>();
  for (const option of input.choice.options) {
    const subnet = input.subnets.get(option.offering.zone);
    if (subnet === undefined) continue;
    const template = input.templateOf(option);
    const priority = input.inOrder ? { Priority: option.offering.priceMicroUsdPerHour / 1e6 } : {};
    overrides.set(template, [...(overrides.get(template) ?? []), { ...override(option, subnet), ...priority }]);
  }
  return [...overrides].map(([LaunchTemplateName, Overrides]) => ({
    LaunchTemplateSpecification: { LaunchTemplateName, Version: '$Latest' },
    Overrides,
  }));
}

const override = (
  { type, offering, image }: LaunchOption,
  subnet: FoundSubnet,
): FleetLaunchTemplateOverridesRequest => ({
  InstanceType: type.name as _InstanceType,
  SubnetId: subnet.id,
  ImageId: image.id,
  AvailabilityZone: offering.zone,
});
