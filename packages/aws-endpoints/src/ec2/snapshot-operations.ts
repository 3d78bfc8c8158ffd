import type {
  CopySnapshotRequest,
  CopySnapshotResult,
  CreateSnapshotRequest,
  CreateSnapshotsRequest,
  CreateSnapshotsResult,
  DeleteSnapshotRequest,
  InstanceSpecification,
  Snapshot,
  SnapshotInfo,
} from '@aws-sdk/client-ec2';
import { AwsError } from '../codec/aws-error.ts';
import { isRegionOf } from './describe-regions.ts';
import { writeOwnSnapshot } from './describe-snapshots.ts';
import { dryRunWouldSucceed, invalidValue, missingParameter } from './errors.ts';
import { findDescribedInstance } from './instance-attributes.ts';
import type { Ec2Instance } from './instance.ts';
import { findImageOfSnapshot, findSnapshot } from './known-snapshots.ts';
import type { Ec2 } from './model.ts';
import { noSuchSnapshot, type OwnSnapshot } from './own-snapshots.ts';
import { checkTagSpecifications } from './tag-rules.ts';
import { readTagSpecifications, writeEc2Tags } from './tags.ts';
import { readVolumeEncryption } from './volume-encryption.ts';
import { findVolume } from './volume-operations.ts';
import { volumesOf } from './volumes-of.ts';

export function createSnapshot(ec2: Ec2, request: CreateSnapshotRequest): Snapshot {
  const { VolumeId: volumeId = refuseMissingVolume(), Description: description = '' } = request;
  return writeOwnSnapshot(ec2, addSnapshot(ec2, describeCopiedVolume(ec2, volumeId, description), request));
}

type SnapshotFacts = Omit<OwnSnapshot, 'id' | 'startedAt'>;

function describeCopiedVolume(ec2: Ec2, volumeId: string, description: string): SnapshotFacts {
  const { sizeGib, encrypted, kmsKeyId } = findVolume(ec2, volumeId);
  return { volumeId, sizeGib, encrypted, description, ...(kmsKeyId !== undefined && { kmsKeyId }) };
}

/** Takes a snapshot of each volume of an instance at one instant, of the root volume first. */
export function createSnapshots(ec2: Ec2, request: CreateSnapshotsRequest): CreateSnapshotsResult {
  const { Description = '', TagSpecifications, CopyTagsFromSource } = request;
  const { InstanceSpecification: asked = { InstanceId: undefined } } = request;
  const instance = findDescribedInstance(ec2, asked.InstanceId);
  const ids = listVolumesToStore(ec2, instance, asked);
  checkTagSpecifications(TagSpecifications, ['snapshot']);
  if (request.DryRun === true) throw dryRunWouldSucceed();
  const made = ids.map((volumeId) => {
    const snapshot = addSnapshot(ec2, describeCopiedVolume(ec2, volumeId, Description), { TagSpecifications });
    if (CopyTagsFromSource === 'volume')
      ec2.tags.add(snapshot.id, { ...ec2.tags.of(volumeId), ...ec2.tags.of(snapshot.id) });
    return snapshot;
  });
  return { Snapshots: made.map((snapshot) => writeSnapshotInfo(ec2, snapshot)) };
}

/** @throws AwsError for a volume to leave out that is none of the instance's, or its root volume */
function listVolumesToStore(ec2: Ec2, instance: Ec2Instance, asked: InstanceSpecification): readonly string[] {
  const { ExcludeBootVolume, ExcludeDataVolumeIds: left = [] } = asked;
  const data = [
    ...volumesOf(instance).map(({ volumeId }) => volumeId),
    ...ec2.volumes.attachedTo(instance.id).map(({ id }) => id),
  ].filter((id) => id !== instance.root.volumeId);
  const unknown = left.find((id) => !data.includes(id));
  if (unknown !== undefined)
    throw invalidValue(
      `Value (${unknown}) for parameter excludeDataVolumeId is invalid. It is no data volume of the instance '${instance.id}'.`,
    );
  const kept = data.filter((id) => !left.includes(id));
  return ExcludeBootVolume === true ? kept : [instance.root.volumeId, ...kept];
}

function writeSnapshotInfo(ec2: Ec2, snapshot: OwnSnapshot): SnapshotInfo {
  const { SnapshotId, VolumeId, VolumeSize, State, Progress, StartTime, Encrypted, Description, OwnerId, Tags } =
    writeOwnSnapshot(ec2, snapshot);
  return { SnapshotId, VolumeId, VolumeSize, State, Progress, StartTime, Encrypted, Description, OwnerId, Tags };
}

/** Copies a snapshot into this region. The copy names no volume. */
export function copySnapshot(ec2: Ec2, request: CopySnapshotRequest): CopySnapshotResult {
  const { SourceSnapshotId: source = '', SourceRegion: region = ec2.account.region } = request;
  if (!isRegionOf(ec2.account, region))
    throw invalidValue(`Value (${region}) for parameter sourceRegion is invalid. There is no such region.`);
  const from = ec2.inRegion(region);
  const { sizeGib, encrypted, kmsKeyId } = findSnapshot(from, source, ec2.clock.now());
  const description = request.Description ?? `[Copied ${source} from ${region}]`;
  // A key belongs to a region, so that a copy elsewhere has the usual key there unless the request names one.
  const isKeyHere = region === ec2.account.region && kmsKeyId !== undefined;
  const encryption = readVolumeEncryption(request, { encrypted, ...(isKeyHere && { kmsKeyId }) });
  const { id } = addSnapshot(ec2, { volumeId: 'vol-ffffffff', sizeGib, ...encryption, description }, request);
  return { SnapshotId: id, Tags: writeEc2Tags(ec2.tags.of(id)) };
}

type TaggedSnapshotRequest = Pick<CreateSnapshotRequest, 'TagSpecifications' | 'DryRun'>;

function addSnapshot(
  ec2: Ec2,
  facts: SnapshotFacts,
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
