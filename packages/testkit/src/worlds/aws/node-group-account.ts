import { CreateLaunchTemplateVersionCommand, CreateLaunchTemplateCommand, EC2Client } from '@aws-sdk/client-ec2';
import {
  CreateNodegroupCommand,
  type CreateNodegroupCommandInput,
  DescribeNodegroupCommand,
  EKSClient,
  UpdateNodegroupConfigCommand,
  type UpdateNodegroupConfigCommandInput,
  UpdateNodegroupVersionCommand,
  type UpdateNodegroupVersionCommandInput,
} from '@aws-sdk/client-eks';
import { aRelease } from './a-release.ts';
import { inProcess } from './sdk-in-process.ts';
import { aTestAccount } from './test-account.ts';

/** What a test calls its one group. */
export const ownGroup = { clusterName: 'my-cluster', nodegroupName: 'workers' } as const;
const nodeRole = 'arn:aws:iam::111122223333:role/karpenterNodeRole-my-cluster';

const build = (minor: string, date: string, digit: number) =>
  aRelease({
    kubernetesVersion: minor,
    version: `v${date}`,
    imageId: `ami-0aaaaaaaaaaaaaaa${digit}`,
    name: `amazon-eks-node-${minor}-v${date}`,
    createdAt: '2024-01-01T20:00:00Z',
    publishedAt: '2024-01-02T20:00:00Z',
    kubeletVersion: `v${minor}.5-eks-5e0fdde`,
  });

const releases = [
  build('1.27', '20240117', 1),
  build('1.28', '20240110', 2),
  build('1.28', '20240117', 3),
  build('1.29', '20240117', 4),
  { ...build('1.28', '20240117', 5), family: 'Bottlerocket' as const, version: 'v1.18.0' },
];

/** An account for node groups, with templates that set nothing, a type, an image and a profile. */
export async function aNodeGroupAccount() {
  const account = aTestAccount({ releases });
  const { aws, clock } = account;
  const eks = new EKSClient(inProcess(aws.handle));
  const ec2 = new EC2Client(inProcess(aws.handle));
  const template = (LaunchTemplateName: string, LaunchTemplateData: object) =>
    ec2.send(new CreateLaunchTemplateCommand({ LaunchTemplateName, LaunchTemplateData }));
  await template('plain', { Monitoring: { Enabled: true } });
  await template('other', { Monitoring: { Enabled: true } });
  await template('typed', { InstanceType: 'm5.large' });
  await template('imaged', { ImageId: 'ami-0aaaaaaaaaaaaaaa3', InstanceType: 'm5.large' });
  await template('profiled', { IamInstanceProfile: { Name: 'mine' } });
  await ec2.send(
    new CreateLaunchTemplateVersionCommand({
      LaunchTemplateName: 'imaged',
      LaunchTemplateData: { InstanceType: 'm5.large', ImageId: 'ami-0aaaaaaaaaaaaaaa2' },
    }),
  );
  const subnets = aws.ec2.network.subnets.filter((subnet) => !subnet.public).map(({ id }) => id);
  const create = (input: Partial<CreateNodegroupCommandInput> = {}) =>
    eks.send(
      new CreateNodegroupCommand({
        ...ownGroup,
        nodeRole,
        subnets,
        instanceTypes: ['m5.large'],
        ...input,
      }),
    );
  return {
    ...account,
    eks,
    create,
    /** A group that is there, as the node manager would leave it. */
    active: async (input: Partial<CreateNodegroupCommandInput> = {}): Promise<void> => {
      await create({ scalingConfig: { minSize: 1, maxSize: 3, desiredSize: 2 }, ...input });
      await clock.advance(60_000);
      aws.eks.nodeGroups.keep({ ...aws.eks.nodeGroups.group(ownGroup.nodegroupName), status: 'ACTIVE' });
    },
    update: (input: Partial<UpdateNodegroupVersionCommandInput> = {}) =>
      eks.send(new UpdateNodegroupVersionCommand({ ...ownGroup, ...input })),
    configure: (input: Partial<UpdateNodegroupConfigCommandInput> = {}) =>
      eks.send(new UpdateNodegroupConfigCommand({ ...ownGroup, ...input })),
    describe: async () => (await eks.send(new DescribeNodegroupCommand({ ...ownGroup }))).nodegroup,
  };
}
