import type { InstanceTypeInfo } from '@aws-sdk/client-ec2';
import { type AmiFamily, type BlockDeviceMapping, type EC2NodeClass, quantityUnits } from '@nodewright/apis';

const gib = 2 ** 30;

const volume = (deviceName: string, volumeSize: string): BlockDeviceMapping => ({
  deviceName,
  ebs: { encrypted: true, volumeSize, volumeType: 'gp3' },
});

const linux = [volume('/dev/xvda', '20Gi')];
const windows = [volume('/dev/sda1', '50Gi')];

/** The volumes of a family whose NodeClass names none. */
export const familyVolumes: Readonly<Record<AmiFamily, readonly BlockDeviceMapping[]>> = {
  AL2: linux,
  AL2023: linux,
  Bottlerocket: [volume('/dev/xvda', '4Gi'), volume('/dev/xvdb', '20Gi')],
  Windows2019: windows,
  Windows2022: windows,
  Windows2025: windows,
  Custom: [],
};

/** Bytes of ephemeral storage that pods see: of the instance store under RAID0, else of the kubelet's volume. */
export function ephemeralStorageBytes(info: InstanceTypeInfo, { spec }: EC2NodeClass, family: AmiFamily): number {
  const instanceStoreGb = info.InstanceStorageInfo?.TotalSizeInGB;
  if (spec.instanceStorePolicy === 'RAID0' && instanceStoreGb !== undefined) return instanceStoreGb * 1e9;
  const mappings = spec.blockDeviceMappings ?? [];
  const kubeletDevice = familyVolumes[family].at(-1)?.deviceName;
  const size =
    sizeOf(mappings.find(({ rootVolume }) => rootVolume)) ??
    (family === 'Custom' ? sizeOf(mappings.at(-1)) : undefined) ??
    sizeOf(mappings.find(({ deviceName }) => deviceName !== undefined && deviceName === kubeletDevice)) ??
    sizeOf(familyVolumes[family].at(-1));
  return size ?? 20 * gib;
}

function sizeOf(mapping: BlockDeviceMapping | undefined): number | undefined {
  const size = mapping?.ebs?.volumeSize;
  return size === undefined ? undefined : quantityUnits(size);
}
