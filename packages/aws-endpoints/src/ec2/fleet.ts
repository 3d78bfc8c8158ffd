import type {
  CreateFleetError,
  CreateFleetInstance,
  CreateFleetRequest,
  CreateFleetResult,
  TargetCapacitySpecificationRequest,
} from '@aws-sdk/client-ec2';
import type { Clock, Random } from '@nodewright/runtime';
import type { InstanceMarket } from '../catalogue/market.ts';
import { AwsError } from '../codec/aws-error.ts';
import type { Faults } from '../faults/faults.ts';
import { admitLaunch } from './admit-launch.ts';
import { checkSpotPrice } from './capacity.ts';
import { checkDuplicatePools } from './fleet-rules.ts';
import { fleetTag } from './fleet-instances.ts';
import { asFleetError, fleetPools, poolsInOrder, type Pool } from './fleet-pools.ts';
import type { PurchaseType, Ec2Instance, LaunchSettings } from './instance.ts';
import type { Instances } from './instances.ts';
import type { LaunchTemplateModel } from './launch-templates.ts';
import { launchSettings, type LaunchSurroundings } from './launch-settings.ts';
import type { Network } from './network.ts';
import { readTagSpecifications } from './tags.ts';

export type FleetDeps = {
  readonly random: Random;
  readonly faults: Faults;
  readonly templates: LaunchTemplateModel;
  readonly instances: Instances;
  readonly market: InstanceMarket;
  readonly clock: Clock;
  readonly network: Network;
  readonly surroundings: () => LaunchSurroundings;
};

/**
 * Fulfils an instant fleet: pools in the order of the strategy, each until it has no more. The fleet
 * itself is not remembered, its tags neither: its instances are what is left of it.
 * @throws AwsError when two overrides mean the same pool
 */
export function fulfilFleet(request: CreateFleetRequest, deps: FleetDeps): CreateFleetResult {
  const fleetId = `fleet-${deps.random.uuid()}`;
  const target = request.TargetCapacitySpecification ?? { TotalTargetCapacity: 0 };
  const gathered = fleetPools(request, {
    templates: deps.templates,
    capacityType: defaultCapacityType(target),
  });
  checkDuplicatePools(gathered.pools, deps.network);
  const parts = listTargets(target).map(({ capacityType, wanted }) =>
    reachTarget(gathered.pools, { request, deps, fleetId, capacityType, wanted }),
  );
  return {
    FleetId: fleetId,
    Errors: [...gathered.errors, ...parts.flatMap(({ errors }) => errors)],
    Instances: parts.flatMap(({ launched }) => launched),
  };
}

function defaultCapacityType({ DefaultTargetCapacityType: type }: TargetCapacitySpecificationRequest): PurchaseType {
  return type === 'spot' ? 'spot' : 'on-demand';
}

/** How much of each capacity type is wanted. What no target names is of the default type. */
function listTargets(target: TargetCapacitySpecificationRequest) {
  const { TotalTargetCapacity: total = 0, OnDemandTargetCapacity = 0, SpotTargetCapacity = 0 } = target;
  const rest = total - OnDemandTargetCapacity - SpotTargetCapacity;
  const first = defaultCapacityType(target);
  const named = { 'on-demand': OnDemandTargetCapacity, spot: SpotTargetCapacity };
  return (['on-demand', 'spot'] as const)
    .map((capacityType) => ({ capacityType, wanted: named[capacityType] + (capacityType === first ? rest : 0) }))
    .filter(({ wanted }) => wanted > 0);
}

function reachTarget(pools: readonly Pool[], drawing: Drawing) {
  const { request, deps, capacityType } = drawing;
  const launched: CreateFleetInstance[] = [];
  const errors: CreateFleetError[] = [];
  let { wanted } = drawing;
  for (const pool of poolsInOrder(pools, { request, capacityType, ...pricingOf(deps) })) {
    if (wanted <= 0) break;
    const { instances, error } = drawFrom(pool, { ...drawing, wanted });
    wanted -= instances.length * weightOfPool(pool);
    if (instances.length > 0) launched.push(inAnswer(pool, instances, capacityType));
    if (error !== undefined) errors.push(asFleetError(error, { capacityType, described: pool.described }));
  }
  return { launched, errors };
}

const pricingOf = ({ market, clock, network }: FleetDeps) => ({ market, network, now: clock.now() });

/** How much of the target an instance of the pool counts for. */
const weightOfPool = ({ override }: Pool): number => Math.max(1, override.WeightedCapacity ?? 1);

type Drawing = {
  readonly request: CreateFleetRequest;
  readonly deps: FleetDeps;
  readonly fleetId: string;
  readonly capacityType: PurchaseType;
  readonly wanted: number;
};

/** Launches up to the wanted capacity from one pool. Returns the error that stopped it, if any. */
function drawFrom(pool: Pool, drawing: Drawing): { instances: readonly Ec2Instance[]; error?: AwsError } {
  const instances: Ec2Instance[] = [];
  try {
    const settings = settingsForPool(pool, drawing);
    const mostOfTemplate = pool.data.InstanceMarketOptions?.SpotOptions?.MaxPrice;
    checkSpotPrice(pool.override.MaxPrice ?? mostOfTemplate, settings, drawing.deps);
    const reservationId = `r-0${drawing.deps.random.hex(16)}`;
    const count = Math.ceil(drawing.wanted / weightOfPool(pool));
    while (instances.length < count) instances.push(grant(settings, reservationId, drawing));
    return { instances };
  } catch (error) {
    if (error instanceof AwsError) return { instances, error };
    throw error;
  }
}

function grant(settings: LaunchSettings, reservationId: string, { deps, request }: Drawing): Ec2Instance {
  admitLaunch(settings, deps);
  const { ClientToken: clientToken } = request;
  return deps.instances.launch(settings, { reservationId, ...(clientToken !== undefined && { clientToken }) });
}

/** The fleet's tags win over the template's, and EC2 adds where the instance comes from. */
function settingsForPool(pool: Pool, { deps, request, fleetId, capacityType }: Drawing): LaunchSettings {
  const settings = launchSettings(pool.data, { capacityType }, deps.surroundings());
  const { LaunchTemplateId = '', Version = '' } = pool.described.LaunchTemplateSpecification ?? {};
  return {
    ...settings,
    instanceTags: {
      ...settings.instanceTags,
      ...readTagSpecifications('instance', request.TagSpecifications),
      'aws:ec2launchtemplate:id': LaunchTemplateId,
      'aws:ec2launchtemplate:version': Version,
      [fleetTag]: fleetId,
    },
    volumeTags: { ...settings.volumeTags, ...readTagSpecifications('volume', request.TagSpecifications) },
  };
}

const inAnswer = (pool: Pool, instances: readonly Ec2Instance[], capacityType: PurchaseType): CreateFleetInstance => ({
  LaunchTemplateAndOverrides: pool.described,
  Lifecycle: capacityType,
  InstanceIds: instances.map(({ id }) => id),
  InstanceType: instances[0]?.settings.instanceType as NonNullable<CreateFleetInstance['InstanceType']>,
});
