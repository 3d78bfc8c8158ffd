import type {
  AuthorizeSecurityGroupEgressRequest,
  AuthorizeSecurityGroupIngressRequest,
  AuthorizeSecurityGroupIngressResult,
  CreateSecurityGroupRequest,
  CreateSecurityGroupResult,
  DescribeSecurityGroupRulesRequest,
  DescribeSecurityGroupRulesResult,
  IpPermission,
  RevokeSecurityGroupIngressRequest,
  RevokeSecurityGroupIngressResult,
  SecurityGroupRule as WireRule,
} from '@aws-sdk/client-ec2';
import { arnOf } from '../account.ts';
import { AwsError } from '../codec/aws-error.ts';
import { takePage } from '../paging.ts';
import {
  dryRunWouldSucceed,
  ec2BadToken,
  invalidValue,
  missingParameter,
  noSuchGroupRule,
  noSuchSecurityGroup,
  noSuchVpc,
} from './errors.ts';
import { isPrefixList, noSuchPrefixList } from './describe-prefix-lists.ts';
import { applyFilters } from './filters.ts';
import type { Ec2 } from './model.ts';
import type { SecurityGroup } from './network.ts';
import { readIpv6Block } from './ipv6-block.ts';
import { parseRecordPaths } from './record-paths.ts';
import type { RuleDirection, SecurityGroupRule } from './security-group-rule.ts';
import { identifyRule, listGroupRules, listNewGroupRules, ruleIdOf } from './security-group-rules.ts';
import { checkTagSpecifications } from './tag-rules.ts';
import { readTagSpecifications, writeEc2Tags } from './tags.ts';
import { listIpv6Blocks } from './vpc-blocks.ts';
import { findVpc, vpcIdOf } from './vpcs.ts';

const groupText = /^[a-zA-Z0-9 ._\-:/()#,@[\]+=&;{}!$*]{1,255}$/;

export function createSecurityGroup(ec2: Ec2, request: CreateSecurityGroupRequest): CreateSecurityGroupResult {
  const { network, account, random, tags } = ec2;
  const { GroupName: name = '', Description: description = '', VpcId = network.vpcId, DryRun } = request;
  if (name === '') throw missingParameter('GroupName');
  if (description === '') throw missingParameter('GroupDescription');
  const vpc = findVpc(network, VpcId);
  if (vpc === undefined) throw noSuchVpc(VpcId);
  if (name === 'default') throw invalidValue(`Cannot use reserved security group name: ${name}`);
  if (!groupText.test(name) || name.startsWith('sg-'))
    throw invalidValue(
      `Value (${name}) for parameter GroupName is invalid. Character sets beyond ASCII are not supported.`,
    );
  if (!groupText.test(description))
    throw invalidValue(`Value (${description}) for parameter GroupDescription is invalid.`);
  checkTagSpecifications(request.TagSpecifications, ['security-group']);
  if (network.securityGroups.some((group) => group.name === name && vpcIdOf(network, group) === VpcId))
    throw new AwsError('InvalidGroup.Duplicate', `The security group '${name}' already exists for VPC '${VpcId}'`);
  if (DryRun === true) throw dryRunWouldSucceed();
  const place = VpcId === network.vpcId ? {} : { vpcId: VpcId };
  const hasIpv6 = listIpv6Blocks(vpc.blocks).length > 0;
  const group = { id: `sg-0${random.hex(16)}`, name, description, ...place, rules: listNewGroupRules(hasIpv6) };
  network.securityGroups = [...network.securityGroups, group];
  tags.add(group.id, readTagSpecifications('security-group', request.TagSpecifications));
  ec2.keepNetwork();
  return {
    GroupId: group.id,
    SecurityGroupArn: arnOf(account, 'ec2', `security-group/${group.id}`),
    Tags: writeEc2Tags(tags.of(group.id)),
  };
}

/** The members of requests for rules: permissions, or the members of one of them beside the group. */
export type GroupRuleRequest = AuthorizeSecurityGroupIngressRequest & AuthorizeSecurityGroupEgressRequest;

export const authorizeIngress = (
  ec2: Ec2,
  request: AuthorizeSecurityGroupIngressRequest,
): AuthorizeSecurityGroupIngressResult => authorize(ec2, request as GroupRuleRequest, 'ingress');

export const authorizeEgress = (
  ec2: Ec2,
  request: AuthorizeSecurityGroupEgressRequest,
): AuthorizeSecurityGroupIngressResult => authorize(ec2, request, 'egress');

function authorize(ec2: Ec2, request: GroupRuleRequest, direction: RuleDirection): AuthorizeSecurityGroupIngressResult {
  const group = findSecurityGroup(ec2, request);
  const rules = readRequestedRules(ec2, request, direction);
  if (rules.length === 0) throw missingParameter('ipPermissions');
  checkTagSpecifications(request.TagSpecifications, ['security-group-rule']);
  if (new Set(rules.map(identifyRule)).size < rules.length)
    throw invalidValue('The same permission must not appear multiple times');
  const known = new Set(listGroupRules(group).map(identifyRule));
  const twice = rules.find((rule) => known.has(identifyRule(rule)));
  if (twice !== undefined) throw duplicateRule(twice);
  checkRuleCount(group, rules, direction);
  if (request.DryRun === true) throw dryRunWouldSucceed();
  keepGroupRules(ec2, group, [...listGroupRules(group), ...rules]);
  const tags = readTagSpecifications('security-group-rule', request.TagSpecifications);
  for (const rule of rules) ec2.tags.add(ruleIdOf(group.id, rule), tags);
  return { Return: true, SecurityGroupRules: rules.map((rule) => writeRule(ec2, group, rule)) };
}

/** EC2's quota of rules of a group in each direction. */
const mostRules = 60;

function checkRuleCount(group: SecurityGroup, added: readonly SecurityGroupRule[], direction: RuleDirection): void {
  const before = listGroupRules(group).filter((rule) => rule.direction === direction);
  if (before.length + added.length > mostRules)
    throw new AwsError(
      'RulesPerSecurityGroupLimitExceeded',
      'The maximum number of rules per security group has been reached.',
    );
}

export const duplicateRule = ({ peer, protocol, fromPort, toPort }: SecurityGroupRule): AwsError => {
  const ports = fromPort === undefined ? '' : `, from port: ${fromPort}, to port: ${toPort}`;
  const what = protocol === '-1' ? 'ALL' : `${protocol.toUpperCase()}${ports}`;
  return new AwsError(
    'InvalidPermission.Duplicate',
    `the specified rule "peer: ${peer.value}, ${what}, ALLOW" already exists`,
  );
};

export const revokeIngress = (ec2: Ec2, request: RevokeSecurityGroupIngressRequest): RevokeSecurityGroupIngressResult =>
  revoke(ec2, request, 'ingress');

export const revokeEgress = (ec2: Ec2, request: RevokeSecurityGroupIngressRequest): RevokeSecurityGroupIngressResult =>
  revoke(ec2, request, 'egress');

function revoke(
  ec2: Ec2,
  request: RevokeSecurityGroupIngressRequest,
  direction: RuleDirection,
): RevokeSecurityGroupIngressResult {
  const group = findSecurityGroup(ec2, request);
  const { SecurityGroupRuleIds: ids } = request;
  const rules = listGroupRules(group);
  const asked =
    ids === undefined
      ? readRequestedRules(ec2, request as GroupRuleRequest, direction).map(identifyRule)
      : rules
          .filter((rule) => rule.direction === direction && ids.includes(ruleIdOf(group.id, rule)))
          .map(identifyRule);
  const gone = new Set(asked);
  const left = rules.filter((rule) => !gone.has(identifyRule(rule)));
  if (rules.length - left.length < Math.max(1, ids?.length ?? gone.size))
    throw new AwsError('InvalidPermission.NotFound', 'The specified rule does not exist in this security group.');
  if (request.DryRun === true) throw dryRunWouldSucceed();
  const revoked = rules.filter((rule) => !left.includes(rule));
  const RevokedSecurityGroupRules = revoked.map((rule) => {
    const { GroupOwnerId: _owner, SecurityGroupRuleArn: _arn, Tags: _tags, ...written } = writeRule(ec2, group, rule);
    const { ReferencedGroupInfo: referred, ...told } = written;
    return { ...told, ...(referred?.GroupId !== undefined && { ReferencedGroupId: referred.GroupId }) };
  });
  for (const rule of revoked) ec2.tags.forget(ruleIdOf(group.id, rule));
  keepGroupRules(ec2, group, left);
  return { Return: true, RevokedSecurityGroupRules };
}

export function findSecurityGroup(
  { network }: Ec2,
  { GroupId, GroupName }: { GroupId?: string | undefined; GroupName?: string | undefined },
): SecurityGroup {
  if (GroupId === undefined && GroupName === undefined) throw missingParameter('groupName or groupId');
  const found = network.securityGroups.find(({ id, name }) =>
    GroupId === undefined ? name === GroupName : id === GroupId,
  );
  if (found === undefined) throw noSuchSecurityGroup(GroupId ?? GroupName ?? '');
  return found;
}

export function keepGroupRules(ec2: Ec2, group: SecurityGroup, rules: readonly SecurityGroupRule[]): void {
  const { network } = ec2;
  network.securityGroups = network.securityGroups.map((each) => (each.id === group.id ? { ...each, rules } : each));
  ec2.keepNetwork();
}

export function readRequestedRules(
  ec2: Ec2,
  request: GroupRuleRequest,
  direction: RuleDirection,
): readonly SecurityGroupRule[] {
  const { IpProtocol, FromPort, ToPort, CidrIp } = request;
  const single: readonly IpPermission[] =
    IpProtocol === undefined
      ? []
      : [{ IpProtocol, FromPort, ToPort, IpRanges: CidrIp === undefined ? [] : [{ CidrIp }] }];
  return [...(request.IpPermissions ?? []), ...single].flatMap((permission) =>
    readRulesOfPermission(ec2, permission, direction),
  );
}

export function readRulesOfPermission(
  ec2: Ec2,
  permission: IpPermission,
  direction: RuleDirection,
): readonly SecurityGroupRule[] {
  const { FromPort: fromPort, ToPort: toPort } = permission;
  const protocol = protocolNames.get(permission.IpProtocol ?? '-1') ?? permission.IpProtocol ?? '-1';
  if (protocol !== '-1' && (fromPort === undefined || toPort === undefined || toPort < fromPort) && hasPorts(protocol))
    throw invalidValue(`Invalid value for portRange. Must specify both from and to ports with TCP/UDP.`);
  const wrongPort = [fromPort, toPort].find((port = 0) => hasPorts(protocol) && (port < 0 || port > highestPort));
  if (wrongPort !== undefined)
    throw invalidValue(`Invalid value '${wrongPort}' for portRange. Ports are from 0 to ${highestPort}.`);
  const ports = protocol === '-1' || fromPort === undefined || toPort === undefined ? {} : { fromPort, toPort };
  const rule = { direction, protocol, ...ports };
  const describe = (Description: string | undefined) => (Description === undefined ? {} : { description: Description });
  const unknown = permission.UserIdGroupPairs?.find(
    ({ GroupId }) => !ec2.network.securityGroups.some(({ id }) => id === GroupId),
  );
  if (unknown !== undefined) throw noSuchSecurityGroup(unknown.GroupId ?? '');
  const unknownList = permission.PrefixListIds?.find(({ PrefixListId = '' }) => !isPrefixList(ec2, PrefixListId));
  if (unknownList !== undefined) throw noSuchPrefixList(unknownList.PrefixListId ?? '');
  return [
    ...(permission.IpRanges ?? []).map(({ CidrIp = '', Description }) => ({
      ...rule,
      peer: { kind: 'cidr' as const, value: checkCidr(CidrIp) },
      ...describe(Description),
    })),
    ...(permission.Ipv6Ranges ?? []).map(({ CidrIpv6 = '', Description }) => ({
      ...rule,
      peer: { kind: 'cidr6' as const, value: checkIpv6Cidr(CidrIpv6) },
      ...describe(Description),
    })),
    ...(permission.PrefixListIds ?? []).map(({ PrefixListId = '', Description }) => ({
      ...rule,
      peer: { kind: 'prefix-list' as const, value: PrefixListId },
      ...describe(Description),
    })),
    ...(permission.UserIdGroupPairs ?? []).map(({ GroupId = '', Description }) => ({
      ...rule,
      peer: { kind: 'group' as const, value: GroupId },
      ...describe(Description),
    })),
  ];
}

const protocolNames: ReadonlyMap<string, string> = new Map([
  ['6', 'tcp'],
  ['17', 'udp'],
  ['1', 'icmp'],
  ['all', '-1'],
]);

const highestPort = 65_535;

const hasPorts = (protocol: string): boolean => protocol === 'tcp' || protocol === 'udp';

function checkCidr(cidr: string): string {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})\/(\d{1,2})$/.exec(cidr);
  const isValid = match?.slice(1, 5).every((octet) => Number(octet) <= 255) === true && Number(match[5]) <= 32;
  if (!isValid) throw invalidValue(`CIDR block ${cidr} is malformed`);
  return cidr;
}

function checkIpv6Cidr(cidr: string): string {
  if (readIpv6Block(cidr) === undefined) throw invalidValue(`CIDR block ${cidr} is malformed`);
  return cidr;
}

const rulePaths = parseRecordPaths(`
  group-id GroupId
  security-group-rule-id SecurityGroupRuleId
`);

export function describeSecurityGroupRules(
  ec2: Ec2,
  request: DescribeSecurityGroupRulesRequest,
): DescribeSecurityGroupRulesResult {
  const rules = ec2.network.securityGroups.flatMap((group) =>
    listGroupRules(group).map((rule) => writeRule(ec2, group, rule)),
  );
  const { SecurityGroupRuleIds: ids = [] } = request;
  checkFilteredGroups(request);
  const missing = ids.find((id) => !rules.some(({ SecurityGroupRuleId }) => SecurityGroupRuleId === id));
  if (missing !== undefined) throw noSuchGroupRule(missing);
  const asked = rules.filter(({ SecurityGroupRuleId: id = '' }) => ids.length === 0 || ids.includes(id));
  const found = applyFilters(asked, request.Filters, {
    records: { write: (rule) => rule, paths: rulePaths },
    attributes: {},
    tags: ({ SecurityGroupRuleId: id = '' }) => ec2.tags.of(id),
  });
  const { items, next } = takePage(found, { size: request.MaxResults, token: request.NextToken, refuse: ec2BadToken });
  return { SecurityGroupRules: [...items], ...(next && { NextToken: next }) };
}

/** Of all filters this one minds the form of its values. @throws AwsError `InvalidGroupId.Malformed` */
function checkFilteredGroups({ Filters = [] }: DescribeSecurityGroupRulesRequest): void {
  const asked = Filters.flatMap(({ Name, Values = [] }) => (Name === 'group-id' ? Values : []));
  const malformed = asked.find((id) => !/^sg-|[*?]/.test(id));
  if (malformed !== undefined)
    throw new AwsError('InvalidGroupId.Malformed', `The security group ID '${malformed}' is malformed`);
}

function writeRule({ account, network, tags }: Ec2, group: SecurityGroup, rule: SecurityGroupRule): WireRule {
  const id = ruleIdOf(group.id, rule);
  return {
    SecurityGroupRuleId: id,
    SecurityGroupRuleArn: arnOf(account, 'ec2', `security-group-rule/${id}`),
    GroupId: group.id,
    GroupOwnerId: account.id,
    IsEgress: rule.direction === 'egress',
    IpProtocol: rule.protocol,
    FromPort: rule.fromPort ?? -1,
    ToPort: rule.toPort ?? -1,
    ...(rule.description !== undefined && { Description: rule.description }),
    ...(rule.peer.kind === 'cidr' && { CidrIpv4: rule.peer.value }),
    ...(rule.peer.kind === 'cidr6' && { CidrIpv6: rule.peer.value }),
    ...(rule.peer.kind === 'prefix-list' && { PrefixListId: rule.peer.value }),
    ...(rule.peer.kind === 'group' && {
      ReferencedGroupInfo: { GroupId: rule.peer.value, UserId: account.id, VpcId: vpcIdOf(network, group) },
    }),
    Tags: writeEc2Tags(tags.of(id)),
  };
}
