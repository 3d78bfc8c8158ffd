import { anEc2, ec2Caller } from '@nodewright/testkit/worlds';
import { beforeEach, describe, expect, test } from 'vitest';

let call: ReturnType<typeof ec2Caller>['call'], refusalOf: ReturnType<typeof ec2Caller>['refusalOf'];
/** A group with a rule for port 80 and one for port 81, both inward. */
let GroupId: string, first: string, second: string;

type ToldRule = { readonly SecurityGroupRuleId: string; readonly IsEgress: boolean };

beforeEach(async () => {
  ({ call, refusalOf } = ec2Caller((await anEc2()).aws));
  ({ GroupId } = (await call('CreateSecurityGroup', { GroupName: 'web', Description: 'web' })) as {
    readonly GroupId: string;
  });
  const { SecurityGroupRules } = (await call('AuthorizeSecurityGroupIngress', {
    GroupId,
    IpPermissions: [onPort(80), onPort(81)],
  })) as { readonly SecurityGroupRules: readonly ToldRule[] };
  [first = '', second = ''] = SecurityGroupRules.map(({ SecurityGroupRuleId }) => SecurityGroupRuleId);
});

const onPort = (port: number, more: object = {}) => ({
  IpProtocol: 'tcp',
  FromPort: port,
  ToPort: port,
  IpRanges: [{ CidrIp: '10.0.0.0/8' }],
  ...more,
});

const readRules = async (): Promise<readonly ToldRule[]> => {
  const Filters = [{ Name: 'group-id', Values: [GroupId] }];
  const told = await call('DescribeSecurityGroupRules', { Filters });
  return (told as { readonly SecurityGroupRules: readonly ToldRule[] }).SecurityGroupRules;
};

const change = (SecurityGroupRuleId: string, rule: object, more: object = {}) =>
  call('ModifySecurityGroupRules', {
    GroupId,
    SecurityGroupRules: [
      { SecurityGroupRuleId, SecurityGroupRule: { IpProtocol: 'tcp', FromPort: 1, ToPort: 2, ...rule } },
    ],
    ...more,
  });

describe('a rule may be changed to one about', () => {
  test.each<readonly [string, () => object]>([
    ['addresses of IPv6', () => ({ CidrIpv6: '2001:db8::/32', Description: 'six' })],
    ['a prefix list', () => ({ PrefixListId: 'pl-02cd2c6b' })],
    ['members of a group', () => ({ ReferencedGroupId: GroupId, Description: 'each other' })],
  ])('%s', async (_, rule) => {
    const { ReferencedGroupId, ...told } = { ReferencedGroupId: undefined, ...rule() } as Readonly<
      Record<string, unknown>
    >;
    expect(await change(first, rule())).toEqual({ Return: true });
    const changed = (await readRules()).find(({ SecurityGroupRuleId }) => SecurityGroupRuleId === first);
    expect(changed).toMatchObject({
      FromPort: 1,
      ToPort: 2,
      ...told,
      ...(ReferencedGroupId !== undefined && { ReferencedGroupInfo: { GroupId: ReferencedGroupId } }),
    });
  });
});

describe('refused changes leave the rules as they are:', () => {
  test.each<readonly [fact: string, ask: () => Promise<unknown>, answer: string]>([
    ['a dry run', () => change(first, { CidrIpv4: '10.1.0.0/16' }, { DryRun: true }), 'DryRunOperation'],
    ['no rule', () => call('ModifySecurityGroupRules', { GroupId, SecurityGroupRules: [] }), 'MissingParameter'],
    [
      'one that says what another rule says',
      () => change(first, { FromPort: 81, ToPort: 81, CidrIpv4: '10.0.0.0/8' }),
      'InvalidPermission.Duplicate',
    ],
    [
      'two that come to say the same',
      () => {
        const SecurityGroupRule = { IpProtocol: 'tcp', FromPort: 1, ToPort: 2, CidrIpv4: '10.1.0.0/16' };
        return call('ModifySecurityGroupRules', {
          GroupId,
          SecurityGroupRules: [first, second].map((SecurityGroupRuleId) => ({
            SecurityGroupRuleId,
            SecurityGroupRule,
          })),
        });
      },
      'InvalidPermission.Duplicate',
    ],
    [
      'a good one before one that there is not',
      () => {
        const SecurityGroupRule = { IpProtocol: 'tcp', FromPort: 1, ToPort: 2, CidrIpv4: '10.1.0.0/16' };
        return call('ModifySecurityGroupRules', {
          GroupId,
          SecurityGroupRules: [first, 'sgr-0123456789abcdef0'].map((SecurityGroupRuleId) => ({
            SecurityGroupRuleId,
            SecurityGroupRule,
          })),
        });
      },
      'InvalidSecurityGroupRuleId.NotFound',
    ],
    [
      'a description by dry run',
      () => call('UpdateSecurityGroupRuleDescriptionsIngress', { GroupId, IpPermissions: [onPort(80)], DryRun: true }),
      'DryRunOperation',
    ],
    [
      'descriptions of no rule',
      () => call('UpdateSecurityGroupRuleDescriptionsIngress', { GroupId, IpPermissions: [] }),
      'MissingParameter',
    ],
    [
      'descriptions of a rule and of one that there is not',
      () =>
        call('UpdateSecurityGroupRuleDescriptionsIngress', {
          GroupId,
          SecurityGroupRuleDescriptions: [first, 'sgr-0123456789abcdef0'].map((SecurityGroupRuleId) => ({
            SecurityGroupRuleId,
            Description: 'new',
          })),
        }),
      'InvalidPermission.NotFound',
    ],
    [
      'revoked ones, of which one there is not',
      () => call('RevokeSecurityGroupIngress', { GroupId, IpPermissions: [onPort(80), onPort(99)] }),
      'InvalidPermission.NotFound',
    ],
    [
      'an inward rule, revoked as an outward one',
      () => call('RevokeSecurityGroupEgress', { GroupId, SecurityGroupRuleIds: [first] }),
      'InvalidPermission.NotFound',
    ],
    [
      'a new one beside one that there is',
      () => call('AuthorizeSecurityGroupIngress', { GroupId, IpPermissions: [onPort(90), onPort(80)] }),
      'InvalidPermission.Duplicate',
    ],
    [
      'more than sixty',
      () => {
        const IpPermissions = Array.from({ length: 59 }, (_, index) => onPort(1_000 + index));
        return call('AuthorizeSecurityGroupIngress', { GroupId, IpPermissions });
      },
      'RulesPerSecurityGroupLimitExceeded',
    ],
  ])('%s', async (_, ask, answer) => {
    const before = await readRules();
    expect(await ask()).toBe(answer);
    expect(await readRules()).toEqual(before);
  });
});

test('sixty rules inward are not too many, whatever goes outward', async () => {
  const IpPermissions = Array.from({ length: 58 }, (_, index) => onPort(1_000 + index));
  expect(await call('AuthorizeSecurityGroupIngress', { GroupId, IpPermissions })).toMatchObject({ Return: true });
  expect((await readRules()).filter(({ IsEgress }) => !IsEgress)).toHaveLength(60);
});

test('a rule may be described by its id and by what it says in one request', async () => {
  const request = {
    GroupId,
    SecurityGroupRuleDescriptions: [{ SecurityGroupRuleId: first, Description: 'by id' }],
    IpPermissions: [onPort(80), onPort(81, { IpRanges: [{ CidrIp: '10.0.0.0/8', Description: 'by content' }] })],
  };
  expect(await call('UpdateSecurityGroupRuleDescriptionsIngress', request)).toEqual({ Return: true });
  const described = new Map((await readRules()).map((rule) => [rule.SecurityGroupRuleId, rule]));
  expect(described.get(first)).toMatchObject({ Description: 'by id' });
  expect(described.get(second)).toMatchObject({ Description: 'by content' });
});

/** A resource of each kind that there is not, and how EC2 says so. */
describe('tags of what there is not are refused by its kind', () => {
  test.each([
    ['acl', 'InvalidNetworkAclID.NotFound'],
    ['ami', 'InvalidAMIID.NotFound'],
    ['cr', 'InvalidCapacityReservationId.NotFound'],
    ['eigw', 'InvalidGatewayID.NotFound'],
    ['eipalloc', 'InvalidAllocationID.NotFound'],
    ['eni', 'InvalidNetworkInterfaceID.NotFound'],
    ['i', 'InvalidInstanceID.NotFound'],
    ['igw', 'InvalidInternetGatewayID.NotFound'],
    ['key', 'InvalidKeyPair.NotFound'],
    ['nat', 'NatGatewayNotFound'],
    ['rtb', 'InvalidRouteTableID.NotFound'],
    ['sg', 'InvalidGroup.NotFound'],
    ['sgr', 'InvalidSecurityGroupRuleId.NotFound'],
    ['subnet', 'InvalidSubnetID.NotFound'],
    ['vol', 'InvalidVolume.NotFound'],
    ['vpc', 'InvalidVpcID.NotFound'],
    ['vpce', 'InvalidVpcEndpointId.NotFound'],
  ])('%s', async (prefix, code) => {
    const Resources = [GroupId, `${prefix}-0123456789abcdef0`];
    const Tags = [{ Key: 'team', Value: 'red' }];
    expect(await refusalOf('CreateTags', { Resources, Tags })).toContain(code);
    expect(await call('DescribeTags', { Filters: [{ Name: 'resource-id', Values: [GroupId] }] })).toEqual({ Tags: [] });
  });
});
