import { AwsError } from '../codec/aws-error.ts';

/** The errors of EC2, with its codes and messages. */

export const dryRunWouldSucceed = (): AwsError =>
  new AwsError('DryRunOperation', 'Request would have succeeded, but DryRun flag is set.', { status: 412 });

export const invalidValue = (message: string): AwsError => new AwsError('InvalidParameterValue', message);

export const filterLimitError = (most: number): AwsError =>
  new AwsError('FilterLimitExceeded', `The maximum number of filter values specified on a single call is ${most}`);

export const missingParameter = (name: string): AwsError =>
  new AwsError('MissingParameter', `The request must contain the parameter ${name}`);

export const invalidCombination = (message: string): AwsError => new AwsError('InvalidParameterCombination', message);

export const ec2BadToken = (token: string): AwsError =>
  new AwsError('InvalidNextToken', `The specified NextToken is not valid: ${token}`);

export const noSuchInstances = (ids: readonly string[]): AwsError =>
  new AwsError(
    'InvalidInstanceID.NotFound',
    ids.length === 1
      ? `The instance ID '${ids.join('')}' does not exist`
      : `The instance IDs '${ids.join(', ')}' do not exist`,
  );

export const terminationProtected = (id: string): AwsError =>
  new AwsError(
    'OperationNotPermitted',
    `The instance '${id}' may not be terminated. Modify its 'disableApiTermination' instance attribute and try again.`,
  );

export const malformedInstanceId = (id: string): AwsError =>
  new AwsError('InvalidInstanceID.Malformed', `Invalid id: "${id}"`);

export const noSuchImage = (...ids: readonly string[]): AwsError =>
  new AwsError(
    'InvalidAMIID.NotFound',
    ids.length === 1
      ? `The image id '[${ids.join('')}]' does not exist`
      : `The image ids '[${ids.join(', ')}]' do not exist`,
  );

export const notYourImage = (id: string): AwsError => new AwsError('AuthFailure', `Not authorized for image:${id}`);

export const imageNameTaken = (name: string, id: string): AwsError =>
  new AwsError('InvalidAMIName.Duplicate', `AMI name ${name} is already in use by AMI ${id}`);

export const malformedImageName = (): AwsError =>
  new AwsError(
    'InvalidAMIName.Malformed',
    "AMI names must be between 3 and 128 characters long, and may contain letters, numbers, and ( ) . - / _ ' @ [ ] and spaces",
  );

export const malformedImageId = (id: string): AwsError =>
  new AwsError('InvalidAMIID.Malformed', `Invalid id: "${id}" (expecting "ami-...")`);

export const noSuchSubnet = (id: string): AwsError =>
  new AwsError('InvalidSubnetID.NotFound', `The subnet ID '${id}' does not exist`);

export const noSuchSecurityGroup = (id: string): AwsError =>
  new AwsError('InvalidGroup.NotFound', `The security group '${id}' does not exist`);

export const noSuchNetworkInterface = (id: string): AwsError =>
  new AwsError('InvalidNetworkInterfaceID.NotFound', `The networkInterface ID '${id}' does not exist`);

export const noSuchGroupRule = (id: string): AwsError =>
  new AwsError('InvalidSecurityGroupRuleId.NotFound', `The security group rule ID '${id}' does not exist`);

export const malformedBlock = (text: string): AwsError =>
  invalidValue(`Value (${text}) for parameter cidrBlock is invalid. This is not a valid CIDR block.`);

export const noSuchVpc = (id: string): AwsError =>
  new AwsError('InvalidVpcID.NotFound', `The vpc ID '${id}' does not exist`);

export const noSuchTemplateName = (name: string): AwsError =>
  new AwsError(
    'InvalidLaunchTemplateName.NotFoundException',
    `The specified launch template, with template name ${name}, does not exist.`,
  );

export const noSuchTemplateId = (id: string): AwsError =>
  new AwsError(
    'InvalidLaunchTemplateId.NotFound',
    `The specified launch template, with template ID ${id}, does not exist.`,
  );

export const malformedTemplateId = (id: string): AwsError =>
  new AwsError('InvalidLaunchTemplateId.Malformed', `Invalid id: "${id}" (expecting "lt-...")`);

export const malformedTemplateName = (): AwsError =>
  new AwsError(
    'InvalidLaunchTemplateName.MalformedException',
    'A launch template name must be between 3 and 128 characters, and may contain letters, numbers, and the following characters: - ( ) . / _',
  );

export const templateNameTaken = (): AwsError =>
  new AwsError('InvalidLaunchTemplateName.AlreadyExistsException', 'Launch template name already in use.');

export const noSuchTemplateVersion = (template: string, version: string): AwsError =>
  new AwsError(
    'InvalidLaunchTemplateId.VersionNotFound',
    `Could not find the specified version ${version} for the launch template with ID ${template}.`,
  );

export const noSuchInstanceProfile = (name: string): AwsError =>
  invalidValue(`Value (${name}) for parameter iamInstanceProfile.name is invalid. Invalid IAM Instance Profile name`);

export const dependencyViolation = (what: string, id: string): AwsError =>
  new AwsError('DependencyViolation', `The ${what} '${id}' has dependencies and cannot be deleted.`);

export const noFreeAddresses = (subnetId: string): AwsError =>
  new AwsError(
    'InsufficientFreeAddressesInSubnet',
    `There are not enough free addresses in subnet '${subnetId}' to satisfy the requested number of instances.`,
  );

export const overVcpuQuota = (vcpus: number): AwsError =>
  new AwsError(
    'VcpuLimitExceeded',
    `You have requested more vCPU capacity than your current vCPU limit of ${vcpus} allows for the instance bucket that the specified instance type belongs to. Please visit http://aws.amazon.com/contact-us/ec2-request to request an adjustment to this limit.`,
  );

export const overSpotQuota = (): AwsError =>
  new AwsError('MaxSpotInstanceCountExceeded', 'Max spot instance count exceeded');

export const noCapacity = (wanted: { instanceType: string; zone: string; capacityType: string }): AwsError =>
  new AwsError(
    'InsufficientInstanceCapacity',
    wanted.capacityType === 'spot'
      ? 'There is no Spot capacity available that matches your request.'
      : `We currently do not have sufficient ${wanted.instanceType} capacity in the Availability Zone you requested (${wanted.zone}). Our system will be working on provisioning additional capacity.`,
    { status: 500 },
  );

export const notOfferedIn = ({
  instanceType,
  zone,
  others,
}: {
  instanceType: string;
  zone: string;
  others: readonly string[];
}): AwsError =>
  new AwsError(
    'Unsupported',
    `Your requested instance type (${instanceType}) is not supported in your requested Availability Zone (${zone}). Please retry your request by not specifying an Availability Zone or choosing ${others.join(', ')}.`,
  );

export const spotPriceTooLow = (asked: string, price: number): AwsError =>
  new AwsError(
    'SpotMaxPriceTooLow',
    `Your Spot request price of ${asked} is lower than the minimum required Spot request fulfillment price of ${price}.`,
  );

/** The error of a `launch-failure` fault. */
export const launchFails = ({
  code,
  message = `${code} (a fault of the sandbox)`,
}: {
  code: string;
  message?: string;
}) => new AwsError(code, message);

export const tokenReused = (): AwsError =>
  new AwsError(
    'IdempotentParameterMismatch',
    'The request uses the same client token as a previous, but non-identical request. Do not reuse a client token with different requests, unless the requests are identical.',
  );

export const noSuchReservation = (id: string): AwsError =>
  new AwsError('InvalidCapacityReservationId.NotFound', `The capacity reservation ID '${id}' does not exist`);

export const malformedReservationId = (id: string): AwsError =>
  new AwsError('InvalidCapacityReservationId.Malformed', `Invalid id: "${id}" (expecting "cr-...")`);

export const reservationNotActive = (id: string, state: string): AwsError =>
  new AwsError('InvalidCapacityReservationState', `The capacity reservation '${id}' is ${state}`);

export const reservationFull = (): AwsError =>
  new AwsError(
    'ReservationCapacityExceeded',
    'The requested reservation does not have sufficient compatible and available capacity for this request.',
  );

export const noSuchPlacementGroup = (name: string): AwsError =>
  new AwsError('InvalidPlacementGroup.Unknown', `The Placement Group '${name}' is unknown.`);

export const groupNameTaken = (name: string): AwsError =>
  new AwsError('InvalidPlacementGroup.Duplicate', `The Placement Group '${name}' already exists.`);

export const placementGroupInUse = (name: string): AwsError =>
  new AwsError('InvalidPlacementGroup.InUse', `The placement group '${name}' is in use and may not be deleted.`);

export const groupInOtherZone = (name: string): AwsError =>
  new AwsError('InvalidPlacementGroup.InUse', `The placement group '${name}' is in use in another availability zone.`);

export const spreadGroupFull = (name: string, most: number): AwsError =>
  new AwsError(
    'InsufficientInstanceCapacity',
    `The placement group limit of ${most} running instances per Availability Zone is reached in the spread placement group '${name}'.`,
  );

export const unsupportedIn = (instanceType: string, strategy: string): AwsError =>
  new AwsError('Unsupported', `The instance type '${instanceType}' is not supported in ${strategy} placement groups.`);
