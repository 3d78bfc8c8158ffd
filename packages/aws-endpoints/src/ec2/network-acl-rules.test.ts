import { anEc2, ec2Caller } from '@nodewright/testkit/worlds';
import { beforeEach, describe, expect, test } from 'vitest';

let call: ReturnType<typeof ec2Caller>['call'];
let VpcId: string;
let NetworkAclId: string;
beforeEach(async () => {
  ({ call } = ec2Caller((await anEc2()).aws));
  VpcId = ((await call('CreateVpc', { CidrBlock: '10.0.0.0/16' })) as { Vpc: { VpcId: string } }).Vpc.VpcId;
  NetworkAclId = await createAcl();
});

async function createAcl(more: object = {}): Promise<string> {
  const answer = await call('CreateNetworkAcl', { VpcId, ...more });
  return (answer as { NetworkAcl: { NetworkAclId: string } }).NetworkAcl.NetworkAclId;
}

type Entry = Readonly<Record<string, unknown>>;
async function entries(): Promise<readonly Entry[]> {
  const { NetworkAcls } = (await call('DescribeNetworkAcls', { NetworkAclIds: [NetworkAclId] })) as {
    NetworkAcls: { Entries: Entry[] }[];
  };
  return (NetworkAcls[0]?.Entries ?? []).filter((entry) => entry['RuleNumber'] !== 32_767);
}

const all = { Protocol: '-1', RuleAction: 'allow', CidrBlock: '0.0.0.0/0' };
const place = (RuleNumber: number, Egress = false) => ({ NetworkAclId, RuleNumber, Egress });

describe('a rule of a network ACL', () => {
  test.each<[fact: string, rule: object, shown: object]>([
    ['of all protocols, without ports', { ...all, PortRange: { From: 1, To: 2 } }, all],
    ['of a protocol by its name', { ...all, Protocol: 'ALL' }, all],
    [
      'of TCP by its name',
      { ...all, Protocol: 'tcp', PortRange: { From: 0, To: 65_535 } },
      { ...all, Protocol: '6', PortRange: { From: 0, To: 65_535 } },
    ],
    [
      'of UDP by its number',
      { ...all, Protocol: '17', PortRange: { From: 53, To: 53 } },
      { ...all, Protocol: '17', PortRange: { From: 53, To: 53 } },
    ],
    [
      'of ICMP, with type and code',
      { ...all, Protocol: 'icmp', IcmpTypeCode: { Type: 8, Code: -1 } },
      { ...all, Protocol: '1', IcmpTypeCode: { Type: 8, Code: -1 } },
    ],
    [
      'of ICMP for IPv6',
      {
        Protocol: 'icmpv6',
        RuleAction: 'deny',
        Ipv6CidrBlock: '2001:db8::/32',
        IcmpTypeCode: { Type: 128, Code: 0 },
      },
      { Protocol: '58', RuleAction: 'deny', Ipv6CidrBlock: '2001:db8::/32', IcmpTypeCode: { Type: 128, Code: 0 } },
    ],
    ['of another protocol', { ...all, Protocol: '50' }, { ...all, Protocol: '50' }],
  ])('%s is shown as EC2 does', async (_, rule, shown) => {
    expect(await call('CreateNetworkAclEntry', { ...place(10), ...rule })).toEqual({});
    expect(await entries()).toEqual([{ RuleNumber: 10, Egress: false, ...shown }]);
  });

  test.each<[fact: string, rule: object, code: string]>([
    ['ports below 0', { Protocol: '6', PortRange: { From: -1, To: 2 } }, 'InvalidParameterValue'],
    ['ports above 65,535', { Protocol: '17', PortRange: { From: 1, To: 65_536 } }, 'InvalidParameterValue'],
    ['one port of two', { Protocol: '6', PortRange: { From: 1 } }, 'MissingParameter'],
    ['ICMP without a code', { Protocol: '58', IcmpTypeCode: { Type: 8 } }, 'MissingParameter'],
    ['a protocol above 255', { Protocol: '256' }, 'InvalidParameterValue'],
    ['the number 0', { RuleNumber: 0 }, 'InvalidParameterValue'],
    [
      'a block of IPv6 without a length',
      { CidrBlock: undefined, Ipv6CidrBlock: '2001:db8::' },
      'InvalidParameterValue',
    ],
    ['an ACL that there is not', { NetworkAclId: 'acl-0a' }, 'InvalidNetworkAclID.NotFound'],
  ])('with %s is refused', async (_, rule, code) => {
    expect(await call('CreateNetworkAclEntry', { ...place(10), ...all, ...rule })).toBe(code);
    expect(await entries()).toEqual([]);
  });

  test('is listed by its direction and number, however they came', async () => {
    for (const [number, egress] of [
      [20, false],
      [30, true],
      [10, false],
      [10, true],
    ] as const)
      await call('CreateNetworkAclEntry', { ...place(number, egress), ...all });
    expect((await entries()).map(({ Egress, RuleNumber }) => [Egress, RuleNumber])).toEqual([
      [true, 10],
      [true, 30],
      [false, 10],
      [false, 20],
    ]);
  });

  test('is replaced by its place, and the rules beside it stay', async () => {
    for (const number of [10, 20]) await call('CreateNetworkAclEntry', { ...place(number), ...all });
    await call('ReplaceNetworkAclEntry', { ...place(20), ...all, RuleAction: 'deny' });
    expect((await entries()).map(({ RuleAction }) => RuleAction)).toEqual(['allow', 'deny']);
    expect(await call('ReplaceNetworkAclEntry', { ...place(30), ...all })).toBe('InvalidNetworkAclEntry.NotFound');
  });

  test('is one of twenty of a direction', async () => {
    for (let number = 1; number <= 20; number += 1) await call('CreateNetworkAclEntry', { ...place(number), ...all });
    expect(await call('CreateNetworkAclEntry', { ...place(21), ...all })).toBe('NetworkAclEntryLimitExceeded');
    expect(await call('CreateNetworkAclEntry', { ...place(21, true), ...all })).toEqual({});
  });
});

describe('a network ACL', () => {
  test('is made once for a token', async () => {
    const id = await createAcl({ ClientToken: 'once' });
    expect(await createAcl({ ClientToken: 'once' })).toBe(id);
    expect(await call('CreateNetworkAcl', { VpcId, ClientToken: 'once' })).toMatchObject({ ClientToken: 'once' });
    const other = ((await call('CreateVpc', { CidrBlock: '10.1.0.0/16' })) as { Vpc: { VpcId: string } }).Vpc.VpcId;
    expect(await call('CreateNetworkAcl', { VpcId: other, ClientToken: 'once' })).toBe('IdempotentParameterMismatch');
  });

  test('is one of 200 of a VPC', async () => {
    // One came with the VPC, one was made before.
    for (let made = 2; made < 200; made += 1) await createAcl();
    expect(await call('CreateNetworkAcl', { VpcId })).toBe('NetworkAclLimitExceeded');
  });

  test.each<[filter: string, value: () => string]>([
    ['network-acl-id', () => NetworkAclId],
    ['entry.rule-action', () => 'allow'],
    ['entry.icmp.type', () => '8'],
    ['entry.ipv6-cidr', () => '::/0'],
  ])('is found by %s', async (Name, value) => {
    const icmp = { Protocol: 'icmpv6', RuleAction: 'allow', Ipv6CidrBlock: '::/0', IcmpTypeCode: { Type: 8, Code: 0 } };
    await call('CreateNetworkAclEntry', { ...place(10), ...icmp });
    const Filters = [
      { Name, Values: [value()] },
      { Name: 'default', Values: ['false'] },
    ];
    expect(await call('DescribeNetworkAcls', { Filters })).toMatchObject({ NetworkAcls: [{ NetworkAclId }] });
  });
});
