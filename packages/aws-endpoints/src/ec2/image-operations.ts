import type {
  CopyImageRequest,
  CopyImageResult,
  CreateImageRequest,
  CreateImageResult,
  DeregisterImageRequest,
  DescribeImageAttributeRequest,
  DisableImageDeprecationRequest,
  EnableImageDeprecationRequest,
  ImageAttribute,
  LaunchPermission,
  ModifyImageAttributeRequest,
  RegisterImageRequest,
  RegisterImageResult,
  ResetImageAttributeRequest,
} from '@aws-sdk/client-ec2';
import { days, instant, minutes, toTimestamp } from '@nodewright/apis';
import { AwsError } from '../codec/aws-error.ts';
import { dryRunWouldSucceed, invalidValue, missingParameter, noSuchInstances, notYourImage } from './errors.ts';
import { findSnapshot } from './known-snapshots.ts';
import type { Ec2 } from './model.ts';
import type { OwnImage } from './own-images.ts';
import { checkTagSpecifications } from './tag-rules.ts';
import { readTagSpecifications } from './tags.ts';

/** A snapshot may hold anything: its instances are taken for what their user data is written for. */
export function registerImage(ec2: Ec2, request: RegisterImageRequest): RegisterImageResult {
  const {
    Name: name = refuseMissingImageField('Name'),
    Description: description,
    Architecture: architecture = 'x86_64',
  } = request;
  if (architecture !== 'x86_64' && architecture !== 'arm64')
    throw invalidValue(`Invalid value '${architecture}' for Architecture: it is x86_64 or arm64 here.`);
  const arch = architecture === 'x86_64' ? 'amd64' : 'arm64';
  const snapshotId = request.BlockDeviceMappings?.map(({ Ebs }) => Ebs?.SnapshotId).find((id) => id !== undefined);
  const snapshot = snapshotId === undefined ? undefined : findSnapshot(ec2, snapshotId, ec2.clock.now());
  const rootSnapshot = snapshot && {
    id: snapshot.id,
    sizeGib: request.BlockDeviceMappings?.[0]?.Ebs?.VolumeSize ?? snapshot.sizeGib,
    encrypted: snapshot.encrypted,
  };
  return made(ec2, { name, description, arch, ...(rootSnapshot && { rootSnapshot }) }, request);
}

/** The image of a running instance: its nodes are like those of the image that the instance boots. */
export function createImage(ec2: Ec2, request: CreateImageRequest): CreateImageResult {
  const {
    InstanceId: id = refuseMissingImageField('InstanceId'),
    Name: name = refuseMissingImageField('Name'),
    Description: description,
  } = request;
  const instance = ec2.instances.get(id);
  if (instance === undefined) throw noSuchInstances([id]);
  return copied(ec2, { name, description, imageId: instance.settings.imageId, sourceInstanceId: id }, request);
}

export function copyImage(ec2: Ec2, request: CopyImageRequest): CopyImageResult {
  const {
    SourceImageId: imageId = refuseMissingImageField('SourceImageId'),
    Name: name = refuseMissingImageField('Name'),
  } = request;
  return copied(ec2, { name, description: request.Description, imageId }, request);
}

type CopiedImage = {
  readonly name: string;
  readonly description: string | undefined;
  readonly imageId: string;
  readonly sourceInstanceId?: string;
};

type TaggedImageRequest = Pick<RegisterImageRequest, 'TagSpecifications' | 'DryRun'>;

function copied(ec2: Ec2, { imageId, ...named }: CopiedImage, request: TaggedImageRequest): { ImageId: string } {
  const { arch, base } = ec2.images.sourceOf(imageId, ec2.clock.now());
  return made(ec2, { ...named, arch, ...(base && { base }) }, request);
}

function made(
  ec2: Ec2,
  image: Parameters<Ec2['images']['own']['make']>[0],
  { TagSpecifications, DryRun }: TaggedImageRequest,
): { ImageId: string } {
  checkTagSpecifications(TagSpecifications, ['image', 'snapshot']);
  ec2.images.own.requireFree(image.name);
  if (DryRun === true) throw dryRunWouldSucceed();
  const { id } = ec2.images.own.make(image, ec2.clock.now());
  ec2.tags.add(id, readTagSpecifications('image', TagSpecifications));
  return { ImageId: id };
}

export function deregisterImage(ec2: Ec2, request: DeregisterImageRequest): object {
  changeOwnImage(ec2, request, (image) => ({ ...image, isDeregistered: true }));
  return { Return: true };
}

export function enableImageDeprecation(ec2: Ec2, request: EnableImageDeprecationRequest): object {
  const at = readDeprecationTime(request, ec2);
  changeOwnImage(ec2, request, (image) => ({ ...image, deprecatedAt: at }));
  return { Return: true };
}

const farthestDeprecationMs = days(3_653);

/** What a client calls now is a little earlier when its request arrives. */
const nowToleranceMs = minutes(1);

/**
 * Reads the time of a deprecation: at most ten years ahead, rounded to the nearest minute. Now is a time, by the clock of
 * EC2 or by that of the caller, whom an accelerated clock leaves behind.
 */
function readDeprecationTime(
  { DeprecateAt: at }: EnableImageDeprecationRequest,
  { clock, signersClock }: Pick<Ec2, 'clock' | 'signersClock'>,
): string {
  if (at === undefined) throw missingParameter('DeprecateAt');
  const now = clock.now();
  const isNow = [now, signersClock.now()].some((time) => Math.abs(at.getTime() - time) < nowToleranceMs);
  if (Number.isNaN(at.getTime()) || (at.getTime() <= now && !isNow))
    throw invalidValue('The DeprecateAt value must be a time in the future.');
  if (at.getTime() > now + farthestDeprecationMs)
    throw invalidValue('The DeprecateAt value must not be more than 10 years in the future.');
  return toTimestamp(instant(Math.round(at.getTime() / minutes(1)) * minutes(1)));
}

export function disableImageDeprecation(ec2: Ec2, request: DisableImageDeprecationRequest): object {
  changeOwnImage(ec2, request, (image) => ({ ...image, deprecatedAt: undefined }));
  return { Return: true };
}

export function modifyImageAttribute(ec2: Ec2, request: ModifyImageAttributeRequest): object {
  const description = request.Description?.Value ?? (request.Attribute === 'description' ? request.Value : undefined);
  const changes = readPermissionChanges(request);
  if (description === undefined && changes === undefined) throw missingParameter('Attribute');
  changeOwnImage(ec2, request, (image) => ({
    ...image,
    ...(description === undefined ? {} : { description }),
    ...(changes && applyPermissionChanges(image, changes)),
  }));
  return {};
}

/** Only its owner may launch it then. */
export function resetImageAttribute(ec2: Ec2, request: ResetImageAttributeRequest): object {
  changeOwnImage(ec2, request, ({ sharedWith: _before, ...image }) => ({ ...image, isPublic: false }));
  return {};
}

type PermissionList = { readonly groups: readonly string[]; readonly users: readonly string[] };
type PermissionChanges = { readonly add: PermissionList; readonly remove: PermissionList };

/** Reads who may launch the image from now on, and who no longer, of both forms that requests have. */
function readPermissionChanges(request: ModifyImageAttributeRequest): PermissionChanges | undefined {
  const { LaunchPermission: permission, OperationType: operation } = request;
  const listed = { groups: request.UserGroups ?? [], users: request.UserIds ?? [] };
  const isListed = listed.groups.length + listed.users.length > 0;
  if (isListed && operation === undefined) throw missingParameter('OperationType');
  const [add, remove] = [permission?.Add, permission?.Remove].map(readPermissions);
  const changes = {
    add: mergePermissions(add, isListed && operation === 'add' ? listed : undefined),
    remove: mergePermissions(remove, isListed && operation === 'remove' ? listed : undefined),
  };
  const all = mergePermissions(changes.add, changes.remove);
  const unknownGroup = all.groups.find((group) => group !== 'all');
  if (unknownGroup !== undefined)
    throw new AwsError(
      'InvalidAMIAttributeItemValue',
      `Invalid attribute item value "${unknownGroup}" for userGroup item type.`,
    );
  const unknownUser = all.users.find((user) => !/^\d{12}$/.test(user));
  if (unknownUser !== undefined)
    throw new AwsError(
      'InvalidAMIAttributeItemValue',
      `Invalid attribute item value "${unknownUser}" for userId item type.`,
    );
  return all.groups.length + all.users.length === 0 ? undefined : changes;
}

const readPermissions = (permissions: readonly LaunchPermission[] = []): PermissionList => ({
  groups: permissions.flatMap(({ Group }) => Group ?? []),
  users: permissions.flatMap(({ UserId }) => UserId ?? []),
});

const mergePermissions = (...lists: readonly (PermissionList | undefined)[]): PermissionList => ({
  groups: lists.flatMap((list) => list?.groups ?? []),
  users: lists.flatMap((list) => list?.users ?? []),
});

function applyPermissionChanges(
  { isPublic, sharedWith = [] }: OwnImage,
  { add, remove }: PermissionChanges,
): Pick<OwnImage, 'isPublic' | 'sharedWith'> {
  const users = [...new Set([...sharedWith, ...add.users])].filter((user) => !remove.users.includes(user));
  return {
    isPublic: (isPublic || add.groups.includes('all')) && !remove.groups.includes('all'),
    sharedWith: users,
  };
}

export function describeImageAttribute(ec2: Ec2, request: DescribeImageAttributeRequest): ImageAttribute {
  const { ImageId: id = refuseMissingImageField('ImageId'), Attribute: attribute } = request;
  ec2.images.find(id, ec2.clock.now());
  const own = ec2.images.own.get(id);
  switch (attribute) {
    case 'description':
      return { ImageId: id, Description: { Value: own?.description ?? '' } };
    case 'launchPermission':
      if (own === undefined) throw notYourImage(id);
      return {
        ImageId: id,
        LaunchPermissions: [
          ...(own.isPublic ? [{ Group: 'all' as const }] : []),
          ...(own.sharedWith ?? []).map((UserId) => ({ UserId })),
        ],
      };
    default:
      throw invalidValue(`Invalid value '${attribute}' for Attribute: it is description or launchPermission here.`);
  }
}

function changeOwnImage(
  ec2: Ec2,
  {
    ImageId: id = refuseMissingImageField('ImageId'),
    DryRun,
  }: { ImageId?: string | undefined; DryRun?: boolean | undefined },
  by: (image: OwnImage) => OwnImage,
): void {
  const { own } = ec2.images;
  const isThere = ec2.images.withIds([id], ec2.clock.now()).length > 0;
  own.requireOwn(id, isThere);
  if (DryRun === true) throw dryRunWouldSucceed();
  own.change(id, isThere, by);
}

function refuseMissingImageField(name: string): never {
  throw missingParameter(name);
}
