import { instant, minutes, toTimestamp } from '@nodewright/apis';
import { LineLedger } from '@nodewright/runtime';
import { keptIn, MemoryJournal } from '@nodewright/testkit';
import { arm, aTestAccount, ec2Caller, fillEc2, makeInEc2, x86 } from '@nodewright/testkit/worlds';
import { beforeAll, describe, expect, test } from 'vitest';

const anAccount = (journal: MemoryJournal, begins: { readonly start?: string; readonly seed?: number } = {}) => {
  const ledger = new LineLedger({ kept: keptIn(journal.lines), now: () => instant(0), journal });
  const account = aTestAccount({ releases: [x86, arm], ledger, ...begins });
  return { ...account, ...ec2Caller(account.aws) };
};
type Account = ReturnType<typeof anAccount>;

const described = [
  'DescribeAddresses',
  'DescribeCapacityReservations',
  'DescribeEgressOnlyInternetGateways',
  'DescribeInstances',
  'DescribeInstanceStatus',
  'DescribeInternetGateways',
  'DescribeKeyPairs',
  'DescribeLaunchTemplates',
  'DescribeNatGateways',
  'DescribeNetworkAcls',
  'DescribeNetworkInterfaces',
  'DescribePlacementGroups',
  'DescribeRouteTables',
  'DescribeSecurityGroups',
  'DescribeSecurityGroupRules',
  'DescribeSpotInstanceRequests',
  'DescribeSubnets',
  'DescribeTags',
  'DescribeVolumes',
  'DescribeVpcEndpoints',
  'DescribeVpcs',
].map((operation) => [operation, {}] as const);
const describedBy: readonly (readonly [operation: string, input: object])[] = [
  ...described,
  ['DescribeImages', { Owners: ['self'] }],
  ['DescribeLaunchTemplateVersions', { LaunchTemplateName: 'nodes' }],
];

/** An account that has lived on, and one whose process ended and began again at the same instant. */
let living: Account, restarted: Account;
beforeAll(async () => {
  const journal = new MemoryJournal();
  living = anAccount(journal);
  await fillEc2(living);
  restarted = anAccount(new MemoryJournal(journal.lines), { start: toTimestamp(living.clock.now()), seed: 2 });
  restarted.aws.resume();
});

const comparable = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer, (key, value: unknown) => (key === 'NextToken' ? undefined : value)));

describe.each(describedBy)('after a restart %s %j', (operation, input) => {
  test('answers as before', async () => {
    const [before, after] = [await living.call(operation, input), await restarted.call(operation, input)];
    expect(typeof before).toBe('object');
    expect(comparable(after)).toEqual(comparable(before));
  });
});

describe('after a restart', () => {
  test('what was under way ends as it would have', async () => {
    for (const account of [living, restarted]) await account.clock.advance(minutes(90));
    for (const [operation, input] of describedBy)
      expect(comparable(await restarted.call(operation, input)), operation).toEqual(
        comparable(await living.call(operation, input)),
      );
    const { Reservations } = (await restarted.call('DescribeInstances')) as {
      readonly Reservations: readonly {
        readonly Instances: readonly { readonly State: { readonly Name: string } }[];
      }[];
    };
    const states = Reservations.flatMap(({ Instances }) => Instances.map(({ State }) => State.Name));
    expect(states.toSorted()).toEqual(['running', 'running', 'stopped']);
  });

  test('a launch with the same token is the same launch', async () => {
    const launch = { ImageId: x86.imageId, InstanceType: 'm5.large', MinCount: 1, MaxCount: 1, ClientToken: 'once' };
    const again = { ...launch, InstanceMarketOptions: { MarketType: 'spot' } };
    const ids = [living, restarted].map((account) =>
      makeInEc2(account, 'RunInstances', again, 'Instances.0.InstanceId'),
    );
    const [first, second] = await Promise.all(ids);
    expect(second).toBe(first);
  });

  test.each<readonly [operation: string, input: object, list: string, id: string]>([
    [
      'RunInstances',
      { ImageId: x86.imageId, InstanceType: 'm5.large', MinCount: 3, MaxCount: 3 },
      'Instances',
      'InstanceId',
    ],
    ['CreateVpc', { CidrBlock: '10.9.0.0/16' }, 'Vpc', 'VpcId'],
    ['AllocateAddress', { Domain: 'vpc' }, '', 'AllocationId'],
    ['CreateInternetGateway', {}, 'InternetGateway', 'InternetGatewayId'],
    ['CreateKeyPair', { KeyName: 'second' }, '', 'KeyPairId'],
    ['CreatePlacementGroup', { GroupName: 'second' }, 'PlacementGroup', 'GroupId'],
    [
      'CreateLaunchTemplate',
      { LaunchTemplateName: 'second', LaunchTemplateData: { InstanceType: 'm5.large' } },
      'LaunchTemplate',
      'LaunchTemplateId',
    ],
    [
      'CreateCapacityReservation',
      { InstanceType: 'm5.large', InstancePlatform: 'Linux/UNIX', InstanceCount: 1, AvailabilityZone: 'us-east-1a' },
      'CapacityReservation',
      'CapacityReservationId',
    ],
  ])('%s gives an id that nothing has yet', async (operation, input, list, id) => {
    const known = JSON.stringify(await Promise.all(describedBy.map(([each, by]) => restarted.call(each, by))));
    const answer = (await restarted.call(operation, input)) as Readonly<Record<string, unknown>>;
    const found = list === '' ? answer : answer[list];
    const ids = [found].flat().map((each) => String(Reflect.get(Object(each), id)));
    expect(new Set(ids).size).toBe(ids.length);
    for (const each of ids) {
      expect(each).toMatch(/^[a-z]+-0?[0-9a-f]+$/);
      expect(known.includes(each)).toBe(false);
    }
  });

  test('addresses that are taken stay taken', async () => {
    const { Reservations } = (await restarted.call('DescribeInstances')) as {
      readonly Reservations: readonly {
        readonly Instances: readonly { readonly PrivateIpAddress?: string; readonly PublicIpAddress?: string }[];
      }[];
    };
    const instances = Reservations.flatMap(({ Instances }) => Instances);
    for (const addresses of [
      instances.flatMap(({ PrivateIpAddress = [] }) => PrivateIpAddress),
      instances.flatMap(({ PublicIpAddress = [] }) => PublicIpAddress),
    ]) {
      expect(new Set(addresses).size).toBe(addresses.length);
    }
  });

  test('names that are taken stay taken', async () => {
    expect(await restarted.call('CreateKeyPair', { KeyName: 'mine' })).toBe('InvalidKeyPair.Duplicate');
    expect(await restarted.call('CreatePlacementGroup', { GroupName: 'racks' })).toBe(
      'InvalidPlacementGroup.Duplicate',
    );
    const template = { LaunchTemplateName: 'nodes', LaunchTemplateData: { InstanceType: 'm5.large' } };
    expect(await restarted.call('CreateLaunchTemplate', template)).toBe(
      'InvalidLaunchTemplateName.AlreadyExistsException',
    );
  });
});

test('a subnet of a snapshot has as many free addresses as the snapshot counted, its NAT gateway included', async () => {
  const journal = new MemoryJournal();
  const { network } = anAccount(new MemoryJournal()).aws.ec2;
  const subnets = network.subnets.map((subnet) => ({ ...subnet, takenByOthers: 100 }));
  const kept = new LineLedger({ kept: keptIn([]), now: () => instant(0), journal });
  kept.map('ec2/network').set('vpc', { ...network, subnets });
  const { Subnets } = (await anAccount(journal).call('DescribeSubnets')) as {
    readonly Subnets: readonly { readonly AvailableIpAddressCount: number }[];
  };
  expect(new Set(Subnets.map(({ AvailableIpAddressCount }) => AvailableIpAddressCount))).toEqual(
    new Set([8_192 - 5 - 100]),
  );
});

test('an instance whose process ended before its tags were written has them after the restart', async () => {
  const journal = new MemoryJournal();
  const id = await makeInEc2(
    anAccount(journal),
    'RunInstances',
    {
      ImageId: x86.imageId,
      InstanceType: 'm5.large',
      MinCount: 1,
      MaxCount: 1,
      TagSpecifications: [{ ResourceType: 'instance', Tags: [{ Key: 'owner', Value: 'me' }] }],
    },
    'Instances.0.InstanceId',
  );
  const kept = new LineLedger({ kept: keptIn(journal.lines), now: () => instant(0), journal });
  kept.map('ec2/tags').delete(id);
  const account = anAccount(journal, { seed: 2 });
  account.aws.resume();
  const filters = { Filters: [{ Name: 'resource-id', Values: [id] }] };
  expect(await account.call('DescribeTags', filters)).toMatchObject({ Tags: [{ Key: 'owner', Value: 'me' }] });
});
