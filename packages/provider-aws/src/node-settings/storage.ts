import type { InstanceTypeInfo } from '@aws-sdk/client-ec2';
import { type AmiFamily, type BlockDeviceMapping, type EC2NodeClass, quantityUnits } from '@nodewright/apis';

const bytesPerGib = 2 ** 30;

const defaultVolume = (deviceName: string, volumeSize: string): BlockDeviceMapping => ({
  deviceName,
  ebs: { encrypted: true, volumeSize, volumeType: 'gp3' },
});

const linux = [defaultVolume('/dev/xvda', '20Gi')];
const windowsVolumes = [defaultVolume('/dev/sda1', '50Gi')];

/** The volumes of a family whose NodeClass names none. */
export const familyVolumes: Readonly<Record<AmiFamily, readonly BlockDeviceMapping[]>> = {
  AL2: linux,
  AL2023: linux,
  Bottlerocket: [defaultVolume('/dev/xvda', '4Gi'), defaultVolume('/dev/xvdb', '20Gi')],
  Windows2019: windowsVolumes,
  Windows2022: windowsVolumes,
  Windows2025: windowsVolumes,
  Custom: [],
};

/** Bytes of ephemeral storage that pods see: of the instance store under RAID0, else of the kubelet's volume. */
export function ephemeralStorageBytes(info: InstanceTypeInfo, { spec }: EC2NodeClass, family: AmiFamily): number {
  const instanceStoreGb = info.InstanceStorageInfo?.TotalSizeInGB;
  if (spec.instanceStorePolicy === 'RAID0' && instanceStoreGb !== undefined) return instanceStoreGb * 1e9;
  const mappings = spec.blockDeviceMappings ?? [];
  const kubeletDevice = familyVolumes[family].at(-1)?.deviceName;
  const size =
    volumeSizeOf(mappings.find(({ rootVolume }) => rootVolume)) ??
    (family === 'Custom' ? volumeSizeOf(mappings.at(-1)) : undefined) ??
    volumeSizeOf(mappings.find(({ deviceName }) => deviceName !== undefined && deviceName === kubeletDevice)) ??
    volumeSizeOf(familyVolumes[family].at(-1));
  return size ?? 20 * bytesPerGib;
}

function volumeSizeOf(mapping: BlockDeviceMapping | undefined): number | undefined {
  const size = mapping?.ebs?.volumeSize;
  return size === undefined ? undefined : quantityUnits(size);
}
