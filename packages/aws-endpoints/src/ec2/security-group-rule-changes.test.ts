import { anEc2, ec2Caller } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';

type ToldRule = { readonly SecurityGroupRuleId: string; readonly Tags?: readonly object[] };

async function world() {
  const { aws } = await anEc2();
  const { call } = ec2Caller(aws);
  const { GroupId } = (await call('CreateSecurityGroup', { GroupName: 'web', Description: 'web' })) as {
    readonly GroupId: string;
  };
  const allow = async (port: number, more: object = {}) => {
    const IpRanges = [{ CidrIp: '10.0.0.0/8', Description: 'old' }];
    const permission = { IpProtocol: 'tcp', FromPort: port, ToPort: port, IpRanges };
    return (await call('AuthorizeSecurityGroupIngress', { GroupId, IpPermissions: [permission], ...more })) as {
      readonly SecurityGroupRules?: readonly ToldRule[];
    };
  };
  const idOf = async (port: number): Promise<string> =>
    (await allow(port)).SecurityGroupRules?.[0]?.SecurityGroupRuleId ?? '';
  const rule = (id: string) => call('DescribeSecurityGroupRules', { SecurityGroupRuleIds: [id] });
  return { aws, call, GroupId, allow, idOf, rule };
}

test('a rule is changed and keeps its id', async () => {
  const { call, GroupId, idOf, rule } = await world();
  const SecurityGroupRuleId = await idOf(80);
  const SecurityGroupRule = { IpProtocol: 'tcp', FromPort: 443, ToPort: 443, CidrIpv4: '10.1.0.0/16' };
  const SecurityGroupRules = [{ SecurityGroupRuleId, SecurityGroupRule }];
  expect(await call('ModifySecurityGroupRules', { GroupId, SecurityGroupRules })).toEqual({ Return: true });
  expect(await rule(SecurityGroupRuleId)).toMatchObject({
    SecurityGroupRules: [{ SecurityGroupRuleId, FromPort: 443, CidrIpv4: '10.1.0.0/16', IsEgress: false }],
  });
  expect(
    await call('ModifySecurityGroupRules', {
      GroupId,
      SecurityGroupRules: [{ SecurityGroupRuleId: 'sgr-1', SecurityGroupRule }],
    }),
  ).toBe('InvalidSecurityGroupRuleId.NotFound');
});

for (const { what, change, code } of [
  { what: 'without a protocol', change: { IpProtocol: undefined }, code: 'InvalidParameterValue' },
  { what: 'without a first port', change: { FromPort: undefined }, code: 'InvalidParameterValue' },
  { what: 'about nothing', change: { CidrIpv4: undefined }, code: 'MissingParameter' },
  { what: 'about two things', change: { CidrIpv6: '::/0' }, code: 'InvalidParameterCombination' },
]) {
  test(`a rule is not changed to one ${what}`, async () => {
    const { call, GroupId, idOf } = await world();
    const SecurityGroupRule = { IpProtocol: 'tcp', FromPort: 443, ToPort: 443, CidrIpv4: '10.1.0.0/16', ...change };
    const SecurityGroupRules = [{ SecurityGroupRuleId: await idOf(80), SecurityGroupRule }];
    expect(await call('ModifySecurityGroupRules', { GroupId, SecurityGroupRules })).toBe(code);
  });
}

test('rules are described anew, by their ids and by what they say', async () => {
  const { call, GroupId, idOf, rule } = await world();
  const [first, second] = [await idOf(80), await idOf(81)];
  await call('UpdateSecurityGroupRuleDescriptionsIngress', {
    GroupId,
    SecurityGroupRuleDescriptions: [{ SecurityGroupRuleId: first, Description: 'new' }],
  });
  const IpRanges = [{ CidrIp: '10.0.0.0/8' }];
  const IpPermissions = [{ IpProtocol: 'tcp', FromPort: 81, ToPort: 81, IpRanges }];
  await call('UpdateSecurityGroupRuleDescriptionsIngress', { GroupId, IpPermissions });
  expect(await rule(first)).toMatchObject({ SecurityGroupRules: [{ Description: 'new' }] });
  expect(await rule(second)).not.toMatchObject({ SecurityGroupRules: [{ Description: expect.anything() }] });
  expect(await call('UpdateSecurityGroupRuleDescriptionsEgress', { GroupId, IpPermissions })).toBe(
    'InvalidPermission.NotFound',
  );
});

test('a rule has tags, from its beginning or later, and they go with it', async () => {
  const { call, GroupId, allow, rule } = await world();
  const TagSpecifications = [{ ResourceType: 'security-group-rule', Tags: [{ Key: 'team', Value: 'red' }] }];
  const { SecurityGroupRules: [made] = [] } = await allow(80, { TagSpecifications });
  expect(made?.Tags).toEqual([{ Key: 'team', Value: 'red' }]);
  const id = made?.SecurityGroupRuleId ?? '';
  await call('CreateTags', { Resources: [id], Tags: [{ Key: 'stage', Value: 'live' }] });
  expect(await rule(id)).toMatchObject({ SecurityGroupRules: [{ Tags: [{ Key: 'stage' }, { Key: 'team' }] }] });
  expect(await call('RevokeSecurityGroupIngress', { GroupId, SecurityGroupRuleIds: [id] })).toMatchObject({
    Return: true,
    RevokedSecurityGroupRules: [{ SecurityGroupRuleId: id, FromPort: 80, CidrIpv4: '10.0.0.0/8' }],
  });
  expect((await allow(80)).SecurityGroupRules?.[0]?.Tags).toEqual([]);
});

test('rules of a group whose id is none are refused', async () => {
  const { call } = await world();
  const of = (id: string) => call('DescribeSecurityGroupRules', { Filters: [{ Name: 'group-id', Values: [id] }] });
  expect(await of('foobar')).toBe('InvalidGroupId.Malformed');
  expect(await of('sg-0123456789abcdef0')).toEqual({ SecurityGroupRules: [] });
});

test('a group has sixty rules in each direction', async () => {
  const { allow } = await world();
  for (let port = 1; port <= 60; port += 1) await allow(port);
  expect(await allow(61)).toBe('RulesPerSecurityGroupLimitExceeded');
});

test('a new group lets addresses of IPv6 out where its VPC has some', async () => {
  const { call } = await world();
  const { Vpc } = (await call('CreateVpc', { CidrBlock: '10.0.0.0/16', AmazonProvidedIpv6CidrBlock: true })) as {
    readonly Vpc: { readonly VpcId: string };
  };
  const group = { GroupName: 'six', Description: 'six', VpcId: Vpc.VpcId };
  const { GroupId } = (await call('CreateSecurityGroup', group)) as { readonly GroupId: string };
  expect(await call('DescribeSecurityGroups', { GroupIds: [GroupId] })).toMatchObject({
    SecurityGroups: [
      { IpPermissionsEgress: [{ IpRanges: [{ CidrIp: '0.0.0.0/0' }], Ipv6Ranges: [{ CidrIpv6: '::/0' }] }] },
    ],
  });
});

for (const { what, input, code } of [
  { what: 'without a block of IPv6', input: {}, code: 'MissingParameter' },
  {
    what: 'with a block of IPv4',
    input: { CidrBlock: '10.0.0.0/24', Ipv6CidrBlock: 'fd00::/64' },
    code: 'InvalidParameterCombination',
  },
  { what: 'as nodes have addresses of IPv4', input: { Ipv6CidrBlock: 'fd00::/64' }, code: 'UnsupportedOperation' },
]) {
  test(`a native subnet of IPv6 is refused ${what}`, async () => {
    const { aws, call } = await world();
    expect(await call('CreateSubnet', { VpcId: aws.ec2.network.vpcId, Ipv6Native: true, ...input })).toBe(code);
  });
}
