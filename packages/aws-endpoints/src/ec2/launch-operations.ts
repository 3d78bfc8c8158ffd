import type { CreateFleetRequest, CreateFleetResult, Reservation, RunInstancesRequest } from '@aws-sdk/client-ec2';
import { AwsError } from '../codec/aws-error.ts';
import { admitLaunch } from './admit-launch.ts';
import { dryRunWouldSucceed, invalidValue, missingParameter } from './errors.ts';
import { fulfilFleet } from './fleet.ts';
import { writeInstance } from './instance-on-the-wire.ts';
import type { Ec2Instance } from './instance.ts';
import { launchSettings, type LaunchData } from './launch-settings.ts';
import type { Ec2 } from './model.ts';

/** Only instant fleets are served: the others keep a target over time, which is for node groups to do. */
export function createFleet(ec2: Ec2, request: CreateFleetRequest): CreateFleetResult {
  if (request.LaunchTemplateConfigs === undefined) throw missingParameter('LaunchTemplateConfigs');
  if (request.TargetCapacitySpecification === undefined) throw missingParameter('TargetCapacitySpecification');
  if (request.Type !== 'instant') {
    throw new AwsError(
      'Unsupported',
      `Fleets of the type ${request.Type ?? 'maintain'} are not supported; use instant.`,
    );
  }
  if (request.DryRun === true) throw dryRunWouldSucceed();
  return ec2.idempotency.once(request.ClientToken, request, () => fulfilFleet(request, ec2));
}

export function runInstances(ec2: Ec2, request: RunInstancesRequest): Reservation {
  const capacityType = request.InstanceMarketOptions?.MarketType === 'spot' ? 'spot' : 'on-demand';
  const settings = launchSettings(launchData(ec2, request), { capacityType }, ec2.surroundings());
  const count = request.MaxCount ?? 1;
  if (count < 1) throw invalidValue(`Value (${count}) for parameter maxCount is invalid. It must be greater than 0.`);
  if (request.DryRun === true) throw dryRunWouldSucceed();
  return ec2.idempotency.once(request.ClientToken, request, () => {
    const ReservationId = `r-0${ec2.random.hex(16)}`;
    const { ClientToken: clientToken } = request;
    const from = { reservationId: ReservationId, ...(clientToken !== undefined && { clientToken }) };
    admitLaunch(settings, ec2);
    const launched = Array.from({ length: count }, (): Ec2Instance => ec2.instances.launch(settings, from));
    return { ReservationId, OwnerId: ec2.account.id, Instances: launched.map((each) => writeInstance(ec2, each)) };
  });
}

/** What the request says wins over what its launch template says. */
function launchData(ec2: Ec2, request: RunInstancesRequest): LaunchData {
  const template = request.LaunchTemplate === undefined ? {} : ec2.templates.version(request.LaunchTemplate).data;
  const said = Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined));
  return { ...template, ...said };
}
