import type {
  CopySnapshotRequest,
  CopySnapshotResult,
  CreateSnapshotRequest,
  DeleteSnapshotRequest,
  Snapshot,
} from '@aws-sdk/client-ec2';
import { AwsError } from '../codec/aws-error.ts';
import { writeOwnSnapshot } from './describe-snapshots.ts';
import { dryRunWouldSucceed, invalidValue, missingParameter } from './errors.ts';
import { findImageOfSnapshot, findSnapshot } from './known-snapshots.ts';
import type { Ec2 } from './model.ts';
import { noSuchSnapshot, type OwnSnapshot } from './own-snapshots.ts';
import { checkTagSpecifications } from './tag-rules.ts';
import { readTagSpecifications, writeEc2Tags } from './tags.ts';
import { findVolume } from './volume-operations.ts';

export function createSnapshot(ec2: Ec2, request: CreateSnapshotRequest): Snapshot {
  const { VolumeId: volumeId = refuseMissingVolume(), Description: description = '' } = request;
  const { sizeGib, encrypted } = findVolume(ec2, volumeId);
  return writeOwnSnapshot(ec2, addSnapshot(ec2, { volumeId, sizeGib, encrypted, description }, request));
}

/** Copies a snapshot within the region. The copy names no volume. */
export function copySnapshot(ec2: Ec2, request: CopySnapshotRequest): CopySnapshotResult {
  const { SourceSnapshotId: source = '', SourceRegion: region, Encrypted: asked } = request;
  if (region !== undefined && region !== ec2.account.region)
    throw invalidValue(
      `Value (${region}) for parameter SourceRegion is invalid. The sandbox copies snapshots within ${ec2.account.region} alone.`,
    );
  const { sizeGib, encrypted } = findSnapshot(ec2, source, ec2.clock.now());
  const description = request.Description ?? `[Copied ${source} from ${ec2.account.region}]`;
  const facts = { volumeId: 'vol-ffffffff', sizeGib, encrypted: encrypted || asked === true, description };
  const { id } = addSnapshot(ec2, facts, request);
  return { SnapshotId: id, Tags: writeEc2Tags(ec2.tags.of(id)) };
}

type TaggedSnapshotRequest = Pick<CreateSnapshotRequest, 'TagSpecifications' | 'DryRun'>;

function addSnapshot(
  ec2: Ec2,
  facts: Omit<OwnSnapshot, 'id' | 'startedAt'>,
  { TagSpecifications, DryRun }: TaggedSnapshotRequest,
): OwnSnapshot {
  checkTagSpecifications(TagSpecifications, ['snapshot']);
  if (DryRun === true) throw dryRunWouldSucceed();
  const made = ec2.snapshots.add({ ...facts, startedAt: ec2.clock.now() });
  ec2.tags.add(made.id, readTagSpecifications('snapshot', TagSpecifications));
  return made;
}

/** A snapshot that an image is made of stays until the image is deregistered. */
export function deleteSnapshot(ec2: Ec2, { SnapshotId: id = '', DryRun }: DeleteSnapshotRequest): object {
  const image = findImageOfSnapshot(ec2.images, id, ec2.clock.now());
  if (image !== undefined && image.isMine !== true)
    throw new AwsError('OperationNotPermitted', `The snapshot '${id}' does not belong to the caller.`);
  if (image !== undefined)
    throw new AwsError('InvalidSnapshot.InUse', `The snapshot ${id} is currently in use by ${image.id}`);
  if (ec2.snapshots.find(id) === undefined) throw noSuchSnapshot(id);
  if (DryRun === true) throw dryRunWouldSucceed();
  ec2.snapshots.delete(id);
  return {};
}

function refuseMissingVolume(): never {
  throw missingParameter('volumeId');
}
