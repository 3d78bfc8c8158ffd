import {
  CreateLaunchTemplateCommand,
  DeleteLaunchTemplateCommand,
  DescribeImagesCommand,
  DescribeInstanceTypeOfferingsCommand,
  DescribeInstanceTypesCommand,
  DescribeLaunchTemplatesCommand,
  DescribeLaunchTemplateVersionsCommand,
  DescribeSecurityGroupsCommand,
  DescribeSpotPriceHistoryCommand,
  DescribeSubnetsCommand,
} from '@aws-sdk/client-ec2';
import { expect, test } from 'vitest';
import { anEc2, arm, templateName, x86 } from '@nodewright/testkit/worlds';

const day = 24 * 60 * 60 * 1000;

test('the subnets of a cluster are found by their tags: a public and a private one per zone', async () => {
  const { client } = await anEc2();
  const Filters = [{ Name: 'tag:alpha.eksctl.io/cluster-name', Values: ['my-cluster'] }];
  const { Subnets } = await client.send(new DescribeSubnetsCommand({ Filters }));
  expect(
    Subnets?.map(({ AvailabilityZone, AvailabilityZoneId, CidrBlock }) => [
      AvailabilityZone,
      AvailabilityZoneId,
      CidrBlock,
    ]),
  ).toEqual([
    ['us-east-1a', 'use1-az1', '192.168.0.0/19'],
    ['us-east-1b', 'use1-az2', '192.168.32.0/19'],
    ['us-east-1c', 'use1-az3', '192.168.64.0/19'],
    ['us-east-1a', 'use1-az1', '192.168.96.0/19'],
    ['us-east-1b', 'use1-az2', '192.168.128.0/19'],
    ['us-east-1c', 'use1-az3', '192.168.160.0/19'],
  ]);
  // AWS keeps five addresses of a subnet, and the NAT gateway has one.
  expect(Subnets?.[0]?.AvailableIpAddressCount).toBe(8192 - 5 - 1);
});

test('the groups of nodes are found by the discovery tag', async () => {
  const { client } = await anEc2();
  const Filters = [{ Name: 'tag:karpenter.sh/discovery', Values: ['my-*'] }];
  const { SecurityGroups } = await client.send(new DescribeSecurityGroupsCommand({ Filters }));
  expect(SecurityGroups?.map(({ GroupName }) => GroupName)).toEqual([
    'eksctl-my-cluster-cluster-ClusterSharedNodeSecurityGroup',
    'eks-cluster-sg-my-cluster',
  ]);
});

test('SSM-7: images are found by name among those of an owner', async () => {
  const { client } = await anEc2();
  const imagesOf = async (owner: string) => {
    const Filters = [
      { Name: 'name', Values: ['amazon-eks-*node-1.29-*'] },
      { Name: 'state', Values: ['available'] },
    ];
    return (await client.send(new DescribeImagesCommand({ Owners: [owner], Filters }))).Images ?? [];
  };
  expect((await imagesOf('amazon')).map(({ ImageId }) => ImageId)).toEqual([x86.imageId, arm.imageId]);
  expect(await imagesOf('602401143452')).toHaveLength(2);
  expect(await imagesOf('self')).toEqual([]);
  expect((await imagesOf('amazon'))[1]).toMatchObject({
    Architecture: 'arm64',
    CreationDate: '2024-01-17T20:00:00.000Z',
    DeprecationTime: '2026-01-17T20:00:00.000Z',
    ImageOwnerAlias: 'amazon',
    State: 'available',
    RootDeviceName: '/dev/xvda',
  });
});

test('SSM-7: a deprecated image is shown to those who ask for deprecated ones', async () => {
  const { aws, client, clock } = await anEc2();
  aws.releases.deprecate({ imageId: x86.imageId }, clock.now());
  const seen = async (IncludeDeprecated: boolean) => {
    const { Images } = await client.send(new DescribeImagesCommand({ Owners: ['amazon'], IncludeDeprecated }));
    return Images?.map(({ ImageId }) => ImageId);
  };
  expect(await seen(false)).toEqual([arm.imageId]);
  expect(await seen(true)).toEqual([x86.imageId, arm.imageId]);
});

test('SSM-7: a withdrawn image is gone', async () => {
  const { aws, client, clock } = await anEc2();
  aws.releases.withdraw({ imageId: x86.imageId }, clock.now());
  await expect(client.send(new DescribeImagesCommand({ ImageIds: [x86.imageId] }))).rejects.toMatchObject({
    name: 'InvalidAMIID.NotFound',
  });
});

test('instance types come in pages, with what schedulers need', async () => {
  const { client } = await anEc2();
  const Filters = [{ Name: 'supported-virtualization-type', Values: ['hvm'] }];
  const first = await client.send(new DescribeInstanceTypesCommand({ Filters, MaxResults: 30 }));
  const rest = await client.send(
    new DescribeInstanceTypesCommand({ Filters, MaxResults: 30, NextToken: first.NextToken }),
  );
  const all = [...(first.InstanceTypes ?? []), ...(rest.InstanceTypes ?? [])];
  expect(all).toHaveLength(56);
  expect(all.find(({ InstanceType }) => InstanceType === 'm6g.xlarge')).toMatchObject({
    MemoryInfo: { SizeInMiB: 16_384 },
    VCpuInfo: { DefaultVCpus: 4 },
    ProcessorInfo: { SupportedArchitectures: ['arm64'], Manufacturer: 'AWS', SustainedClockSpeedInGhz: 2.5 },
    NetworkInfo: { MaximumNetworkInterfaces: 4, Ipv4AddressesPerInterface: 15 },
    Hypervisor: 'nitro',
  });
});

test('every type is offered in every zone', async () => {
  const { client } = await anEc2();
  const Filters = [{ Name: 'instance-type', Values: ['m5.*'] }];
  const request = new DescribeInstanceTypeOfferingsCommand({ LocationType: 'availability-zone', Filters });
  const { InstanceTypeOfferings } = await client.send(request);
  expect(InstanceTypeOfferings).toHaveLength(4 * 3);
});

test('spot has a price per type and zone', async () => {
  const { client } = await anEc2();
  const request = new DescribeSpotPriceHistoryCommand({
    InstanceTypes: ['m6g.xlarge'],
    ProductDescriptions: ['Linux/UNIX', 'Linux/UNIX (Amazon VPC)'],
  });
  const { SpotPriceHistory } = await client.send(request);
  expect(SpotPriceHistory?.map(({ AvailabilityZone, SpotPrice }) => [AvailabilityZone, SpotPrice])).toEqual([
    ['us-east-1a', '0.053900'],
    ['us-east-1b', '0.050800'],
    ['us-east-1c', '0.055400'],
  ]);
});

test('a launch template is found by name until it is deleted', async () => {
  const { client, clock } = await anEc2();
  await clock.advance(day);
  const byName = new DescribeLaunchTemplatesCommand({ LaunchTemplateNames: [templateName] });
  const [template] = (await client.send(byName)).LaunchTemplates ?? [];
  expect(template).toMatchObject({ LaunchTemplateName: templateName, CreateTime: new Date('2024-01-28T16:00:00Z') });
  const { LaunchTemplateVersions } = await client.send(
    new DescribeLaunchTemplateVersionsCommand({ LaunchTemplateId: template?.LaunchTemplateId, Versions: ['$Latest'] }),
  );
  expect(LaunchTemplateVersions?.[0]?.LaunchTemplateData?.ImageId).toBe(x86.imageId);
  await client.send(new DeleteLaunchTemplateCommand({ LaunchTemplateName: templateName }));
  await expect(client.send(byName)).rejects.toMatchObject({ name: 'InvalidLaunchTemplateName.NotFoundException' });
});

test('a name of a launch template is taken once', async () => {
  const { client } = await anEc2();
  const again = new CreateLaunchTemplateCommand({
    LaunchTemplateName: templateName,
    LaunchTemplateData: { ImageId: x86.imageId },
  });
  await expect(client.send(again)).rejects.toMatchObject({ name: 'InvalidLaunchTemplateName.AlreadyExistsException' });
});

for (const { caller, fault, code, status } of [
  { caller: 'may make the call', fault: undefined, code: 'DryRunOperation', status: 412 },
  { caller: 'may not', fault: { kind: 'deny', service: 'ec2' }, code: 'UnauthorizedOperation', status: 403 },
] as const) {
  test(`WIRE-6: a dry run of who ${caller} is refused with ${code}`, async () => {
    const { aws, client } = await anEc2();
    if (fault !== undefined) aws.faults.add(fault);
    const refused = { name: code, $metadata: { httpStatusCode: status } };
    await expect(client.send(new DescribeSubnetsCommand({ DryRun: true }))).rejects.toMatchObject(refused);
    const templates = async () => (await client.send(new DescribeLaunchTemplatesCommand({}))).LaunchTemplates;
    const create = { LaunchTemplateName: 'dry', LaunchTemplateData: { EbsOptimized: true }, DryRun: true };
    await expect(client.send(new CreateLaunchTemplateCommand(create))).rejects.toMatchObject(refused);
    aws.faults.clear();
    expect(await templates()).toHaveLength(1);
  });
}
