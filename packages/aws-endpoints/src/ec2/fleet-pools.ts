import { type Instant, byNumberOf, byTextOf, inOrder } from '@nodewright/apis';
import type {
  CreateFleetError,
  CreateFleetRequest,
  FleetLaunchTemplateConfigRequest,
  FleetLaunchTemplateOverridesRequest,
  LaunchTemplateAndOverridesResponse,
} from '@aws-sdk/client-ec2';
import type { InstanceMarket } from '../catalogue/market.ts';
import { AwsError } from '../codec/aws-error.ts';
import { priceIn } from './capacity.ts';
import type { PurchaseType } from './instance.ts';
import { withOverride, type LaunchData } from './launch-settings.ts';
import type { LaunchTemplateModel } from './launch-templates.ts';
import type { Network } from './network.ts';

/** One way to fulfil a fleet: a template, and what one of its overrides changes. */
export type Pool = {
  readonly data: LaunchData;
  readonly override: FleetLaunchTemplateOverridesRequest;
  readonly described: LaunchTemplateAndOverridesResponse;
};

type Gathering = { readonly templates: LaunchTemplateModel; readonly capacityType: PurchaseType };

/** Every pool a request names. A template that does not exist is an error of the fleet, not of the call. */
export function fleetPools(request: CreateFleetRequest, { templates, capacityType }: Gathering) {
  const errors: CreateFleetError[] = [];
  const pools = (request.LaunchTemplateConfigs ?? []).flatMap((config) => {
    try {
      return listConfigPools(config, templates);
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      const described = { LaunchTemplateSpecification: config.LaunchTemplateSpecification, Overrides: {} };
      errors.push(asFleetError(error, { capacityType, described }));
      return [];
    }
  });
  return { pools, errors };
}

function listConfigPools(config: FleetLaunchTemplateConfigRequest, templates: LaunchTemplateModel): readonly Pool[] {
  const asked = config.LaunchTemplateSpecification ?? {};
  const template = templates.find(asked);
  const version = templates.version(asked);
  const LaunchTemplateSpecification = { LaunchTemplateId: template.id, Version: String(version.number) };
  return (config.Overrides ?? [{}]).map((override) => ({
    data: withOverride(version.data, override),
    override,
    described: { LaunchTemplateSpecification, Overrides: overrideInAnswer(override) },
  }));
}

const overrideInAnswer = ({
  InstanceType,
  SubnetId,
  AvailabilityZone,
  ImageId,
  Priority,
}: FleetLaunchTemplateOverridesRequest) => ({
  ...(InstanceType !== undefined && { InstanceType }),
  ...(SubnetId !== undefined && { SubnetId }),
  ...(AvailabilityZone !== undefined && { AvailabilityZone }),
  ...(ImageId !== undefined && { ImageId }),
  ...(Priority !== undefined && { Priority }),
});

type Ordering = {
  readonly request: CreateFleetRequest;
  readonly capacityType: PurchaseType;
  readonly network: Network;
  readonly market: InstanceMarket;
  readonly now: Instant;
};

/** By priority where the strategy says so, else the cheapest first; then by type and subnet. */
export function poolsInOrder(pools: readonly Pool[], ordering: Ordering): readonly Pool[] {
  const { request, capacityType, network } = ordering;
  const options = capacityType === 'spot' ? request.SpotOptions : request.OnDemandOptions;
  const prioritized = /prioritized$/i.test(options?.AllocationStrategy ?? '');
  const cost = (pool: Pool): number =>
    prioritized
      ? (pool.override.Priority ?? Infinity)
      : priceIn({ instanceType: pool.data.InstanceType ?? '', zone: poolZone(pool, network), capacityType }, ordering);
  return pools
    .map((pool) => ({
      pool,
      cost: cost(pool),
      name: `${pool.data.InstanceType} ${poolZone(pool, network)} ${pool.data.SubnetId}`,
    }))
    .toSorted(
      inOrder(
        byNumberOf(({ cost }) => cost),
        byTextOf(({ name }) => name),
      ),
    )
    .map(({ pool }) => pool);
}

const poolZone = ({ data, override }: Pool, { subnets }: Network): string =>
  subnets.find(({ id }) => id === data.SubnetId)?.zone ?? override.AvailabilityZone ?? '';

export const asFleetError = (
  error: AwsError,
  { capacityType, described }: { capacityType: PurchaseType; described: LaunchTemplateAndOverridesResponse },
): CreateFleetError => ({
  LaunchTemplateAndOverrides: described,
  Lifecycle: capacityType,
  ErrorCode: error.code,
  ErrorMessage: error.message,
});
