import type { LaunchConfiguration as WireLaunchConfiguration } from '@aws-sdk/client-auto-scaling';
import type { KeptLaunchConfiguration } from '../launch-configurations.ts';

export function writeLaunchConfiguration(kept: KeptLaunchConfiguration): WireLaunchConfiguration {
  const { name, arn, createdAt, data, spotPrice, assignsPublicAddress } = kept;
  const { IamInstanceProfile: profile, Placement: placement } = data;
  const profileName = profile?.Name ?? profile?.Arn;
  return {
    LaunchConfigurationName: name,
    LaunchConfigurationARN: arn,
    CreatedTime: new Date(createdAt),
    ImageId: data.ImageId,
    InstanceType: data.InstanceType,
    KeyName: data.KeyName ?? '',
    SecurityGroups: [
      ...(data.SecurityGroupIds ?? []),
      ...(data.SecurityGroups ?? []),
      ...(data.NetworkInterfaces?.flatMap(({ Groups }) => Groups ?? []) ?? []),
    ],
    ClassicLinkVPCSecurityGroups: [],
    UserData: data.UserData ?? '',
    KernelId: '',
    RamdiskId: '',
    BlockDeviceMappings: (data.BlockDeviceMappings ?? []).map(({ NoDevice: _none, DeviceName = '', ...mapping }) => ({
      DeviceName,
      ...mapping,
    })),
    InstanceMonitoring: { Enabled: data.Monitoring?.Enabled ?? true },
    EbsOptimized: data.EbsOptimized ?? false,
    ...(spotPrice !== undefined && { SpotPrice: spotPrice }),
    ...(profileName !== undefined && { IamInstanceProfile: profileName }),
    ...(assignsPublicAddress !== undefined && { AssociatePublicIpAddress: assignsPublicAddress }),
    ...(placement?.Tenancy !== undefined && { PlacementTenancy: placement.Tenancy }),
    ...(data.MetadataOptions !== undefined && { MetadataOptions: data.MetadataOptions }),
  };
}
