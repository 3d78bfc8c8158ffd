import { anEc2, ec2Caller } from '@nodewright/testkit/worlds';
import { beforeEach, describe, expect, test } from 'vitest';

type Ec2Account = Awaited<ReturnType<typeof anEc2>>;

let account: Ec2Account;
let call: ReturnType<typeof ec2Caller>['call'], refusalOf: ReturnType<typeof ec2Caller>['refusalOf'];
let GroupId: string;

const made = async (GroupName: string): Promise<string> => {
  const answer = (await call('CreateSecurityGroup', { GroupName, Description: 'web' })) as { readonly GroupId: string };
  return answer.GroupId;
};

beforeEach(async () => {
  account = await anEc2();
  ({ call, refusalOf } = ec2Caller(account.aws));
  GroupId = await made('web');
});

const tcp = (port: number, more: object = {}) => ({ IpProtocol: 'tcp', FromPort: port, ToPort: port, ...more });
const fromAnywhere = { IpRanges: [{ CidrIp: '0.0.0.0/0' }] };
const allow = (...IpPermissions: readonly object[]) =>
  call('AuthorizeSecurityGroupIngress', { GroupId, IpPermissions });
const groupNow = async (): Promise<{
  readonly IpPermissions: readonly object[];
  readonly IpPermissionsEgress: readonly object[];
}> => {
  const { SecurityGroups } = (await call('DescribeSecurityGroups', { GroupIds: [GroupId] })) as {
    readonly SecurityGroups: readonly [Awaited<ReturnType<typeof groupNow>>];
  };
  return SecurityGroups[0];
};

describe('a new group', () => {
  test('lets everything out and nothing in, and has its tags', async () => {
    const TagSpecifications = [{ ResourceType: 'security-group', Tags: [{ Key: 'team', Value: 'web' }] }];
    expect(
      await call('CreateSecurityGroup', { GroupName: 'tagged', Description: 'd', TagSpecifications }),
    ).toMatchObject({
      GroupId: expect.stringMatching(/^sg-0[0-9a-f]{16}$/) as unknown,
      Tags: [{ Key: 'team', Value: 'web' }],
    });
    const { IpPermissions, IpPermissionsEgress } = await groupNow();
    expect(IpPermissions).toEqual([]);
    expect(IpPermissionsEgress).toMatchObject([{ IpProtocol: '-1', IpRanges: [{ CidrIp: '0.0.0.0/0' }] }]);
  });

  test.each<readonly [string, object, string]>([
    ['a name that is taken', { GroupName: 'web' }, 'InvalidGroup.Duplicate'],
    ['a name like an id', { GroupName: 'sg-web' }, 'InvalidParameterValue'],
    ['the name of the group that each VPC has', { GroupName: 'default' }, 'InvalidParameterValue'],
    ['a name beyond ASCII', { GroupName: 'wéb' }, 'InvalidParameterValue'],
    ['a name that is too long', { GroupName: 'w'.repeat(256) }, 'InvalidParameterValue'],
    ['a description beyond ASCII', { Description: 'größe' }, 'InvalidParameterValue'],
    ['an unknown VPC', { VpcId: 'vpc-0123' }, 'InvalidVpcID.NotFound'],
    [
      'tags of another resource',
      { TagSpecifications: [{ ResourceType: 'instance', Tags: [] }] },
      'InvalidParameterValue',
    ],
    ['a dry run', { DryRun: true }, 'DryRunOperation'],
  ])('is refused for %s', async (_, more, code) => {
    const before = await call('DescribeSecurityGroups');
    expect(await call('CreateSecurityGroup', { GroupName: 'new', Description: 'd', ...more })).toBe(code);
    expect(await call('DescribeSecurityGroups')).toEqual(before);
  });
});

describe('rules', () => {
  test('of one protocol and port are one permission, in their order and with their words', async () => {
    await allow(tcp(443, { IpRanges: [{ CidrIp: '10.0.0.0/8', Description: 'office' }] }));
    await allow(tcp(443, { Ipv6Ranges: [{ CidrIpv6: '::/0' }] }), tcp(80, fromAnywhere));
    await allow(
      tcp(443, {
        UserIdGroupPairs: [{ GroupId, Description: 'self' }],
        PrefixListIds: [{ PrefixListId: 'pl-63a5400a' }],
      }),
    );
    expect((await groupNow()).IpPermissions).toEqual([
      {
        IpProtocol: 'tcp',
        FromPort: 443,
        ToPort: 443,
        IpRanges: [{ CidrIp: '10.0.0.0/8', Description: 'office' }],
        Ipv6Ranges: [{ CidrIpv6: '::/0' }],
        PrefixListIds: [{ PrefixListId: 'pl-63a5400a' }],
        UserIdGroupPairs: [{ GroupId, UserId: account.aws.ec2.account.id, Description: 'self' }],
      },
      { ...tcp(80), IpRanges: [{ CidrIp: '0.0.0.0/0' }], Ipv6Ranges: [], PrefixListIds: [], UserIdGroupPairs: [] },
    ]);
  });

  test('are taken in the short form too', async () => {
    expect(
      await call('AuthorizeSecurityGroupIngress', { GroupName: 'web', ...tcp(22), CidrIp: '10.0.0.0/8' }),
    ).toMatchObject({
      Return: true,
      SecurityGroupRules: [{ GroupId, IsEgress: false, IpProtocol: 'tcp', FromPort: 22, CidrIpv4: '10.0.0.0/8' }],
    });
  });

  test.each<readonly [string, string]>([
    ['6', 'tcp'],
    ['17', 'udp'],
    ['1', 'icmp'],
    ['all', '-1'],
    ['50', '50'],
  ])('have the name of protocol %s: %s', async (IpProtocol, name) => {
    await allow({ IpProtocol, FromPort: 0, ToPort: 0, ...fromAnywhere });
    expect((await groupNow()).IpPermissions).toMatchObject([{ IpProtocol: name }]);
  });

  test('out have a list of their own', async () => {
    await call('AuthorizeSecurityGroupEgress', { GroupId, IpPermissions: [tcp(443, fromAnywhere)] });
    expect((await groupNow()).IpPermissionsEgress).toHaveLength(2);
    expect((await groupNow()).IpPermissions).toEqual([]);
  });

  test.each<readonly [string, () => object, string]>([
    ['no group', () => ({ IpPermissions: [tcp(80, fromAnywhere)] }), 'MissingParameter'],
    [
      'an unknown group',
      () => ({ GroupId: 'sg-0123', IpPermissions: [tcp(80, fromAnywhere)] }),
      'InvalidGroup.NotFound',
    ],
    ['no rule', () => ({ GroupId }), 'MissingParameter'],
    ['no peer', () => ({ GroupId, IpPermissions: [tcp(80)] }), 'MissingParameter'],
    ['no port', () => ({ GroupId, IpPermissions: [{ IpProtocol: 'tcp', ...fromAnywhere }] }), 'InvalidParameterValue'],
    [
      'ports backwards',
      () => ({ GroupId, IpPermissions: [{ ...tcp(80, fromAnywhere), ToPort: 79 }] }),
      'InvalidParameterValue',
    ],
    [
      'a port that there is not',
      () => ({ GroupId, IpPermissions: [tcp(65_536, fromAnywhere)] }),
      'InvalidParameterValue',
    ],
    [
      'a negative port',
      () => ({ GroupId, IpPermissions: [{ ...tcp(80, fromAnywhere), FromPort: -1 }] }),
      'InvalidParameterValue',
    ],
    [
      'an octet above 255',
      () => ({ GroupId, IpPermissions: [tcp(80, { IpRanges: [{ CidrIp: '10.0.0.256/8' }] })] }),
      'InvalidParameterValue',
    ],
    [
      'a prefix above 32',
      () => ({ GroupId, IpPermissions: [tcp(80, { IpRanges: [{ CidrIp: '10.0.0.0/33' }] })] }),
      'InvalidParameterValue',
    ],
    [
      'an address alone',
      () => ({ GroupId, IpPermissions: [tcp(80, { IpRanges: [{ CidrIp: '10.0.0.1' }] })] }),
      'InvalidParameterValue',
    ],
    [
      'an address of IPv6 alone',
      () => ({ GroupId, IpPermissions: [tcp(80, { Ipv6Ranges: [{ CidrIpv6: '2001:db8::1' }] })] }),
      'InvalidParameterValue',
    ],
    [
      'a block of IPv6 that is none',
      () => ({ GroupId, IpPermissions: [tcp(80, { Ipv6Ranges: [{ CidrIpv6: '1::2::/64' }] })] }),
      'InvalidParameterValue',
    ],
    [
      'an unknown peer',
      () => ({ GroupId, IpPermissions: [tcp(80, { UserIdGroupPairs: [{ GroupId: 'sg-0123' }] })] }),
      'InvalidGroup.NotFound',
    ],
    [
      'a rule twice',
      () => ({ GroupId, IpPermissions: [tcp(80, fromAnywhere), tcp(80, fromAnywhere)] }),
      'InvalidParameterValue',
    ],
    ['a dry run', () => ({ GroupId, DryRun: true, IpPermissions: [tcp(80, fromAnywhere)] }), 'DryRunOperation'],
  ])('are refused for %s, and nothing is kept', async (_, request, code) => {
    const before = await groupNow();
    expect(await call('AuthorizeSecurityGroupIngress', request())).toBe(code);
    expect(await groupNow()).toEqual(before);
  });

  test('that are there already are refused together with the new ones beside them', async () => {
    await allow(tcp(80, fromAnywhere));
    const IpPermissions = [tcp(443, fromAnywhere), tcp(80, fromAnywhere)];
    expect(await refusalOf('AuthorizeSecurityGroupIngress', { GroupId, IpPermissions })).toBe(
      'InvalidPermission.Duplicate: the specified rule "peer: 0.0.0.0/0, TCP, from port: 80, to port: 80, ALLOW" already exists',
    );
    expect((await groupNow()).IpPermissions).toHaveLength(1);
  });
});

describe('rules that are taken back', () => {
  type Rule = { readonly SecurityGroupRuleId: string };
  const idsOf = async (): Promise<readonly string[]> => {
    const byGroup = { Filters: [{ Name: 'group-id', Values: [GroupId] }] };
    const found = (await call('DescribeSecurityGroupRules', byGroup)) as {
      readonly SecurityGroupRules: readonly Rule[];
    };
    return found.SecurityGroupRules.map(({ SecurityGroupRuleId }) => SecurityGroupRuleId);
  };

  test('are named by what they allow', async () => {
    await allow(tcp(80, fromAnywhere), tcp(443, fromAnywhere));
    const IpPermissions = [tcp(80, fromAnywhere)];
    expect(await call('RevokeSecurityGroupIngress', { GroupId, IpPermissions })).toMatchObject({ Return: true });
    expect((await groupNow()).IpPermissions).toMatchObject([{ FromPort: 443 }]);
  });

  test('are named by their ids, which stay while a rule is there', async () => {
    const [outside] = await idsOf();
    await allow(tcp(80, fromAnywhere));
    expect(await idsOf()).toContain(outside);
    expect(await call('RevokeSecurityGroupEgress', { GroupId, SecurityGroupRuleIds: [outside] })).toMatchObject({
      Return: true,
    });
    expect((await groupNow()).IpPermissionsEgress).toEqual([]);
  });

  test.each<readonly [string, () => object, string]>([
    ['what is not allowed', () => ({ IpPermissions: [tcp(81, fromAnywhere)] }), 'InvalidPermission.NotFound'],
    [
      'one that is not there beside one that is',
      () => ({ IpPermissions: [tcp(80, fromAnywhere), tcp(81, fromAnywhere)] }),
      'InvalidPermission.NotFound',
    ],
    ['an unknown id', () => ({ SecurityGroupRuleIds: ['sgr-0123'] }), 'InvalidPermission.NotFound'],
    ['nothing', () => ({}), 'InvalidPermission.NotFound'],
    ['a dry run', () => ({ DryRun: true, IpPermissions: [tcp(80, fromAnywhere)] }), 'DryRunOperation'],
  ])('are refused for %s, and all stay', async (_, request, code) => {
    await allow(tcp(80, fromAnywhere));
    expect(await call('RevokeSecurityGroupIngress', { GroupId, ...request() })).toBe(code);
    expect((await groupNow()).IpPermissions).toHaveLength(1);
  });

  test('are described by id, and an unknown id is refused', async () => {
    const [id] = await idsOf();
    expect(await call('DescribeSecurityGroupRules', { SecurityGroupRuleIds: [id] })).toMatchObject({
      SecurityGroupRules: [
        { SecurityGroupRuleId: id, IsEgress: true, FromPort: -1, ToPort: -1, CidrIpv4: '0.0.0.0/0' },
      ],
    });
    expect(await call('DescribeSecurityGroupRules', { SecurityGroupRuleIds: ['sgr-0123'] })).toBe(
      'InvalidSecurityGroupRuleId.NotFound',
    );
  });
});

describe('a group goes', () => {
  test('by its name or its id, and takes its tags along', async () => {
    await call('CreateTags', { Resources: [GroupId], Tags: [{ Key: 'team', Value: 'web' }] });
    expect(await call('DeleteSecurityGroup', { GroupName: 'web' })).toEqual({ Return: true, GroupId });
    expect(await call('DescribeSecurityGroups', { GroupIds: [GroupId] })).toBe('InvalidGroup.NotFound');
    const byResource = { Filters: [{ Name: 'resource-id', Values: [GroupId] }] };
    expect(await call('DescribeTags', byResource)).toEqual({ Tags: [] });
  });

  test.each<readonly [string, () => object, string]>([
    ['unnamed', () => ({}), 'MissingParameter'],
    ['unknown', () => ({ GroupId: 'sg-0123' }), 'InvalidGroup.NotFound'],
    ['in a dry run', () => ({ GroupId, DryRun: true }), 'DryRunOperation'],
  ])('not when it is %s', async (_, request, code) => {
    expect(await call('DeleteSecurityGroup', request())).toBe(code);
    expect(await call('DescribeSecurityGroups', { GroupIds: [GroupId] })).toMatchObject({
      SecurityGroups: [{ GroupId }],
    });
  });

  test('not while an instance has it', async () => {
    const [node] = account.aws.ec2.network.securityGroups;
    await call('RunInstances', {
      ImageId: 'ami-0aaaaaaaaaaaaaaa1',
      InstanceType: 'm5.large',
      MinCount: 1,
      MaxCount: 1,
      SecurityGroupIds: [GroupId],
    });
    expect(await call('DeleteSecurityGroup', { GroupId })).toBe('DependencyViolation');
    expect(node?.id).not.toBe(GroupId);
  });

  test('not while a rule of another group names it; its own rules do not hold it', async () => {
    await allow(tcp(80, { UserIdGroupPairs: [{ GroupId }] }));
    const other = await made('other');
    const IpPermissions = [tcp(80, { UserIdGroupPairs: [{ GroupId }] })];
    await call('AuthorizeSecurityGroupIngress', { GroupId: other, IpPermissions });
    expect(await call('DeleteSecurityGroup', { GroupId })).toBe('DependencyViolation');
    await call('RevokeSecurityGroupIngress', { GroupId: other, IpPermissions });
    expect(await call('DeleteSecurityGroup', { GroupId })).toMatchObject({ Return: true });
  });
});
