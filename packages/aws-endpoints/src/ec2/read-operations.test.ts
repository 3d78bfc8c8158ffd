import { anEc2, ec2Caller, x86 } from '@nodewright/testkit/worlds';
import { beforeAll, describe, expect, test } from 'vitest';

let call: ReturnType<typeof ec2Caller>['call'];

beforeAll(async () => {
  const { aws, clock } = await anEc2();
  ({ call } = ec2Caller(aws));
  const launch = { ImageId: x86.imageId, InstanceType: 'm5.large', MinCount: 7, MaxCount: 7 };
  await call('RunInstances', { ...launch, InstanceMarketOptions: { MarketType: 'spot' } });
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
    await call('CreateSecurityGroup', { GroupName: name, Description: name });
    await call('CreatePlacementGroup', { GroupName: name });
    await call('CreateKeyPair', { KeyName: name });
    await call('CreateLaunchTemplate', {
      LaunchTemplateName: `${name}-template`,
      LaunchTemplateData: { InstanceType: 'm5.large' },
    });
    await call('CreateCapacityReservation', {
      InstanceType: 'm5.large',
      InstancePlatform: 'Linux/UNIX',
      InstanceCount: 1,
      AvailabilityZone: 'us-east-1a',
    });
  }
  await clock.advance(60_000);
});

/** Where the answer has its list, how it is asked for by id, and what an unknown id is refused with. */
const reads: readonly (readonly [operation: string, list: string, ids?: string, unknown?: string, code?: string])[] = [
  ['DescribeAvailabilityZones', 'AvailabilityZones', 'ZoneNames', 'us-east-1z', 'InvalidParameterValue'],
  [
    'DescribeCapacityReservations',
    'CapacityReservations',
    'CapacityReservationIds',
    'cr-0123',
    'InvalidCapacityReservationId.NotFound',
  ],
  ['DescribeImages', 'Images', 'ImageIds', 'ami-0123456789abcdef0', 'InvalidAMIID.NotFound'],
  ['DescribeInstanceStatus', 'InstanceStatuses', 'InstanceIds', 'i-0123456789abcdef0', 'InvalidInstanceID.NotFound'],
  ['DescribeInstances', 'Reservations', 'InstanceIds', 'i-0123456789abcdef0', 'InvalidInstanceID.NotFound'],
  ['DescribeInstanceTypes', 'InstanceTypes', 'InstanceTypes', 'x9.large', 'InvalidInstanceType'],
  ['DescribeInstanceTypeOfferings', 'InstanceTypeOfferings'],
  [
    'DescribeLaunchTemplates',
    'LaunchTemplates',
    'LaunchTemplateIds',
    'lt-0123456789abcdef0',
    'InvalidLaunchTemplateId.NotFound',
  ],
  ['DescribePlacementGroups', 'PlacementGroups', 'GroupNames', 'x', 'InvalidPlacementGroup.Unknown'],
  ['DescribeSecurityGroups', 'SecurityGroups', 'GroupIds', 'sg-0123', 'InvalidGroup.NotFound'],
  [
    'DescribeSecurityGroupRules',
    'SecurityGroupRules',
    'SecurityGroupRuleIds',
    'sgr-0123',
    'InvalidSecurityGroupRuleId.NotFound',
  ],
  ['DescribeSpotPriceHistory', 'SpotPriceHistory'],
  ['DescribeSubnets', 'Subnets', 'SubnetIds', 'subnet-0123', 'InvalidSubnetID.NotFound'],
  ['DescribeTags', 'Tags'],
  ['DescribeVpcs', 'Vpcs', 'VpcIds', 'vpc-0123', 'InvalidVpcID.NotFound'],
  [
    'DescribeInternetGateways',
    'InternetGateways',
    'InternetGatewayIds',
    'igw-0123',
    'InvalidInternetGatewayID.NotFound',
  ],
  ['DescribeKeyPairs', 'KeyPairs', 'KeyNames', 'x', 'InvalidKeyPair.NotFound'],
  ['DescribeNatGateways', 'NatGateways', 'NatGatewayIds', 'nat-0123', 'NatGatewayNotFound'],
  [
    'DescribeNetworkInterfaces',
    'NetworkInterfaces',
    'NetworkInterfaceIds',
    'eni-0123',
    'InvalidNetworkInterfaceID.NotFound',
  ],
  ['DescribeRegions', 'Regions', 'RegionNames', 'mars-1', 'InvalidParameterValue'],
  ['DescribeRouteTables', 'RouteTables', 'RouteTableIds', 'rtb-0123', 'InvalidRouteTableID.NotFound'],
  ['DescribeSnapshots', 'Snapshots', 'SnapshotIds', 'snap-0123', 'InvalidSnapshot.NotFound'],
  [
    'DescribeSpotInstanceRequests',
    'SpotInstanceRequests',
    'SpotInstanceRequestIds',
    'sir-0123',
    'InvalidSpotInstanceRequestID.NotFound',
  ],
  ['DescribeVolumes', 'Volumes', 'VolumeIds', 'vol-0123', 'InvalidVolume.NotFound'],
  ['DescribeVpcEndpoints', 'VpcEndpoints', 'VpcEndpointIds', 'vpce-0123', 'InvalidVpcEndpointId.NotFound'],
];
const unpaged = new Set([
  'DescribeAvailabilityZones',
  'DescribePlacementGroups',
  'DescribeKeyPairs',
  'DescribeRegions',
]);

/** Instances lie in reservations, of which a page may hold a part. */
const listIn = (answer: unknown, list: string): readonly object[] => {
  const items = (answer as Readonly<Record<string, readonly object[]>>)[list] ?? [];
  return list === 'Reservations' ? items.flatMap((item) => listIn(item, 'Instances')) : items;
};
const filterOf = (operation: string): string => (operation === 'DescribeNatGateways' ? 'Filter' : 'Filters');

for (const [operation, list, ids, unknown, code] of reads) {
  describe(operation, () => {
    test('has something to tell', async () => {
      const found = listIn(await call(operation), list);
      if (operation === 'DescribeVpcEndpoints') expect(found).toEqual([]);
      else expect(found.length).toBeGreaterThan(0);
    });

    test('is asked for the same twice and answers the same', async () => {
      expect(await call(operation)).toEqual(await call(operation));
    });

    test('says in a dry run that it would have answered', async () => {
      expect(await call(operation, { DryRun: true })).toBe('DryRunOperation');
    });

    test('refuses a filter that it does not know', async () => {
      const Filters = [{ Name: 'nonsense', Values: ['x'] }];
      expect(await call(operation, { [filterOf(operation)]: Filters })).toBe('InvalidParameterValue');
    });

    test('refuses more than fifty filters', async () => {
      const Filters = Array.from({ length: 51 }, () => ({ Name: 'tag:a', Values: ['x'] }));
      const answer = await call(operation, { [filterOf(operation)]: Filters });
      expect(['FilterLimitExceeded', 'InvalidParameterValue']).toContain(answer);
    });

    if (ids !== undefined) {
      test('refuses an id that nothing has', async () => {
        expect(await call(operation, { [ids]: [unknown] })).toBe(code);
      });
    }

    if (!unpaged.has(operation)) {
      test('refuses a token that it did not give out', async () => {
        expect(await call(operation, { MaxResults: 5, NextToken: 'nonsense' })).toMatch(
          /^Invalid(NextToken|Parameter)/,
        );
      });

      test('gives the same on pages as at once', async () => {
        const whole = listIn(await call(operation, operation === 'DescribeImages' ? { Owners: ['amazon'] } : {}), list);
        const pages: object[][] = [];
        for (let NextToken: string | undefined; pages.length < 2_000;) {
          const more = operation === 'DescribeImages' ? { Owners: ['amazon'] } : {};
          const page = (await call(operation, {
            ...more,
            MaxResults: 5,
            ...(NextToken === undefined ? {} : { NextToken }),
          })) as {
            readonly NextToken?: string;
          };
          pages.push([...listIn(page, list)]);
          NextToken = page.NextToken;
          if (NextToken === undefined || NextToken === '') break;
        }
        expect(pages.flat()).toEqual(whole);
        expect(pages.every((page) => page.length <= 5)).toBe(true);
        if (whole.length > 5) expect(pages.length).toBeGreaterThan(1);
      });
    }
  });
}
