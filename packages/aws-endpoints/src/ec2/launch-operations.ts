import type { CreateFleetRequest, CreateFleetResult, Reservation, RunInstancesRequest } from '@aws-sdk/client-ec2';
import { AwsError } from '../codec/aws-error.ts';
import { admitLaunch } from './admit-launch.ts';
import { checkSpotPrice } from './capacity.ts';
import { dryRunWouldSucceed, invalidCombination, invalidValue, missingParameter } from './errors.ts';
import { fulfilFleet } from './fleet.ts';
import type { LaunchSettings } from './instance.ts';
import { writeInstance } from './instance-on-the-wire.ts';
import { launchSettings, type LaunchData, taggedAtLaunch } from './launch-settings.ts';
import type { Ec2 } from './model.ts';
import { checkFreeAddress } from './network-interface-operations.ts';
import { checkTagSpecifications } from './tag-rules.ts';
import type { TagSet } from './tags.ts';

/** Creates an instant fleet. The types that keep a target over time are not supported. */
export function createFleet(ec2: Ec2, request: CreateFleetRequest): CreateFleetResult {
  if (request.LaunchTemplateConfigs === undefined) throw missingParameter('LaunchTemplateConfigs');
  if (request.TargetCapacitySpecification === undefined) throw missingParameter('TargetCapacitySpecification');
  checkTagSpecifications(request.TagSpecifications, ['fleet', ...taggedAtLaunch]);
  if (request.DryRun === true) throw dryRunWouldSucceed();
  checkTermination(request.ExcessCapacityTerminationPolicy);
  if (request.Type !== 'instant') {
    throw new AwsError(
      'Unsupported',
      `Fleets of the type ${request.Type ?? 'maintain'} are not supported; use instant.`,
    );
  }
  const call = { operation: 'CreateFleet', token: request.ClientToken, request };
  return ec2.idempotency.once(call, () => fulfilFleet(request, ec2));
}

/** EC2 looks at this value once a fleet is created, not in dry runs. @throws AwsError */
function checkTermination(policy: string | undefined): void {
  if (policy === undefined || policy === 'no-termination' || policy === 'termination') return;
  throw invalidValue(
    `Value (${policy}) for parameter excessCapacityTerminationPolicy is invalid. Valid values are: no-termination, termination.`,
  );
}

/** Launches up to `MaxCount` instances: as many as there is room for, and none if there is no room for `MinCount`. */
export function runInstances(ec2: Ec2, request: RunInstancesRequest): Reservation {
  const { source, data } = readLaunchRequest(ec2, request);
  const { MarketType: market, SpotOptions: spot } = data.InstanceMarketOptions ?? {};
  const launched = launchSettings(data, { capacityType: market === 'spot' ? 'spot' : 'on-demand' }, ec2.surroundings());
  checkSpotPrice(spot?.MaxPrice, launched, ec2);
  const settings = { ...launched, instanceTags: { ...launched.instanceTags, ...source } };
  const { least, most } = readInstanceCount(request);
  checkPrivateIp(ec2, settings, most);
  if (request.DryRun === true) throw dryRunWouldSucceed();
  const call = { operation: 'RunInstances', token: request.ClientToken, request };
  return ec2.idempotency.once(call, () => {
    const ReservationId = `r-0${ec2.random.hex(16)}`;
    const { ClientToken: clientToken } = request;
    const from = { reservationId: ReservationId, ...(clientToken !== undefined && { clientToken }) };
    const admit = () => admitLaunch(settings, ec2);
    const instances = ec2.instances.launchBetween(settings, from, { least, most, admit });
    return {
      ReservationId,
      OwnerId: ec2.account.id,
      Groups: [],
      Instances: instances.map((each) => writeInstance(ec2, each)),
    };
  });
}

function readInstanceCount({ MinCount: least, MaxCount: most }: RunInstancesRequest): { least: number; most: number } {
  if (least === undefined) throw missingParameter('MinCount');
  if (most === undefined) throw missingParameter('MaxCount');
  if (least < 1) throw invalidValue(`Value (${least}) for parameter minCount is invalid. It must be greater than 0.`);
  if (most < least)
    throw invalidValue(`Value (${most}) for parameter maxCount is invalid. It must not be less than minCount.`);
  return { least, most };
}

/** The request wins over its launch template, which EC2 names in two tags. */
function readLaunchRequest(ec2: Ec2, request: RunInstancesRequest): { source: TagSet; data: LaunchData } {
  const said = Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined));
  if (request.LaunchTemplate === undefined) return { source: {}, data: said };
  const { id } = ec2.templates.find(request.LaunchTemplate);
  const { number, data } = ec2.templates.version(request.LaunchTemplate);
  const source = { 'aws:ec2launchtemplate:id': id, 'aws:ec2launchtemplate:version': String(number) };
  return { source, data: { ...data, ...said } };
}

/** An address that is asked for is free, in the subnet, and for one instance. @throws AwsError */
function checkPrivateIp(ec2: Ec2, { privateIp, subnetId }: LaunchSettings, most: number): void {
  const subnet = ec2.network.subnets.find(({ id }) => id === subnetId);
  if (privateIp === undefined || subnet === undefined) return;
  if (most > 1)
    throw invalidCombination('A private IP address cannot be specified when launching more than one instance.');
  checkFreeAddress(ec2, privateIp, subnet);
}
