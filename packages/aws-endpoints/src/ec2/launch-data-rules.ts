import type { InstanceRequirementsRequest, RequestLaunchTemplateData, RunInstancesRequest } from '@aws-sdk/client-ec2';
import { readOwn } from '@nodewright/apis';
import { AwsError } from '../codec/aws-error.ts';
import { invalidCombination, invalidValue } from './errors.ts';
import { checkTagSpecifications } from './tag-rules.ts';

type CheckedLaunchData = Pick<
  RequestLaunchTemplateData,
  | 'BlockDeviceMappings'
  | 'IamInstanceProfile'
  | 'InstanceMarketOptions'
  | 'InstanceRequirements'
  | 'InstanceType'
  | 'MetadataOptions'
  | 'UserData'
>;

/** Checks what templates and launches say of an instance, as far as it needs no look at the account. @throws AwsError */
export function checkLaunchData(data: CheckedLaunchData): void {
  checkBase64(data.UserData);
  if (data.InstanceType !== undefined && data.InstanceRequirements !== undefined)
    throw invalidCombination('The parameters InstanceType and InstanceRequirements cannot be used together.');
  checkSpotPriceProtection(data.InstanceRequirements);
  if (data.IamInstanceProfile?.Arn !== undefined && data.IamInstanceProfile.Name !== undefined)
    throw invalidCombination(
      "The parameter 'iamInstanceProfile.name' may not be used in combination with 'iamInstanceProfile.arn'",
    );
  checkHopLimit(data.MetadataOptions?.HttpPutResponseHopLimit);
  checkMaxPrice(data.InstanceMarketOptions?.SpotOptions?.MaxPrice);
  for (const { Ebs: disk } of data.BlockDeviceMappings ?? []) checkDisk(disk ?? {});
}

/** What a launch from a template creates, and may tag. */
const taggedByTemplates = ['instance', 'volume', 'network-interface', 'spot-instances-request', 'elastic-gpu'];

/** Checks what a template says of an instance, and of the tags of what a launch from it creates. @throws AwsError */
export function checkTemplateData(data: RequestLaunchTemplateData): void {
  checkLaunchData(data);
  checkTagSpecifications(data.TagSpecifications, taggedByTemplates);
}

/** @throws AwsError when the protection against spot prices is given in both of its forms */
export function checkSpotPriceProtection(requirements: InstanceRequirementsRequest | undefined): void {
  const {
    SpotMaxPricePercentageOverLowestPrice: overLowest,
    MaxSpotPriceAsPercentageOfOptimalOnDemandPrice: ofOnDemand,
  } = requirements ?? {};
  if (overLowest === undefined || ofOnDemand === undefined) return;
  throw invalidCombination(
    'Only one of SpotMaxPricePercentageOverLowestPrice and MaxSpotPriceAsPercentageOfOptimalOnDemandPrice can be specified.',
  );
}

const base64Text = /^[A-Za-z0-9+/\s]*={0,2}\s*$/;

function checkBase64(userData = ''): void {
  const characters = userData.replaceAll(/\s/g, '');
  if (base64Text.test(userData) && characters.length % 4 !== 1) return;
  throw new AwsError('InvalidUserData.Malformed', 'Invalid BASE64 encoding of user data.');
}

function checkHopLimit(hops = 1): void {
  if (hops >= 1 && hops <= 64) return;
  throw invalidValue(
    `Value (${hops}) for parameter HttpPutResponseHopLimit is invalid. Specify a value between 1 and 64.`,
  );
}

/** A maximum price is a positive number of dollars. @throws AwsError */
export function checkMaxPrice(price: string | undefined): void {
  if (price === undefined || (/^\d+(\.\d+)?$/.test(price) && Number(price) > 0)) return;
  throw invalidValue(
    `Value (${price}) for parameter maxPrice is invalid. "${price}" is an invalid spot instance price`,
  );
}

/** What volume types take: GiB, operations and MiB per second. */
const diskBounds: Readonly<Record<string, { size: Bounds; iops?: Bounds; throughput?: Bounds }>> = {
  gp2: { size: [1, 16_384] },
  gp3: { size: [1, 65_536], iops: [3000, 80_000], throughput: [125, 2000] },
  io1: { size: [4, 16_384], iops: [100, 64_000] },
  io2: { size: [4, 65_536], iops: [100, 256_000] },
  sc1: { size: [125, 16_384] },
  st1: { size: [125, 16_384] },
  standard: { size: [1, 1024] },
};

type Bounds = readonly [least: number, most: number];

type DiskData = {
  readonly VolumeType?: string | undefined;
  readonly VolumeSize?: number | undefined;
  readonly Iops?: number | undefined;
  readonly Throughput?: number | undefined;
};

function checkDisk({ VolumeType: type = 'gp2', VolumeSize: size, Iops: iops, Throughput: throughput }: DiskData): void {
  const bounds = readOwn(diskBounds, type);
  if (bounds === undefined) return;
  if (size !== undefined) checkDiskBound('volumeSize', size, bounds.size, type);
  for (const [name, value, allowed] of [
    ['iops', iops, bounds.iops],
    ['throughput', throughput, bounds.throughput],
  ] as const) {
    if (value === undefined) continue;
    if (allowed === undefined) throw invalidCombination(`The parameter ${name} is not supported for ${type} volumes.`);
    checkDiskBound(name, value, allowed, type);
  }
}

function checkDiskBound(name: string, value: number, [least, most]: Bounds, type: string): void {
  if (value >= least && value <= most) return;
  throw invalidValue(
    `Value (${value}) for parameter ${name} is invalid. Volumes of the type ${type} have from ${least} to ${most}.`,
  );
}

/** Interfaces of a launch have their own groups and subnets. */
export function checkInterfacesBesideGroups(request: RunInstancesRequest): void {
  if ((request.NetworkInterfaces ?? []).length === 0) return;
  if (request.SecurityGroupIds !== undefined || request.SecurityGroups !== undefined)
    throw invalidCombination(
      'Network interfaces and an instance-level security groups may not be specified on the same request',
    );
  if (request.SubnetId !== undefined)
    throw invalidCombination(
      'Network interfaces and an instance-level subnet ID may not be specified on the same request',
    );
}
