import { anEc2, ec2Caller, templateName, x86 } from '@nodewright/testkit/worlds';
import { beforeAll, describe, expect, test } from 'vitest';

let call: ReturnType<typeof ec2Caller>['call'], refusalOf: ReturnType<typeof ec2Caller>['refusalOf'];
beforeAll(async () => {
  const account = await anEc2();
  ({ call, refusalOf } = ec2Caller(account.aws));
  await call('RunInstances', { ImageId: x86.imageId, InstanceType: 'm5.large', MinCount: 7, MaxCount: 7 });
  await account.clock.advance(60_000);
});

/** The sizes of pages that EC2's API reference documents, and what a request needs besides. */
const sizes: readonly (readonly [operation: string, least: number, most: number, besides?: object])[] = [
  ['DescribeAddressesAttribute', 1, 1_000, { Attribute: 'domain-name' }],
  ['DescribeCapacityReservations', 1, 1_000],
  ['DescribeEgressOnlyInternetGateways', 5, 255],
  ['DescribeIamInstanceProfileAssociations', 5, 1_000],
  ['DescribeImages', 1, 1_000, { Owners: ['self'] }],
  ['DescribeInstances', 5, 1_000],
  ['DescribeInstanceCreditSpecifications', 5, 1_000],
  ['DescribeInstanceStatus', 5, 1_000],
  ['DescribeInstanceTypeOfferings', 5, 1_000],
  ['DescribeInstanceTypes', 5, 100],
  ['DescribeInternetGateways', 5, 1_000],
  ['DescribeLaunchTemplates', 1, 200],
  ['DescribeLaunchTemplateVersions', 1, 200, { LaunchTemplateName: templateName }],
  ['DescribeManagedPrefixLists', 1, 100],
  ['DescribeNatGateways', 5, 1_000],
  ['DescribeNetworkAcls', 5, 1_000],
  ['DescribeNetworkInterfaces', 5, 1_000],
  ['DescribePrefixLists', 5, 1_000],
  ['DescribeRouteTables', 5, 100],
  ['DescribeSecurityGroupRules', 5, 1_000],
  ['DescribeSecurityGroups', 5, 1_000],
  ['DescribeSnapshots', 5, 1_000],
  ['DescribeSpotInstanceRequests', 5, 1_000],
  ['DescribeSubnets', 5, 1_000],
  ['DescribeTags', 5, 1_000],
  ['DescribeVolumes', 5, 1_000],
  ['DescribeVolumesModifications', 1, 500],
  ['DescribeVpcEndpoints', 1, 1_000],
  ['DescribeVpcPeeringConnections', 5, 1_000],
  ['DescribeVpcs', 5, 1_000],
  ['GetManagedPrefixListEntries', 1, 100, { PrefixListId: 'pl-63a5400a' }],
  ['GetManagedPrefixListAssociations', 5, 255, { PrefixListId: 'pl-63a5400a' }],
];

for (const [operation, least, most, besides = {}] of sizes) {
  describe(`a page of ${operation} has ${least} to ${most} items`, () => {
    test.each([
      [least, 'it was answered'],
      [most, 'it was answered'],
      [
        least - 1,
        `InvalidParameterValue: Value ( ${least - 1} ) for parameter maxResults is invalid. Expecting a value greater than or equal to ${least}.`,
      ],
      [
        most + 1,
        `InvalidParameterValue: Value ( ${most + 1} ) for parameter maxResults is invalid. Expecting a value less than or equal to ${most}.`,
      ],
    ])('%i: %s', async (MaxResults, outcome) => {
      expect(await refusalOf(operation, { ...besides, MaxResults })).toBe(outcome);
    });
  });
}

test('prices have pages of the size that EC2 likes, whatever is asked for', async () => {
  expect(await refusalOf('DescribeSpotPriceHistory', { MaxResults: 2_000 })).toBe('it was answered');
  expect(await call('DescribeSpotPriceHistory', { MaxResults: 0 })).toBe('InvalidParameterValue');
});

describe('a token leads to the next page, and to no other list', () => {
  const five = { MaxResults: 5 };
  type Page = Readonly<Record<string, unknown>> & { readonly NextToken?: string };
  const lengthOf = (page: Page, list: string): number => {
    const items = (page[list] ?? []) as readonly { readonly Instances?: readonly object[] }[];
    return items.reduce((count, { Instances = [{}] }) => count + Instances.length, 0);
  };

  test.each<readonly [operation: string, list: string, whole: number]>([
    ['DescribeInstances', 'Reservations', 7],
    ['DescribeInstanceStatus', 'InstanceStatuses', 7],
    ['DescribeVolumes', 'Volumes', 7],
    ['DescribeSubnets', 'Subnets', 6],
    ['DescribeRouteTables', 'RouteTables', 5],
  ])('%s', async (operation, list, whole) => {
    const first = (await call(operation, five)) as Page;
    expect(lengthOf(first, list)).toBe(5);
    if (whole === 5) {
      expect(first.NextToken ?? '').toBe('');
      return;
    }
    const second = (await call(operation, { ...five, NextToken: first.NextToken })) as Page;
    expect(lengthOf(second, list)).toBe(whole - 5);
    expect(second.NextToken ?? '').toBe('');
  });

  test.each(['nonsense', 'ZnJvbTo', Buffer.from('from:-1').toString('base64'), Buffer.from('5').toString('base64')])(
    'that none gave out is refused: %s',
    async (NextToken) => {
      for (const operation of ['DescribeInstances', 'DescribeVolumes', 'DescribeSubnets', 'DescribeTags'])
        expect(await call(operation, { ...five, NextToken }), operation).toMatch(/^Invalid(NextToken|ParameterValue)$/);
    },
  );

  test('that is empty is the first page', async () => {
    expect(await call('DescribeSubnets', { ...five, NextToken: '' })).toEqual(await call('DescribeSubnets', five));
  });

  test('that leads beyond the end of a list that has become shorter finds nothing', async () => {
    const NextToken = Buffer.from('from:1000').toString('base64');
    expect(await call('DescribeSubnets', { ...five, NextToken })).toMatchObject({ Subnets: [] });
  });
});

describe('a request has', () => {
  const filters = (count: number) => Array.from({ length: count }, (_, at) => ({ Name: `tag:${at}`, Values: ['x'] }));
  const values = (count: number) => [{ Name: 'tag:a', Values: Array.from({ length: count }, (_, at) => `${at}`) }];

  test.each(['DescribeInstances', 'DescribeSubnets', 'DescribeVolumes', 'DescribeLaunchTemplates', 'DescribeKeyPairs'])(
    'at most 50 filters with 200 values each: %s',
    async (operation) => {
      const tell = (Filters: object) => refusalOf(operation, { Filters });
      expect(await tell(filters(50))).toBe('it was answered');
      expect(await tell(values(200))).toBe('it was answered');
      expect(await tell(filters(51))).toBe(
        'FilterLimitExceeded: The maximum number of filters specified on a single call is 50',
      );
      expect(await tell(values(201))).toBe(
        'FilterLimitExceeded: The maximum number of filter values specified on a single call is 200',
      );
    },
  );

  test('at most 200 values in all its filters', async () => {
    const Filters = [...values(101), ...values(100)];
    expect(await call('DescribeInstances', { Filters })).toBe('FilterLimitExceeded');
  });

  test.each<readonly [operation: string, member: string, most: number]>([
    ['TerminateInstances', 'InstanceIds', 1_000],
    ['RebootInstances', 'InstanceIds', 1_000],
    ['DescribeLaunchTemplates', 'LaunchTemplateIds', 200],
    ['DescribeLaunchTemplates', 'LaunchTemplateNames', 200],
    ['DescribeInstanceTypes', 'InstanceTypes', 100],
  ])('of %s a list %s of at most %i', async (operation, member, most) => {
    const ids = Array.from({ length: most + 1 }, (_, at) => `x-${at}`);
    expect(await refusalOf(operation, { [member]: ids })).toBe(
      `InvalidParameterValue: ${member.charAt(0).toLowerCase()}${member.slice(1)} has ${most + 1} items; the request may hold ${most}.`,
    );
    expect(await call(operation, { [member]: ids.slice(1) })).not.toBe('InvalidParameterValue');
  });
});
