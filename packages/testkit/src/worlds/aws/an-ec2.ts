import { CreateLaunchTemplateCommand, EC2Client, type CreateFleetCommandInput } from '@aws-sdk/client-ec2';
import { aRelease } from './a-release.ts';
import { inProcess } from './sdk-in-process.ts';
import { aTestAccount, type TestAccountOptions } from './test-account.ts';

export const x86 = aRelease();
export const arm = aRelease({
  arch: 'arm64',
  imageId: 'ami-0aaaaaaaaaaaaaaa2',
  name: 'amazon-eks-arm64-node-1.29-v20240117',
});

export const templateName = 'karpenter.k8s.aws/1';

/** An account with an SDK client, a profile for nodes and a launch template. */
export async function anEc2(
  region = 'us-east-1',
  options: Pick<TestAccountOptions, 'catalogue' | 'ledger' | 'signersClock'> = {},
) {
  const account = aTestAccount({ releases: [x86, arm], region, ...options });
  const { ec2, iam } = account.aws;
  iam.createProfile({ name: 'node-profile', path: '/', tags: {} });
  const client = new EC2Client(inProcess(account.aws.handle, region));
  await client.send(
    new CreateLaunchTemplateCommand({
      LaunchTemplateName: templateName,
      LaunchTemplateData: {
        ImageId: x86.imageId,
        UserData: Buffer.from('#!/bin/bash').toString('base64'),
        IamInstanceProfile: { Name: 'node-profile' },
        NetworkInterfaces: [{ DeviceIndex: 0, Groups: ec2.network.securityGroups.map(({ id }) => id) }],
        BlockDeviceMappings: [{ DeviceName: '/dev/xvda', Ebs: { VolumeSize: 80 } }],
      },
    }),
  );
  return { ...account, client, subnetIn: (zone: string) => subnetIn(account.aws, zone) };
}

const subnetIn = ({ ec2 }: ReturnType<typeof aTestAccount>['aws'], zone: string): string =>
  ec2.network.subnets.find((subnet) => subnet.zone === zone)?.id ?? '';

type Overrides = NonNullable<NonNullable<CreateFleetCommandInput['LaunchTemplateConfigs']>[number]['Overrides']>;

/** An instant fleet of one, as a launch of a claim asks for it. */
export const aFleet = (
  overrides: Overrides,
  different: Partial<CreateFleetCommandInput> = {},
): CreateFleetCommandInput => ({
  Type: 'instant',
  ClientToken: 'claim-1',
  LaunchTemplateConfigs: [
    { LaunchTemplateSpecification: { LaunchTemplateName: templateName, Version: '$Latest' }, Overrides: overrides },
  ],
  TargetCapacitySpecification: { TotalTargetCapacity: 1, DefaultTargetCapacityType: 'spot' },
  SpotOptions: { AllocationStrategy: 'price-capacity-optimized' },
  TagSpecifications: [
    { ResourceType: 'instance', Tags: [{ Key: 'karpenter.sh/nodepool', Value: 'default' }] },
    { ResourceType: 'fleet', Tags: [{ Key: 'karpenter.sh/nodepool', Value: 'default' }] },
  ],
  ...different,
});
