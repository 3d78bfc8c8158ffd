import type { DescribeVolumesRequest, DescribeVolumesResult, Volume, VolumeType } from '@aws-sdk/client-ec2';
import { AwsError } from '../codec/aws-error.ts';
import { takePage } from '../paging.ts';
import { ec2BadToken } from './errors.ts';
import { applyFilters, type Filterable } from './filters.ts';
import type { Ec2Instance } from './instance.ts';
import { usualIops } from './launched-disks.ts';
import type { Ec2 } from './model.ts';
import type { OwnVolume } from './own-volumes.ts';
import { parseRecordPaths } from './record-paths.ts';
import { writeEc2Tags } from './tags.ts';
import { applyVolumeChange } from './volume-changes.ts';
import { writeVolumeKey } from './volume-encryption.ts';
import { type InstanceVolume, volumesOf } from './volumes-of.ts';

/** Answers `DescribeVolumes`: volumes that came with instances, and volumes of `CreateVolume`. Volumes of PersistentVolumeClaims are absent. */
export function describeVolumes(ec2: Ec2, request: DescribeVolumesRequest): DescribeVolumesResult {
  const volumes = listVolumes(ec2);
  const { VolumeIds: ids = [] } = request;
  const missing = ids.find((id) => !volumes.some(({ VolumeId }) => VolumeId === id));
  if (missing !== undefined) throw noSuchVolume(missing);
  const asked = ids.length === 0 ? volumes : volumes.filter(({ VolumeId = '' }) => ids.includes(VolumeId));
  const found = applyFilters(asked, request.Filters, filterableVolume(ec2));
  const { items, next } = takePage(found, { size: request.MaxResults, token: request.NextToken, refuse: ec2BadToken });
  return { Volumes: [...items], ...(next && { NextToken: next }) };
}

export const noSuchVolume = (id: string): AwsError =>
  new AwsError('InvalidVolume.NotFound', `The volume '${id}' does not exist.`);

const listVolumes = (ec2: Ec2): readonly Volume[] => [
  ...ec2.instances
    .allDescribed()
    .filter(({ state }) => state !== 'terminated')
    .flatMap((instance) => volumesOf(instance).map((volume) => writeLaunchedVolume(ec2, instance, volume))),
  ...ec2.volumes.all().map((volume) => writeOwnVolume(ec2, volume)),
];

function writeLaunchedVolume(ec2: Ec2, instance: Ec2Instance, volume: InstanceVolume): Volume {
  const { volumeId: id, device, deleteOnTermination: endsWithInstance } = volume;
  const { zone, zoneId, launchedAt } = instance;
  const { iops = usualIops(volume.type, volume.sizeGib) } = volume;
  const attachment = { instanceId: instance.id, device, attachedAt: launchedAt, endsWithInstance };
  return writeOwnVolume(ec2, {
    ...volume,
    ...(iops !== undefined && { iops }),
    id,
    zone,
    zoneId,
    createdAt: launchedAt,
    attachment,
  });
}

export const writeOwnVolume = ({ volumes, clock, ...ec2 }: Ec2, volume: OwnVolume): Volume =>
  writeVolume(ec2, applyVolumeChange(volume, volumes.changes.get(volume.id), clock.now()));

const writeVolume = ({ account, tags }: Pick<Ec2, 'account' | 'tags'>, volume: OwnVolume): Volume => ({
  VolumeId: volume.id,
  VolumeType: volume.type as VolumeType,
  Size: volume.sizeGib,
  ...(volume.iops !== undefined && { Iops: volume.iops }),
  ...(volume.throughput !== undefined && { Throughput: volume.throughput }),
  State: volume.attachment === undefined ? 'available' : 'in-use',
  Encrypted: volume.encrypted,
  ...writeVolumeKey(account, volume),
  MultiAttachEnabled: false,
  SnapshotId: volume.snapshotId ?? '',
  AvailabilityZone: volume.zone,
  AvailabilityZoneId: volume.zoneId,
  CreateTime: new Date(volume.createdAt),
  Operator: { Managed: false },
  Attachments:
    volume.attachment === undefined
      ? []
      : [
          {
            VolumeId: volume.id,
            InstanceId: volume.attachment.instanceId,
            Device: volume.attachment.device,
            State: 'attached',
            AttachTime: new Date(volume.attachment.attachedAt),
            DeleteOnTermination: volume.attachment.endsWithInstance,
          },
        ],
  Tags: writeEc2Tags(tags.of(volume.id)),
});

const volumeRecordPaths = parseRecordPaths(`
  attachment.attach-time Attachments.AttachTime
  attachment.delete-on-termination Attachments.DeleteOnTermination
  attachment.device Attachments.Device
  attachment.instance-id Attachments.InstanceId
  attachment.status Attachments.State
  availability-zone AvailabilityZone
  availability-zone-id AvailabilityZoneId
  create-time CreateTime
  encrypted Encrypted
  fast-restored FastRestored
  multi-attach-enabled MultiAttachEnabled
  operator.managed Operator.Managed
  operator.principal Operator.Principal
  size Size
  snapshot-id SnapshotId
  status State
  volume-id VolumeId
  volume-type VolumeType
`);

const filterableVolume = ({ tags }: Ec2): Filterable<Volume> => ({
  records: { write: (volume) => volume, paths: volumeRecordPaths },
  attributes: {},
  tags: ({ VolumeId = '' }) => tags.of(VolumeId),
});
