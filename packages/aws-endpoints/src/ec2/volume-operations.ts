import type {
  AttachVolumeRequest,
  CreateVolumeRequest,
  DeleteVolumeRequest,
  DetachVolumeRequest,
  Volume,
  VolumeAttachment,
  VolumeAttachmentState,
} from '@aws-sdk/client-ec2';
import { AwsError } from '../codec/aws-error.ts';
import { noSuchVolume, writeOwnVolume } from './describe-volumes.ts';
import { dryRunWouldSucceed, invalidValue, missingParameter } from './errors.ts';
import { findDescribedInstance } from './instance-attributes.ts';
import type { Ec2Instance } from './instance.ts';
import { findSnapshot } from './known-snapshots.ts';
import { usualIops } from './launched-disks.ts';
import type { Ec2 } from './model.ts';
import { detachOwnVolume, type OwnVolume } from './own-volumes.ts';
import { checkTagSpecifications } from './tag-rules.ts';
import { readTagSpecifications } from './tags.ts';
import { applyVolumeChange } from './volume-changes.ts';
import { readVolumeEncryption } from './volume-encryption.ts';
import { checkAskedSpeed, checkVolumeSize, checkVolumeSpeed, refuseMultiAttach } from './volume-sizes.ts';
import { type InstanceVolume, volumesOf } from './volumes-of.ts';

export function createVolume(ec2: Ec2, request: CreateVolumeRequest): Volume {
  const { network, tags, random, volumes, clock } = ec2;
  const { AvailabilityZone: zoneName, AvailabilityZoneId: zoneId, VolumeType: type = 'gp2' } = request;
  if (zoneName === undefined && zoneId === undefined) throw missingParameter('zone');
  const zone = network.zones.find(({ name, id }) => (zoneName === undefined ? id === zoneId : name === zoneName));
  if (zone === undefined)
    throw new AwsError('InvalidZone.NotFound', `The zone '${zoneName ?? zoneId}' does not exist.`);
  const snapshot = request.SnapshotId === undefined ? undefined : findSnapshot(ec2, request.SnapshotId, clock.now());
  const { Size: sizeGib = snapshot?.sizeGib } = request;
  if (sizeGib === undefined) throw missingParameter('size/snapshot');
  if (snapshot !== undefined && sizeGib < snapshot.sizeGib)
    throw invalidValue(
      `Volume of ${sizeGib}GiB is smaller than snapshot '${snapshot.id}', expect size >= ${snapshot.sizeGib}GiB`,
    );
  checkVolumeSize(type, sizeGib);
  checkAskedSpeed(type, request);
  if (request.MultiAttachEnabled === true) throw refuseMultiAttach();
  checkTagSpecifications(request.TagSpecifications, ['volume']);
  const iops = request.Iops ?? usualIops(type, sizeGib);
  const throughput = request.Throughput ?? (type === 'gp3' ? 125 : undefined);
  const speed = { ...(iops !== undefined && { iops }), ...(throughput !== undefined && { throughput }) };
  checkVolumeSpeed({ type, sizeGib, ...speed });
  const encryption = readVolumeEncryption(request, snapshot);
  if (request.DryRun === true) throw dryRunWouldSucceed();
  const volume = volumes.keep({
    id: `vol-0${random.hex(16)}`,
    zone: zone.name,
    zoneId: zone.id,
    createdAt: clock.now(),
    sizeGib,
    type,
    ...encryption,
    ...speed,
    ...(snapshot !== undefined && { snapshotId: snapshot.id }),
  });
  tags.add(volume.id, readTagSpecifications('volume', request.TagSpecifications));
  return writeOwnVolume(ec2, volume);
}

export function deleteVolume(ec2: Ec2, { VolumeId: id = '', DryRun }: DeleteVolumeRequest): object {
  const launched = findLaunchedVolume(ec2, id);
  const instanceId = launched?.instance.id ?? requireVolume(ec2, id).attachment?.instanceId;
  if (instanceId !== undefined)
    throw new AwsError('VolumeInUse', `Volume ${id} is currently attached to ${instanceId}`);
  if (DryRun === true) throw dryRunWouldSucceed();
  ec2.volumes.delete(id);
  return {};
}

export function attachVolume(ec2: Ec2, request: AttachVolumeRequest): VolumeAttachment {
  const { VolumeId: id = '', Device: device = '', InstanceId, DryRun } = request;
  const instance = findDescribedInstance(ec2, InstanceId);
  const used = findLaunchedVolume(ec2, id);
  const volume = used === undefined ? requireVolume(ec2, id) : undefined;
  if (volume === undefined || volume.attachment !== undefined)
    throw new AwsError('VolumeInUse', `${id} is already attached to an instance`);
  if (volume.zone !== instance.zone)
    throw new AwsError(
      'InvalidVolume.ZoneMismatch',
      `The volume '${id}' is not in the same availability zone as instance '${instance.id}'`,
    );
  if (instance.state !== 'running' && instance.state !== 'stopped')
    throw new AwsError('IncorrectState', `Instance '${instance.id}' is not 'running'.`);
  if (device === '') throw missingParameter('device');
  const taken = [...volumesOf(instance).map((each) => each.device), ...listAttachedDevices(ec2, instance)];
  if (taken.includes(device))
    throw invalidValue(`Invalid value '${device}' for unixDevice. Attachment point ${device} is already in use`);
  if (DryRun === true) throw dryRunWouldSucceed();
  const attachment = { instanceId: instance.id, device, attachedAt: ec2.clock.now(), endsWithInstance: false };
  return writeMovingAttachment(ec2.volumes.keep({ ...volume, attachment }), 'attaching');
}

const listAttachedDevices = ({ volumes }: Ec2, { id }: Ec2Instance): readonly (string | undefined)[] =>
  volumes.attachedTo(id).map(({ attachment }) => attachment?.device);

export function detachVolume(ec2: Ec2, request: DetachVolumeRequest): VolumeAttachment {
  const { VolumeId: id = '', DryRun } = request;
  const launched = findLaunchedVolume(ec2, id);
  const volume = launched === undefined ? requireVolume(ec2, id) : undefined;
  const instanceId = launched?.instance.id ?? volume?.attachment?.instanceId;
  if (instanceId === undefined || (request.InstanceId ?? instanceId) !== instanceId)
    throw new AwsError('IncorrectState', `Volume '${id}' is in the 'available' state.`);
  if (launched !== undefined && launched.volume.volumeId === launched.instance.root.volumeId)
    throw new AwsError(
      'OperationNotPermitted',
      `Unable to detach root volume '${launched.volume.device}' from instance '${instanceId}'`,
    );
  if (DryRun === true) throw dryRunWouldSucceed();
  if (launched !== undefined) return detachLaunchedVolume(ec2, launched);
  if (volume === undefined) throw noSuchVolume(id);
  ec2.volumes.keep(detachOwnVolume(volume));
  return writeMovingAttachment(volume, 'detaching');
}

type FoundVolume = Omit<OwnVolume, 'id' | 'zone' | 'zoneId' | 'createdAt' | 'attachment'>;

/** Finds a volume, on an instance of its launch or by itself. @throws AwsError when there is no such volume */
export const findVolume = (ec2: Ec2, id: string): FoundVolume =>
  applyVolumeChange<FoundVolume>(
    findLaunchedVolume(ec2, id)?.volume ?? requireVolume(ec2, id),
    ec2.volumes.changes.get(id),
    ec2.clock.now(),
  );

type LaunchedVolume = { readonly instance: Ec2Instance; readonly volume: InstanceVolume };

function detachLaunchedVolume({ instances, volumes }: Ec2, { instance, volume }: LaunchedVolume): VolumeAttachment {
  const left = volumes.keepLeft(instance, volume);
  instances.change(instance.id, { detached: [...(instance.changed?.detached ?? []), volume.device] });
  const { device, deleteOnTermination: endsWithInstance } = volume;
  const attachment = { instanceId: instance.id, device, attachedAt: instance.launchedAt, endsWithInstance };
  return writeMovingAttachment({ ...left, attachment }, 'detaching');
}

const findLaunchedVolume = ({ instances }: Ec2, id: string): LaunchedVolume | undefined =>
  instances
    .all()
    .filter(({ state }) => state !== 'terminated')
    .flatMap((instance) => volumesOf(instance).map((volume) => ({ instance, volume })))
    .find(({ volume }) => volume.volumeId === id);

function requireVolume({ volumes }: Ec2, id: string): OwnVolume {
  const found = volumes.find(id);
  if (found === undefined) throw noSuchVolume(id);
  return found;
}

const writeMovingAttachment = ({ id, attachment }: OwnVolume, State: VolumeAttachmentState): VolumeAttachment => ({
  VolumeId: id,
  ...(attachment && {
    InstanceId: attachment.instanceId,
    Device: attachment.device,
    AttachTime: new Date(attachment.attachedAt),
    DeleteOnTermination: attachment.endsWithInstance,
  }),
  State,
});
