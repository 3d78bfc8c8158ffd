import type {
  ActiveInstance,
  DescribeFleetHistoryRequest,
  DescribeFleetHistoryResult,
  DescribeFleetInstancesRequest,
  DescribeFleetInstancesResult,
  DescribeFleetsInstances,
  DescribeFleetsRequest,
  DescribeFleetsResult,
  FleetData,
} from '@aws-sdk/client-ec2';
import { AwsError } from '../codec/aws-error.ts';
import { takePage } from '../paging.ts';
import { ec2BadToken, missingParameter } from './errors.ts';
import { applyFilters, type Filterable } from './filters.ts';
import { listFleetInstances } from './fleet-instances.ts';
import type { Ec2Instance } from './instance.ts';
import type { Ec2 } from './model.ts';
import { parseRecordPaths } from './record-paths.ts';
import { writeEc2Tags } from './tags.ts';

/**
 * Tells the instant fleets that are named: EC2 lists them in no other way. A fleet is known by its instances, so that one
 * that launched none is not there, and what it was refused is told by CreateFleet alone.
 */
export function describeFleets(ec2: Ec2, request: DescribeFleetsRequest): DescribeFleetsResult {
  const fleets = (request.FleetIds ?? []).map((id) => writeFleet(ec2, id, requireFleet(ec2, id)));
  const found = applyFilters(fleets, request.Filters, filterableFleet(ec2));
  const { items, next } = takePage(found, { size: request.MaxResults, token: request.NextToken, refuse: ec2BadToken });
  return { Fleets: [...items], ...(next && { NextToken: next }) };
}

type FleetInstances = readonly [Ec2Instance, ...Ec2Instance[]];

/** @throws AwsError when no fleet of the id has instances */
function requireFleet(ec2: Ec2, id: string): FleetInstances {
  const [first, ...others] = listFleetInstances(ec2, id);
  if (first === undefined) throw noSuchFleet(id);
  return [first, ...others];
}

export const noSuchFleet = (id: string): AwsError =>
  new AwsError('InvalidFleetId.NotFound', `The fleet ID '${id}' does not exist`);

function writeFleet(ec2: Ec2, id: string, instances: FleetInstances): FleetData {
  const [first] = instances;
  const spot = instances.filter(({ settings }) => settings.capacityType === 'spot').length;
  const alike = groupAlike(ec2, instances);
  const isRunning = instances.some(({ state }) => state !== 'terminated' && state !== 'shutting-down');
  return {
    FleetId: id,
    FleetState: isRunning ? 'active' : 'deleted_terminating',
    ActivityStatus: isRunning ? 'fulfilled' : 'pending_termination',
    CreateTime: new Date(first.launchedAt),
    Type: 'instant',
    ExcessCapacityTerminationPolicy: 'no-termination',
    FulfilledCapacity: instances.length,
    FulfilledOnDemandCapacity: instances.length - spot,
    TargetCapacitySpecification: {
      TotalTargetCapacity: instances.length,
      OnDemandTargetCapacity: instances.length - spot,
      SpotTargetCapacity: spot,
      DefaultTargetCapacityType: first.settings.capacityType === 'spot' ? 'spot' : 'on-demand',
    },
    TerminateInstancesWithExpiration: false,
    ReplaceUnhealthyInstances: false,
    ...(first.clientToken !== undefined && { ClientToken: first.clientToken }),
    LaunchTemplateConfigs: alike.map(([instance]) => writeFleetConfig(ec2, instance)),
    Errors: [],
    Instances: alike.map((group) => writeFleetInstances(ec2, group)),
    Tags: writeEc2Tags(ec2.tags.of(id)),
  };
}

function writeLaunchOf({ tags }: Ec2, { id, settings, zone }: Ec2Instance) {
  const launched = tags.of(id);
  return {
    LaunchTemplateSpecification: {
      LaunchTemplateId: launched['aws:ec2launchtemplate:id'] ?? '',
      Version: launched['aws:ec2launchtemplate:version'] ?? '',
    },
    Overrides: {
      InstanceType: settings.instanceType as NonNullable<DescribeFleetsInstances['InstanceType']>,
      SubnetId: settings.subnetId,
      AvailabilityZone: zone,
      ImageId: settings.imageId,
    },
    Lifecycle: settings.capacityType,
  };
}

/** Lists the instances of a fleet by what they were launched from. */
function groupAlike(ec2: Ec2, instances: FleetInstances): readonly FleetInstances[] {
  const groups = new Map<string, FleetInstances>();
  for (const instance of instances) {
    const key = JSON.stringify(writeLaunchOf(ec2, instance));
    const [first = instance, ...others] = groups.get(key) ?? [];
    groups.set(key, first === instance ? [instance] : [first, ...others, instance]);
  }
  return [...groups.values()];
}

function writeFleetConfig(ec2: Ec2, instance: Ec2Instance) {
  const { LaunchTemplateSpecification, Overrides } = writeLaunchOf(ec2, instance);
  return { LaunchTemplateSpecification, Overrides: [Overrides] };
}

function writeFleetInstances(ec2: Ec2, alike: FleetInstances): DescribeFleetsInstances {
  const [first] = alike;
  const { Lifecycle, ...launched } = writeLaunchOf(ec2, first);
  return {
    LaunchTemplateAndOverrides: launched,
    Lifecycle: Lifecycle === 'spot' ? 'spot' : 'on-demand',
    InstanceIds: alike.map(({ id }) => id),
    InstanceType: launched.Overrides.InstanceType,
  };
}

const fleetPaths = parseRecordPaths(`
  activity-status ActivityStatus
  excess-capacity-termination-policy ExcessCapacityTerminationPolicy
  fleet-state FleetState
  replace-unhealthy-instances ReplaceUnhealthyInstances
  type Type
`);

const filterableFleet = ({ tags }: Ec2): Filterable<FleetData> => ({
  records: { write: (fleet) => fleet, paths: fleetPaths },
  attributes: {},
  tags: ({ FleetId = '' }) => tags.of(FleetId),
});

/** EC2 answers with the instances of a fleet that run. */
export function describeFleetInstances(ec2: Ec2, request: DescribeFleetInstancesRequest): DescribeFleetInstancesResult {
  const { FleetId: id } = request;
  if (id === undefined) throw missingParameter('FleetId');
  const running = requireFleet(ec2, id).filter(({ state }) => state !== 'terminated' && state !== 'shutting-down');
  const active = running.map(writeActiveInstance);
  const found = applyFilters(active, request.Filters, filterableActive);
  const { items, next } = takePage(found, { size: request.MaxResults, token: request.NextToken, refuse: ec2BadToken });
  return { FleetId: id, ActiveInstances: [...items], ...(next && { NextToken: next }) };
}

const writeActiveInstance = ({ id, settings, spotRequestId }: Ec2Instance): ActiveInstance => ({
  InstanceId: id,
  InstanceType: settings.instanceType,
  ...(spotRequestId !== undefined && { SpotInstanceRequestId: spotRequestId }),
  InstanceHealth: 'healthy',
});

const filterableActive: Filterable<ActiveInstance> = {
  records: { write: (instance) => instance, paths: parseRecordPaths('instance-type InstanceType') },
  attributes: {},
};

/** EC2 keeps no history of instant fleets. @throws AwsError when no fleet of the id has instances */
export function describeFleetHistory(ec2: Ec2, request: DescribeFleetHistoryRequest): DescribeFleetHistoryResult {
  const { FleetId: id, StartTime } = request;
  if (id === undefined) throw missingParameter('FleetId');
  requireFleet(ec2, id);
  return {
    FleetId: id,
    HistoryRecords: [],
    LastEvaluatedTime: new Date(ec2.clock.now()),
    ...(StartTime !== undefined && { StartTime }),
  };
}
