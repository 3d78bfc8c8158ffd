import {
  AuthorizeSecurityGroupEgress$,
  AuthorizeSecurityGroupIngress$,
  CreateSecurityGroup$,
  DeleteSecurityGroup$,
  DescribeSecurityGroupRules$,
  DescribeSecurityGroups$,
  ModifySecurityGroupRules$,
  RevokeSecurityGroupEgress$,
  RevokeSecurityGroupIngress$,
  UpdateSecurityGroupRuleDescriptionsEgress$,
  UpdateSecurityGroupRuleDescriptionsIngress$,
} from '@aws-sdk/client-ec2';
import type { AwsOperation } from '../service.ts';
import { describeSecurityGroups } from './describe-network.ts';
import type { Ec2 } from './model.ts';
import { deleteSecurityGroup } from './network-operations.ts';
import { operationKinds } from './operation-kinds.ts';
import {
  authorizeEgress,
  authorizeIngress,
  createSecurityGroup,
  describeSecurityGroupRules,
  revokeEgress,
  revokeIngress,
} from './security-group-operations.ts';
import {
  changeSecurityGroupRules,
  updateEgressDescriptions,
  updateIngressDescriptions,
} from './security-group-rule-changes.ts';

/** The calls about security groups and their rules. */
export function listSecurityGroupCalls(ec2: Ec2): readonly AwsOperation[] {
  const { read, write } = operationKinds(ec2);
  return [
    write(AuthorizeSecurityGroupEgress$, authorizeEgress),
    write(AuthorizeSecurityGroupIngress$, authorizeIngress),
    write(CreateSecurityGroup$, createSecurityGroup),
    write(DeleteSecurityGroup$, deleteSecurityGroup),
    read(DescribeSecurityGroupRules$, describeSecurityGroupRules),
    read(DescribeSecurityGroups$, describeSecurityGroups),
    write(ModifySecurityGroupRules$, changeSecurityGroupRules),
    write(RevokeSecurityGroupEgress$, revokeEgress),
    write(RevokeSecurityGroupIngress$, revokeIngress),
    write(UpdateSecurityGroupRuleDescriptionsEgress$, updateEgressDescriptions),
    write(UpdateSecurityGroupRuleDescriptionsIngress$, updateIngressDescriptions),
  ];
}
