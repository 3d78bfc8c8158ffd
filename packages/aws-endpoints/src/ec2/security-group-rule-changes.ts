import type {
  IpPermission,
  ModifySecurityGroupRulesRequest,
  SecurityGroupRuleRequest,
  UpdateSecurityGroupRuleDescriptionsIngressRequest,
} from '@aws-sdk/client-ec2';
import { AwsError } from '../codec/aws-error.ts';
import { dryRunWouldSucceed, invalidCombination, invalidValue, missingParameter, noSuchGroupRule } from './errors.ts';
import type { Ec2 } from './model.ts';
import type { RuleDirection, SecurityGroupRule } from './security-group-rule.ts';
import {
  duplicateRule,
  findSecurityGroup,
  type GroupRuleRequest,
  keepGroupRules,
  readRequestedRules,
  readRulesOfPermission,
} from './security-group-operations.ts';
import { identifyRule, listGroupRules, ruleIdOf } from './security-group-rules.ts';

/** Changes what rules say. They keep their ids. */
export function changeSecurityGroupRules(ec2: Ec2, request: ModifySecurityGroupRulesRequest): object {
  const group = findSecurityGroup(ec2, request);
  const changes = request.SecurityGroupRules ?? [];
  if (changes.length === 0) throw missingParameter('SecurityGroupRule');
  const rules = listGroupRules(group);
  for (const { SecurityGroupRuleId: id = '' } of changes)
    if (!rules.some((rule) => ruleIdOf(group.id, rule) === id)) throw noSuchGroupRule(id);
  const changed = rules.map((rule) => {
    const id = ruleIdOf(group.id, rule);
    const change = changes.find(({ SecurityGroupRuleId }) => SecurityGroupRuleId === id)?.SecurityGroupRule;
    return change === undefined ? rule : { ...readChangedRule(ec2, change, rule.direction), id };
  });
  refuseRepeatedRule(changed);
  if (request.DryRun === true) throw dryRunWouldSucceed();
  keepGroupRules(ec2, group, changed);
  return { Return: true };
}

/** @throws AwsError for a rule that says what another one says */
function refuseRepeatedRule(rules: readonly SecurityGroupRule[]): void {
  const seen = new Set<string>();
  for (const rule of rules) {
    if (seen.has(identifyRule(rule))) throw duplicateRule(rule);
    seen.add(identifyRule(rule));
  }
}

function readChangedRule(ec2: Ec2, change: SecurityGroupRuleRequest, direction: RuleDirection): SecurityGroupRule {
  const { IpProtocol, FromPort, ToPort, Description } = change;
  if (IpProtocol === undefined)
    throw invalidValue(
      "Invalid value 'null' for protocol. VPC security group rules must specify protocols explicitly.",
    );
  const peers = [change.CidrIpv4, change.CidrIpv6, change.PrefixListId, change.ReferencedGroupId];
  if (peers.filter((peer) => peer !== undefined).length > 1)
    throw invalidCombination('Only one of cidrIp, cidrIpv6, prefixListId, or referencedGroupId can be specified');
  const words = Description === undefined ? {} : { Description };
  const permission: IpPermission = {
    IpProtocol,
    FromPort,
    ToPort,
    ...(change.CidrIpv4 !== undefined && { IpRanges: [{ CidrIp: change.CidrIpv4, ...words }] }),
    ...(change.CidrIpv6 !== undefined && { Ipv6Ranges: [{ CidrIpv6: change.CidrIpv6, ...words }] }),
    ...(change.PrefixListId !== undefined && { PrefixListIds: [{ PrefixListId: change.PrefixListId, ...words }] }),
    ...(change.ReferencedGroupId !== undefined && {
      UserIdGroupPairs: [{ GroupId: change.ReferencedGroupId, ...words }],
    }),
  };
  const [rule] = readRulesOfPermission(ec2, permission, direction);
  if (rule === undefined)
    throw new AwsError(
      'MissingParameter',
      'The request must contain exactly one of: cidrIp, cidrIpv6, prefixListId, or referencedGroupId',
    );
  return rule;
}

type DescriptionRequest = UpdateSecurityGroupRuleDescriptionsIngressRequest;

export const updateIngressDescriptions = (ec2: Ec2, request: DescriptionRequest): object =>
  updateDescriptions(ec2, request, 'ingress');

export const updateEgressDescriptions = (ec2: Ec2, request: DescriptionRequest): object =>
  updateDescriptions(ec2, request, 'egress');

/** Describes rules anew, by their ids or by what they say. A rule without a new description has none afterwards. */
function updateDescriptions(ec2: Ec2, request: DescriptionRequest, direction: RuleDirection): object {
  const group = findSecurityGroup(ec2, request);
  const byId = new Map(
    (request.SecurityGroupRuleDescriptions ?? []).map(({ SecurityGroupRuleId: id = '', Description }) => [
      id,
      Description,
    ]),
  );
  const asked = readRequestedRules(ec2, request as GroupRuleRequest, direction);
  const byContent = new Map(asked.map((rule) => [identifyRule(rule), rule.description]));
  if (byId.size + byContent.size === 0) throw missingParameter('ipPermissions');
  const rules = listGroupRules(group);
  const isNamed = (rule: SecurityGroupRule): boolean =>
    byId.has(ruleIdOf(group.id, rule)) || byContent.has(identifyRule(rule));
  const [ids, contents] = [rules.map((rule) => ruleIdOf(group.id, rule)), rules.map(identifyRule)];
  if (
    [...byId.keys()].some((id) => !ids.includes(id)) ||
    [...byContent.keys()].some((each) => !contents.includes(each))
  )
    throw new AwsError('InvalidPermission.NotFound', 'The specified rule does not exist in this security group.');
  if (request.DryRun === true) throw dryRunWouldSucceed();
  const changed = rules.map((rule) => {
    if (!isNamed(rule)) return rule;
    const { description: _before, ...rest } = rule;
    const description = byId.get(ruleIdOf(group.id, rule)) ?? byContent.get(identifyRule(rule));
    return description === undefined ? rest : { ...rest, description };
  });
  keepGroupRules(ec2, group, changed);
  return { Return: true };
}
