import type { CreateFleetRequest, CreateFleetResult, Reservation, RunInstancesRequest } from '@aws-sdk/client-ec2';
import { AwsError } from '../codec/aws-error.ts';
import { admitLaunch } from './admit-launch.ts';
import { checkSpotPrice } from './capacity.ts';
import { dryRunWouldSucceed, invalidValue, missingParameter } from './errors.ts';
import { fulfilFleet } from './fleet.ts';
import { writeInstance } from './instance-on-the-wire.ts';
import { launchSettings, type LaunchData, taggedAtLaunch } from './launch-settings.ts';
import type { Ec2 } from './model.ts';
import { checkTagSpecifications } from './tag-rules.ts';

/** Creates an instant fleet. The types that keep a target over time are not supported. */
export function createFleet(ec2: Ec2, request: CreateFleetRequest): CreateFleetResult {
  if (request.LaunchTemplateConfigs === undefined) throw missingParameter('LaunchTemplateConfigs');
  if (request.TargetCapacitySpecification === undefined) throw missingParameter('TargetCapacitySpecification');
  if (request.Type !== 'instant') {
    throw new AwsError(
      'Unsupported',
      `Fleets of the type ${request.Type ?? 'maintain'} are not supported; use instant.`,
    );
  }
  checkTagSpecifications(request.TagSpecifications, ['fleet', ...taggedAtLaunch]);
  if (request.DryRun === true) throw dryRunWouldSucceed();
  const call = { operation: 'CreateFleet', token: request.ClientToken, request };
  return ec2.idempotency.once(call, () => fulfilFleet(request, ec2));
}

/** Launches up to `MaxCount` instances: as many as there is room for, and none if there is no room for `MinCount`. */
export function runInstances(ec2: Ec2, request: RunInstancesRequest): Reservation {
  const data = launchData(ec2, request);
  const { MarketType: market, SpotOptions: spot } = data.InstanceMarketOptions ?? {};
  const settings = launchSettings(data, { capacityType: market === 'spot' ? 'spot' : 'on-demand' }, ec2.surroundings());
  checkSpotPrice(spot?.MaxPrice, settings, ec2);
  const { least, most } = readInstanceCount(request);
  if (request.DryRun === true) throw dryRunWouldSucceed();
  const call = { operation: 'RunInstances', token: request.ClientToken, request };
  return ec2.idempotency.once(call, () => {
    const ReservationId = `r-0${ec2.random.hex(16)}`;
    const { ClientToken: clientToken } = request;
    const from = { reservationId: ReservationId, ...(clientToken !== undefined && { clientToken }) };
    const admit = () => admitLaunch(settings, ec2);
    const launched = ec2.instances.launchBetween(settings, from, { least, most, admit });
    return { ReservationId, OwnerId: ec2.account.id, Instances: launched.map((each) => writeInstance(ec2, each)) };
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

/** The request wins over its launch template. */
function launchData(ec2: Ec2, request: RunInstancesRequest): LaunchData {
  const template = request.LaunchTemplate === undefined ? {} : ec2.templates.version(request.LaunchTemplate).data;
  const said = Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined));
  return { ...template, ...said };
}
