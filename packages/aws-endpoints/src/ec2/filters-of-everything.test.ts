import { arm, aTestAccount, ec2Caller, fillEc2, x86 } from '@nodewright/testkit/worlds';
import { beforeAll, describe, expect, test } from 'vitest';

let call: ReturnType<typeof ec2Caller>['call'];
let ids: Awaited<ReturnType<typeof fillEc2>>;
beforeAll(async () => {
  const account = aTestAccount({ releases: [x86, arm] });
  const caller = ec2Caller(account.aws);
  ({ call } = caller);
  ids = await fillEc2({ ...account, ...caller });
});

type Id = keyof typeof ids;
type Row = readonly [filter: string, value: string, found: number];

/** The list of the answer, and what filters find among one of everything; `$VpcId` is the id of what was made. */
const asked: Readonly<
  Record<string, { readonly list: string; readonly besides?: object; readonly rows: readonly Row[] }>
> = {
  DescribeVpcs: {
    list: 'Vpcs',
    rows: [
      ['vpc-id', '$VpcId', 1],
      ['cidr', '10.1.0.0/16', 1],
      ['cidr-block-association.cidr-block', '10.2.0.0/16', 1],
      ['cidr-block-association.state', 'associated', 2],
      ['is-default', 'false', 2],
      ['is-default', 'true', 0],
      ['state', 'available', 2],
      ['owner-id', '111122223333', 2],
      ['owner-id', '444455556666', 0],
      ['tag:Name', 'a', 1],
      ['tag:Name', '*', 2],
      ['tag-key', 'team', 1],
    ],
  },
  DescribeSubnets: {
    list: 'Subnets',
    rows: [
      ['subnet-id', '$SubnetId', 1],
      ['vpc-id', '$VpcId', 1],
      ['cidr-block', '10.1.1.0/24', 1],
      ['cidr', '10.1.1.0/24', 1],
      ['availability-zone', 'us-east-1b', 3],
      ['availability-zone-id', 'use1-az2', 3],
      ['map-public-ip-on-launch', 'true', 4],
      ['default-for-az', 'true', 0],
      ['available-ip-address-count', '248', 1],
      ['state', 'available', 7],
      ['tag:Name', 'a', 1],
    ],
  },
  DescribeSecurityGroups: {
    list: 'SecurityGroups',
    rows: [
      ['group-id', '$GroupId', 1],
      ['group-name', 'web', 1],
      ['vpc-id', '$VpcId', 2],
      ['description', 'web', 1],
      ['ip-permission.cidr', '10.0.0.0/8', 1],
      ['ip-permission.from-port', '443', 1],
      ['ip-permission.to-port', '443', 1],
      ['ip-permission.protocol', 'tcp', 1],
      ['egress.ip-permission.cidr', '0.0.0.0/0', 5],
      ['owner-id', '444455556666', 0],
    ],
  },
  DescribeRouteTables: {
    list: 'RouteTables',
    rows: [
      ['route-table-id', '$RouteTableId', 1],
      ['vpc-id', '$VpcId', 2],
      ['association.subnet-id', '$SubnetId', 1],
      ['association.main', 'true', 2],
      ['route.gateway-id', '$InternetGatewayId', 1],
      ['route.destination-cidr-block', '10.2.0.0/16', 2],
      ['route.origin', 'CreateRoute', 5],
    ],
  },
  DescribeInternetGateways: {
    list: 'InternetGateways',
    rows: [
      ['internet-gateway-id', '$InternetGatewayId', 1],
      ['attachment.vpc-id', '$VpcId', 1],
      ['attachment.state', 'available', 2],
      ['attachment.state', 'detached', 0],
    ],
  },
  DescribeNatGateways: {
    list: 'NatGateways',
    rows: [
      ['subnet-id', '$SubnetId', 1],
      ['vpc-id', '$VpcId', 1],
      ['state', 'available', 2],
      ['state', 'pending', 0],
      ['nat-gateway-id', 'nat-*', 2],
    ],
  },
  DescribeNetworkAcls: {
    list: 'NetworkAcls',
    rows: [
      ['network-acl-id', '$NetworkAclId', 1],
      ['vpc-id', '$VpcId', 2],
      ['default', 'true', 2],
      ['entry.rule-number', '7', 1],
      ['entry.cidr', '10.0.0.0/8', 1],
      ['entry.egress', 'false', 3],
      ['entry.rule-action', 'allow', 3],
      ['association.subnet-id', '$SubnetId', 1],
    ],
  },
  DescribeNetworkInterfaces: {
    list: 'NetworkInterfaces',
    rows: [
      ['description', 'spare', 1],
      ['status', 'available', 1],
      ['group-id', '$GroupId', 2],
      ['group-name', 'web', 2],
      ['subnet-id', '$SubnetId', 2],
      ['attachment.instance-id', '$InstanceId', 1],
      ['attachment.status', 'attached', 4],
      ['interface-type', 'interface', 5],
    ],
  },
  DescribeAddresses: {
    list: 'Addresses',
    rows: [
      ['allocation-id', '$AllocationId', 1],
      ['domain', 'vpc', 3],
      ['tag:Name', 'spare', 1],
      ['network-interface-owner-id', '111122223333', 2],
    ],
  },
  DescribeLaunchTemplates: {
    list: 'LaunchTemplates',
    rows: [
      ['launch-template-name', 'nodes', 1],
      ['launch-template-name', 'n*s', 1],
      ['launch-template-name', 'other', 0],
    ],
  },
  DescribeLaunchTemplateVersions: {
    list: 'LaunchTemplateVersions',
    besides: { LaunchTemplateName: 'nodes' },
    rows: [
      ['is-default-version', 'true', 1],
      ['instance-type', 'c5.large', 1],
      ['image-id', x86.imageId, 1],
    ],
  },
  DescribeVpcEndpoints: {
    list: 'VpcEndpoints',
    rows: [
      ['vpc-id', '$VpcId', 1],
      ['service-name', 'com.amazonaws.us-east-1.s3', 1],
      ['vpc-endpoint-type', 'Gateway', 1],
      ['vpc-endpoint-type', 'Interface', 0],
      ['vpc-endpoint-state', 'available', 1],
    ],
  },
  DescribeSpotInstanceRequests: {
    list: 'SpotInstanceRequests',
    rows: [
      ['state', 'active', 1],
      ['state', 'closed', 0],
      ['status-code', 'fulfilled', 1],
      ['launch.instance-type', 'm5.large', 1],
      ['launch.image-id', x86.imageId, 1],
      ['launch.block-device-mapping.volume-size', '20', 1],
      ['type', 'one-time', 1],
      ['product-description', 'Linux/UNIX', 1],
    ],
  },
  DescribeImages: {
    list: 'Images',
    besides: { Owners: ['self'] },
    rows: [
      ['name', 'mine', 1],
      ['description', 'of web', 1],
      ['is-public', 'false', 1],
      ['architecture', 'x86_64', 1],
      ['architecture', 'arm64', 0],
      ['block-device-mapping.volume-size', '20', 1],
      ['root-device-type', 'ebs', 1],
    ],
  },
  DescribeInstances: {
    list: 'Reservations',
    rows: [
      ['instance-id', '$InstanceId', 1],
      ['instance-state-name', 'running', 2],
      ['instance-state-name', 'stopping', 1],
      ['instance-state-name', 'shutting-down', 1],
      ['instance-state-name', 'terminated', 0],
      ['instance-state-code', '16', 2],
      ['instance-state-code', '64', 1],
      ['instance-type', 'm5.*', 4],
      ['instance-lifecycle', 'spot', 1],
      ['instance.group-id', '$GroupId', 1],
      ['instance.group-name', 'web', 1],
      ['network-interface.group-id', '$GroupId', 1],
      ['network-interface.subnet-id', '$SubnetId', 1],
      ['network-interface.vpc-id', '$VpcId', 1],
      ['subnet-id', '$SubnetId', 1],
      ['vpc-id', '$VpcId', 1],
      ['image-id', x86.imageId, 4],
      ['key-name', 'mine', 1],
      ['client-token', 'once', 1],
      ['placement-group-name', 'racks', 1],
      ['placement-partition-number', '1', 1],
      ['tenancy', 'default', 4],
      ['architecture', 'x86_64', 4],
      ['architecture', 'arm64', 0],
      ['availability-zone', 'us-east-1a', 3],
      ['availability-zone', 'us-east-1b', 1],
      ['block-device-mapping.device-name', '/dev/sdb', 1],
      ['block-device-mapping.delete-on-termination', 'true', 4],
      ['root-device-type', 'ebs', 4],
      ['root-device-name', '/dev/xvda', 4],
      ['hypervisor', 'xen', 4],
      ['virtualization-type', 'hvm', 4],
      ['platform', 'windows', 0],
      ['platform-details', 'Linux/UNIX', 4],
      ['owner-id', '111122223333', 4],
      ['monitoring-state', 'disabled', 4],
      ['tag:team', 'blue', 1],
      ['tag:Name', '*ea*', 1],
      ['tag-key', 'Name', 2],
    ],
  },
  DescribeInstanceStatus: {
    list: 'InstanceStatuses',
    rows: [
      ['instance-state-name', 'running', 2],
      ['instance-state-name', 'stopping', 0],
      ['availability-zone', 'us-east-1a', 2],
      ['instance-status.status', 'impaired', 0],
      ['system-status.reachability', 'failed', 0],
    ],
  },
  DescribeVolumes: {
    list: 'Volumes',
    rows: [
      ['attachment.instance-id', '$InstanceId', 2],
      ['attachment.device', '/dev/xvda', 4],
      ['volume-type', 'gp3', 1],
      ['size', '10', 1],
      ['encrypted', 'true', 0],
      ['availability-zone', 'us-east-1b', 2],
    ],
  },
  DescribeKeyPairs: {
    list: 'KeyPairs',
    rows: [
      ['key-name', 'mine', 1],
      ['tag:Name', 'a', 1],
      ['key-pair-id', 'key-*', 1],
    ],
  },
  DescribePlacementGroups: {
    list: 'PlacementGroups',
    rows: [
      ['group-name', 'racks', 1],
      ['strategy', 'partition', 1],
      ['strategy', 'cluster', 0],
      ['state', 'available', 1],
    ],
  },
  DescribeCapacityReservations: {
    list: 'CapacityReservations',
    rows: [
      ['instance-type', 'm5.large', 1],
      ['availability-zone', 'us-east-1a', 1],
      ['state', 'active', 1],
      ['state', 'cancelled', 0],
      ['instance-match-criteria', 'open', 1],
      ['tenancy', 'default', 1],
    ],
  },
  DescribeTags: {
    list: 'Tags',
    rows: [
      ['resource-id', '$InstanceId', 2],
      ['resource-type', 'elastic-ip', 1],
      ['key', 'team', 2],
      ['value', 'blue', 2],
      ['tag:team', 'blue', 2],
    ],
  },
};

for (const [operation, { list, besides = {}, rows }] of Object.entries(asked)) {
  describe(operation, () => {
    const find = async (filters: readonly object[]): Promise<readonly object[]> => {
      const name = operation === 'DescribeNatGateways' ? 'Filter' : 'Filters';
      const answer = await call(operation, { ...besides, [name]: filters });
      if (typeof answer === 'string') throw new Error(answer);
      return (answer as Readonly<Record<string, readonly object[]>>)[list] ?? [];
    };
    const valueOf = (value: string): string => (value.startsWith('$') ? ids[value.slice(1) as Id] : value);

    test.each(rows)('by %s %s finds %i', async (Name, value, count) => {
      expect(await find([{ Name, Values: [valueOf(value)] }])).toHaveLength(count);
    });

    test('finds what all filters admit, and of each what one of its values admits', async () => {
      const [Name, value] = rows.find(([, , count]) => count > 0) ?? ['', ''];
      const whole = await find([{ Name, Values: [valueOf(value)] }]);
      expect(await find([{ Name, Values: ['nothing', valueOf(value)] }])).toEqual(whole);
      expect(
        await find([
          { Name, Values: [valueOf(value)] },
          { Name, Values: ['nothing'] },
        ]),
      ).toEqual([]);
    });
  });
}
