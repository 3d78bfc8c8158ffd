import type { InstanceTypeInfo } from '@aws-sdk/client-ec2';
import type { AmiFamily, EC2NodeClass } from '@nodewright/apis';
import { familyVolumes } from '../../node-settings/storage.ts';

const ebsCsiDriver = 'ebs.csi.aws.com';

/** Where EC2 names no number: what Nitro instances share among volumes, interfaces and local disks, and what others take. */
const nitroAttachments = 28;
const xenVolumes = 39;

/**
 * How many volumes pods can have attached to a node of the type: what EC2 says of it, less the node's own
 * volumes; where volumes share their places, less its first network interface and its local disks too.
 * @see https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/volume_limits.html
 */
export function attachLimitsOfType(
  info: InstanceTypeInfo,
  { spec }: EC2NodeClass,
  family: AmiFamily,
): ReadonlyMap<string, number> {
  const own = (spec.blockDeviceMappings ?? familyVolumes[family]).length || 1;
  const { MaximumEbsAttachments: most, AttachmentLimitType: kind } = info.EbsInfo ?? {};
  const isShared = kind === undefined ? info.Hypervisor === 'nitro' : kind === 'shared';
  const all = most ?? (isShared ? nitroAttachments : xenVolumes);
  const others = isShared ? 1 + localDisks(info) : 0;
  return new Map([[ebsCsiDriver, Math.max(0, all - own - others)]]);
}

const localDisks = ({ InstanceStorageInfo }: InstanceTypeInfo): number =>
  (InstanceStorageInfo?.Disks ?? []).reduce((sum, { Count = 0 }) => sum + Count, 0);
