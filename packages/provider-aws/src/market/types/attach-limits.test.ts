import type { InstanceTypeInfo } from '@aws-sdk/client-ec2';
import type { EC2NodeClass } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { attachLimitsOfType } from './attach-limits.ts';

const nodeClass: EC2NodeClass = {
  metadata: { name: 'default' },
  spec: { amiSelectorTerms: [], subnetSelectorTerms: [], securityGroupSelectorTerms: [] },
};
const nitro: InstanceTypeInfo = { Hypervisor: 'nitro' };
const disks = (Count: number) => ({ InstanceStorageInfo: { Disks: [{ Count }] } });

for (const { fact, info, family, limit } of [
  { fact: 'Nitro shares 28 with an interface and the root volume', info: nitro, family: 'AL2023', limit: 26 },
  { fact: 'local disks share too', info: { ...nitro, ...disks(2) }, family: 'AL2023', limit: 24 },
  { fact: 'Bottlerocket has two volumes of its own', info: nitro, family: 'Bottlerocket', limit: 25 },
  { fact: 'Xen takes 39 with the root volume', info: { Hypervisor: 'xen' }, family: 'AL2', limit: 38 },
  {
    fact: 'places for volumes alone are what EC2 says, less the root volume',
    info: { ...nitro, ...disks(2), EbsInfo: { MaximumEbsAttachments: 64, AttachmentLimitType: 'dedicated' } },
    family: 'AL2023',
    limit: 63,
  },
  {
    fact: 'shared places are what EC2 says',
    info: { ...nitro, EbsInfo: { MaximumEbsAttachments: 20, AttachmentLimitType: 'shared' } },
    family: 'AL2023',
    limit: 18,
  },
] as const) {
  test(fact, () => {
    expect(attachLimitsOfType(info, nodeClass, family).get('ebs.csi.aws.com')).toBe(limit);
  });
}
