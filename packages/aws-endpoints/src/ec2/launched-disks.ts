import type { LaunchTemplateBlockDeviceMappingRequest } from '@aws-sdk/client-ec2';
import { byTextOf } from '@nodewright/apis';
import { AwsError } from '../codec/aws-error.ts';
import { type Ec2Image, listImageDisks, rootDeviceOf } from './images.ts';
import type { KnownSnapshot } from './known-snapshots.ts';

/** A volume that a launch creates. */
export type LaunchedDisk = {
  readonly device: string;
  readonly sizeGib: number;
  readonly type: string;
  readonly iops?: number;
  readonly throughput?: number;
  readonly encrypted: boolean;
  /** The key that the launch names for an encrypted volume. */
  readonly kmsKeyId?: string;
  readonly deleteOnTermination: boolean;
  readonly snapshotId?: string;
};

type WantedDisk = Pick<LaunchTemplateBlockDeviceMappingRequest, 'DeviceName' | 'Ebs' | 'NoDevice'>;

/**
 * Lists the volumes of a launch: those of the image as the request changes them, and further ones. The root volume is first.
 * @throws AwsError for a volume that is smaller than the snapshot of its device, and for a further one without a size
 */
export function listLaunchedDisks(
  { image, snapshot }: DiskSources,
  wanted: readonly WantedDisk[] = [],
): readonly LaunchedDisk[] {
  const disks = new Map<string, LaunchedDisk>(listImageDisks(image).map((disk) => [disk.device, disk]));
  for (const mapping of wanted) {
    const { DeviceName: device = '' } = mapping;
    if (mapping.NoDevice !== undefined) disks.delete(device);
    else if (mapping.Ebs !== undefined) {
      const start = readStart(disks.get(device), mapping.Ebs.SnapshotId, snapshot);
      disks.set(device, changeDisk(start, device, mapping.Ebs));
    }
  }
  const root = rootDeviceOf(image);
  return [...disks.values()].toSorted(byTextOf(({ device }) => (device === root ? '' : device)));
}

type DiskSources = {
  readonly image: Ec2Image;
  /** @throws AwsError when there is no such snapshot */
  readonly snapshot: (id: string) => KnownSnapshot;
};

/** What a volume begins with: the snapshot that the request names, or else the volume of the image. */
function readStart(
  ofImage: LaunchedDisk | undefined,
  id: string | undefined,
  snapshot: DiskSources['snapshot'],
): LaunchedDisk | undefined {
  if (id === undefined || id === ofImage?.snapshotId) return ofImage;
  const { sizeGib, encrypted, kmsKeyId } = snapshot(id);
  const key = kmsKeyId === undefined ? {} : { kmsKeyId };
  return { ...(ofImage ?? { ...plainDisk, device: '' }), sizeGib, encrypted, ...key, snapshotId: id };
}

/** What a volume is where neither the image nor the request says it. */
const plainDisk = { sizeGib: 8, type: 'gp2', encrypted: false, deleteOnTermination: true };

function changeDisk(
  ofImage: LaunchedDisk | undefined,
  device: string,
  ebs: NonNullable<WantedDisk['Ebs']>,
): LaunchedDisk {
  const { VolumeSize: sizeGib = ofImage?.sizeGib ?? plainDisk.sizeGib } = ebs;
  if (ofImage !== undefined && sizeGib < ofImage.sizeGib) throw tooSmallVolume(sizeGib, ofImage);
  if (ofImage === undefined && ebs.VolumeSize === undefined) throw unknownVolumeSize();
  const { VolumeType: type = ofImage?.type ?? plainDisk.type } = ebs;
  const iops = ebs.Iops ?? usualIops(type, sizeGib);
  const throughput = ebs.Throughput ?? (type === 'gp3' ? 125 : undefined);
  return {
    ...(ofImage ?? plainDisk),
    device,
    sizeGib,
    type,
    encrypted: ebs.Encrypted ?? ofImage?.encrypted ?? false,
    deleteOnTermination: ebs.DeleteOnTermination ?? true,
    ...(iops !== undefined && { iops }),
    ...(throughput !== undefined && { throughput }),
    ...(ebs.KmsKeyId !== undefined && { kmsKeyId: ebs.KmsKeyId }),
  };
}

/** gp2 has 3 operations a second for each GiB, from 100 to 16,000. */
export function usualIops(type: string, sizeGib: number): number | undefined {
  if (type === 'gp3') return 3000;
  return type === 'gp2' ? Math.min(16_000, Math.max(100, sizeGib * 3)) : undefined;
}

const unknownVolumeSize = (): AwsError =>
  new AwsError('MissingParameter', 'The request must contain the parameter size or snapshotId');

const tooSmallVolume = (sizeGib: number, { snapshotId, sizeGib: least }: LaunchedDisk): AwsError =>
  new AwsError(
    'InvalidBlockDeviceMapping',
    `Volume of size ${sizeGib}GB is smaller than snapshot '${snapshotId}', expect size>= ${least}GB`,
  );
