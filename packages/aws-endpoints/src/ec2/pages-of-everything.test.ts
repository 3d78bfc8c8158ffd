import { minutes } from '@nodewright/apis';
import { anEc2, ec2Caller, x86 } from '@nodewright/testkit/worlds';
import { beforeAll, describe, expect, test } from 'vitest';

let call: ReturnType<typeof ec2Caller>['call'];

/** An account with seven of everything that is told in pages. */
beforeAll(async () => {
  const account = await anEc2();
  ({ call } = ec2Caller(account.aws));
  const zones = ['us-east-1a', 'us-east-1b'];
  const [VpcId, subnets] = [account.aws.ec2.network.vpcId, zones.map((zone) => account.subnetIn(zone))];
  const times = async (operation: string, request: (index: number) => object) => {
    for (let index = 0; index < 7; index += 1) {
      const answer = await call(operation, request(index));
      if (typeof answer === 'string') throw new Error(`${operation}: ${answer}`);
    }
  };
  const launch = { ImageId: x86.imageId, InstanceType: 'm5.large', MinCount: 7, MaxCount: 7, SubnetId: subnets[0] };
  await call('RunInstances', { ...launch, IamInstanceProfile: { Name: 'node-profile' } });
  await account.clock.advance(minutes(1));
  const InstanceId = account.aws.ec2.instances.all()[0]?.id;
  await times('CreateImage', (index) => ({ InstanceId, Name: `own-${index}` }));
  await account.clock.advance(minutes(30));
  await times('CreateEgressOnlyInternetGateway', () => ({ VpcId }));
  await times('CreateRouteTable', () => ({ VpcId }));
  await times('CreateNetworkAcl', () => ({ VpcId }));
  await times('CreateNatGateway', (index) => ({ SubnetId: subnets[index % 2], ConnectivityType: 'private' }));
  await times('CreateSecurityGroup', (index) => ({ GroupName: `g-${index}`, Description: 'x', VpcId }));
  await times('CreateLaunchTemplate', (index) => ({
    LaunchTemplateName: `t-${index}`,
    LaunchTemplateData: { InstanceType: 'm5.large' },
  }));
  await times('CreateLaunchTemplateVersion', () => ({
    LaunchTemplateName: 't-0',
    LaunchTemplateData: { InstanceType: 'm5.large' },
  }));
  await times('CreateVolume', () => ({ AvailabilityZone: zones[0], Size: 1 }));
  for (const { id } of account.aws.ec2.volumes.all()) await call('ModifyVolume', { VolumeId: id, Size: 2 });
  await times('CreateManagedPrefixList', (index) => ({
    PrefixListName: `list-${index}`,
    AddressFamily: 'IPv4',
    MaxEntries: 1,
  }));
  await times('CreateNetworkInterface', () => ({ SubnetId: subnets[0] }));
  await times('CreateCapacityReservation', () => ({
    InstanceType: 'm5.large',
    InstancePlatform: 'Linux/UNIX',
    InstanceCount: 1,
    AvailabilityZone: zones[0],
  }));
  await times('CreateVpcEndpoint', () => ({
    VpcId,
    ServiceName: 'com.amazonaws.us-east-1.ec2',
    VpcEndpointType: 'Interface',
    SubnetIds: [subnets[0]],
    PrivateDnsEnabled: false,
  }));
  await times('CreateTags', (index) => ({ Resources: [InstanceId], Tags: [{ Key: `k-${index}`, Value: 'v' }] }));
});

type Page = Readonly<Record<string, unknown>> & { readonly NextToken?: string };

/** The entries of every page, and how many pages there were. */
async function readPages(operation: string, member: string, request: object) {
  const entries: unknown[] = [];
  let [pages, NextToken] = [0, undefined as string | undefined];
  do {
    const page = (await call(operation, { ...request, ...(NextToken !== undefined && { NextToken }) })) as Page;
    if (typeof page === 'string') throw new Error(`${operation}: ${String(page)}`);
    entries.push(...(page[member] as readonly unknown[]));
    [pages, NextToken] = [pages + 1, page.NextToken];
    // The last page of spot prices has an empty token.
  } while (NextToken !== undefined && NextToken !== '');
  return { entries, pages };
}

type Listed = readonly [operation: string, member: string, size?: number, request?: object];

const listed: readonly Listed[] = [
  ['DescribeCapacityReservations', 'CapacityReservations'],
  ['DescribeEgressOnlyInternetGateways', 'EgressOnlyInternetGateways'],
  ['DescribeIamInstanceProfileAssociations', 'IamInstanceProfileAssociations'],
  ['DescribeImages', 'Images', 5, { Owners: ['self'] }],
  ['DescribeInstanceStatus', 'InstanceStatuses'],
  ['DescribeInstanceTypeOfferings', 'InstanceTypeOfferings', 100, { LocationType: 'availability-zone' }],
  ['DescribeInstanceTypes', 'InstanceTypes', 50],
  ['DescribeLaunchTemplateVersions', 'LaunchTemplateVersions', 3, { LaunchTemplateName: 't-0' }],
  ['DescribeLaunchTemplates', 'LaunchTemplates', 3],
  ['DescribeManagedPrefixLists', 'PrefixLists'],
  ['DescribeNatGateways', 'NatGateways'],
  ['DescribeNetworkAcls', 'NetworkAcls'],
  ['DescribeNetworkInterfaces', 'NetworkInterfaces'],
  ['DescribeRouteTables', 'RouteTables'],
  ['DescribeSecurityGroupRules', 'SecurityGroupRules'],
  ['DescribeSecurityGroups', 'SecurityGroups'],
  ['DescribeSnapshots', 'Snapshots', 5, { OwnerIds: ['self'] }],
  ['DescribeSpotPriceHistory', 'SpotPriceHistory', 5, { InstanceTypes: ['m5.large', 'c5.large'] }],
  ['DescribeSubnets', 'Subnets'],
  ['DescribeTags', 'Tags'],
  ['DescribeVolumes', 'Volumes'],
  ['DescribeVolumesModifications', 'VolumesModifications'],
  ['DescribeVpcEndpoints', 'VpcEndpoints', 3],
  ['GetManagedPrefixListEntries', 'Entries', 2, { PrefixListId: 'pl-63a5400a' }],
];

describe('pages together have every entry once, in the order of the whole list', () => {
  for (const [operation, member, MaxResults = 5, request = {}] of listed)
    test(operation, async () => {
      const whole = await readPages(operation, member, request);
      const paged = await readPages(operation, member, { ...request, MaxResults });
      expect(paged.entries).toEqual(whole.entries);
      expect(paged.pages).toBe(Math.max(1, Math.ceil(whole.entries.length / MaxResults)));
      expect(new Set(whole.entries.map((entry) => JSON.stringify(entry))).size).toBe(whole.entries.length);
      expect(whole.entries.length).toBeGreaterThan(MaxResults);
    });
});

test('a reservation with more instances than a page goes on in the next one', async () => {
  const instancesOf = ({ entries }: { readonly entries: readonly unknown[] }) =>
    entries.flatMap((each) => (each as { readonly Instances: readonly unknown[] }).Instances);
  const paged = await readPages('DescribeInstances', 'Reservations', { MaxResults: 5 });
  expect(paged.pages).toBe(2);
  expect(instancesOf(paged)).toEqual(instancesOf(await readPages('DescribeInstances', 'Reservations', {})));
});
