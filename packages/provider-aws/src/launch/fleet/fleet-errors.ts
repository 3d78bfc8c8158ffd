import type { CreateFleetError } from '@aws-sdk/client-ec2';
import type { OutOfCapacity } from '@nodewright/apis';
import type { LaunchOutcome, LaunchWarning } from '@nodewright/ports';
import { classifyCode } from '../../calls/error-codes.ts';
import type { ReservationLookup } from '../../found/capacity-reservations/capacity-reservations.ts';
import { placementGroupIdOf } from '../../found/placement-groups/partition.ts';
import type { LaunchChoice } from '../options/launch-options.ts';
import type { UnavailableOfferings } from '../../market/unavailable-offerings.ts';

const noSpotRole = 'AuthFailure.ServiceLinkedRoleCreationNotPermitted';

const spotRoleWarning: LaunchWarning = {
  reason: 'SpotSLRCreationFailed',
  message: `Failed to launch a spot instance due to ${noSpotRole}: create the service-linked role of EC2 Spot once, with "aws iam create-service-linked-role --aws-service-name spot.amazonaws.com"`,
};

/** Remembers what EC2 is out of. @returns the same, to be stored */
export function rememberUnavailable(
  errors: readonly CreateFleetError[],
  { capacityType, options }: LaunchChoice,
  { unavailable, reservations }: Memory,
): readonly OutOfCapacity[] {
  const found: OutOfCapacity[] = [];
  for (const { ErrorCode = '', ErrorMessage = '', LaunchTemplateAndOverrides } of errors) {
    const { InstanceType: instanceType, AvailabilityZone: zone } = LaunchTemplateAndOverrides?.Overrides ?? {};
    if (ErrorCode === noSpotRole) found.push(unavailable.markCapacityType('spot'));
    if (!isUnfulfillable(ErrorCode) || instanceType === undefined || zone === undefined) continue;
    const refused = options.find(({ type, offering }) => type.name === instanceType && offering.zone === zone);
    const reservation = refused?.offering.reservation;
    const placementGroup = refused === undefined ? undefined : placementGroupIdOf(refused.type);
    if (reservation !== undefined) reservations.exhausted(reservation.id);
    else if (placementGroup !== undefined && isGroupFull(ErrorCode, ErrorMessage))
      for (const type of typesIn(zone, options))
        found.push(unavailable.mark({ instanceType: type, zone, capacityType, placementGroup }));
    else found.push(unavailable.mark({ instanceType, zone, capacityType, placementGroup }));
  }
  return found;
}

/** The group takes no more instances in the zone, whatever their type. */
const isGroupFull = (code: string, message = ''): boolean =>
  code === 'InvalidPlacementGroup.InUse' || /placement group limit/i.test(message);

const typesIn = (zone: string, options: LaunchChoice['options']): ReadonlySet<string> =>
  new Set(options.filter(({ offering }) => offering.zone === zone).map(({ type }) => type.name));

type Memory = {
  readonly unavailable: UnavailableOfferings;
  readonly reservations: Pick<ReservationLookup, 'exhausted'>;
};

/** Limits of the account that another instance type, zone or capacity type may not hit. */
const launchQuotas: ReadonlySet<string> = new Set([
  'MaxFleetCountExceeded',
  'MaxSpotInstanceCountExceeded',
  'VcpuLimitExceeded',
]);

/** EC2 cannot give what was asked for now, and may give something else. */
export const isUnfulfillable = (code: string): boolean =>
  classifyCode(code) === 'insufficientCapacity' || launchQuotas.has(code);

/** What a fleet without an instance means. @param found what EC2 turned out to be out of */
export function fleetOutcomeOf(
  errors: readonly CreateFleetError[],
  found: readonly OutOfCapacity[] = [],
): LaunchOutcome {
  const texts = [
    ...new Set(errors.map(({ ErrorCode = '', ErrorMessage = '' }) => `${ErrorCode}: ${ErrorMessage}`)),
  ].toSorted();
  const message = `with fleet error(s), ${texts.join('; ')}`;
  const isOut = errors.every(({ ErrorCode = '' }) => isUnfulfillable(ErrorCode) || ErrorCode === noSpotRole);
  const warning = errors.some(({ ErrorCode }) => ErrorCode === noSpotRole) ? { warning: spotRoleWarning } : {};
  return isOut
    ? { kind: 'insufficientCapacity', message, ...(found.length > 0 && { outOf: found }), ...warning }
    : { kind: 'refused', reason: refusalReason(message), message, ...warning };
}

/** The first whose text occurs in the error names the reason. */
const refusalPatterns: readonly (readonly [reason: string, pattern: RegExp])[] = [
  ['SpotSLRCreationFailed', /AuthFailure\.ServiceLinkedRoleCreationNotPermitted/],
  ['AMIAuthorizationFailure', /Not authorized for images/],
  ['Unauthorized', /UnauthorizedOperation|AccessDenied|AuthFailure/],
  ['SecurityGroupSubnetVPCMismatch', /InvalidParameter.*belong to different networks/],
  ['InstanceProfileNameInvalid', /iamInstanceProfile\.name is invalid/],
  ['LaunchTemplateNotFound', /InvalidLaunchTemplate(Id|Name)\.NotFound/],
  ['UserDataSizeLimitExceeded', /User data is limited to/],
  ['InvalidAMIID', /InvalidAMIID\.Malformed/],
  ['AMINotFound', /InvalidAMIID\.NotFound/],
  ['RequestLimitExceeded', /RequestLimitExceeded/],
  ['InternalError', /InternalError/],
  ['FreeTierIneligible', /not eligible for Free Tier/],
  ['FleetQuotaExceeded', /MaxFleetCountExceeded/],
  ['AccountPendingVerification', /PendingVerification/],
  ['SpotQuotaExceeded', /MaxSpotInstanceCountExceeded/],
  ['VCPULimitExceeded', /VcpuLimitExceeded/],
  ['InsufficientFreeAddressesInSubnet', /InsufficientFreeAddressesInSubnet/],
];

export const refusalReason = (message: string): string =>
  refusalPatterns.find(([, pattern]) => pattern.test(message))?.[0] ?? 'LaunchFailed';
