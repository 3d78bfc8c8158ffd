import type { RequestLaunchTemplateData } from '@aws-sdk/client-ec2';
import { typeNamed } from '../../catalogue/catalogue.ts';
import { dataDeviceOf } from '../../ec2/images.ts';
import type { Ec2 } from '../../ec2/model.ts';
import { maxPodsAcross } from './max-pods.ts';
import type { EksNodeGroup, Software } from './node-group.ts';
import { findReleaseLine } from './ami-types.ts';
import { mergedUserData } from './merged-user-data.ts';
import { type ClusterFacts, userDataFor } from './user-data.ts';

type TemplateDataInput = { readonly group: EksNodeGroup; readonly software: Software; readonly profile: string };

/** The content of a version of EKS's own template: the customer's, when there is one, with what EKS adds. */
export function templateData(asked: TemplateDataInput, cluster: ClusterFacts, ec2: Ec2): RequestLaunchTemplateData {
  const { group, software, profile } = asked;
  const customers = customersData(software, ec2);
  const own = userDataFor({ group, software, maxPods: maxPodsFor(group, customers) }, cluster);
  const family = findReleaseLine(group.amiType)?.family;
  const merged = () => encodeTemplateUserData(mergedUserData(customers.UserData, own, family));
  const UserData = group.amiType === 'CUSTOM' ? customers.UserData : merged();
  const hasGroups = customers.SecurityGroupIds !== undefined || customers.NetworkInterfaces !== undefined;
  return {
    ...customers,
    ImageId: software.imageId,
    ...(UserData !== undefined && { UserData }),
    IamInstanceProfile: { Name: profile },
    ...(!hasGroups && cluster.securityGroupId !== undefined && { SecurityGroupIds: [cluster.securityGroupId] }),
    ...(customers.BlockDeviceMappings === undefined && {
      BlockDeviceMappings: [
        {
          DeviceName: dataDeviceOf(family ?? 'AL2'),
          Ebs: { VolumeSize: group.diskSize ?? (group.amiType.startsWith('WINDOWS') ? 50 : 20), VolumeType: 'gp2' },
        },
      ],
    }),
    TagSpecifications: [...(customers.TagSpecifications ?? []), groupInstanceTags(group, cluster)],
  };
}

export const customersData = ({ source }: Pick<Software, 'source'>, { templates }: Ec2): RequestLaunchTemplateData =>
  source === undefined ? {} : templates.version({ LaunchTemplateId: source.id, Version: source.version }).data;

const encodeTemplateUserData = (text: string): string => Buffer.from(text).toString('base64');

const groupInstanceTags = (group: EksNodeGroup, { name }: ClusterFacts) => ({
  ResourceType: 'instance' as const,
  Tags: [
    { Key: 'eks:cluster-name', Value: name },
    { Key: 'eks:nodegroup-name', Value: group.name },
  ],
});

const maxPodsFor = ({ instanceTypes }: EksNodeGroup, { InstanceType }: RequestLaunchTemplateData): number =>
  maxPodsAcross((instanceTypes ?? [InstanceType ?? '']).flatMap((name) => typeNamed(name) ?? []));
