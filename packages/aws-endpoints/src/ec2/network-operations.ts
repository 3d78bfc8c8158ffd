import type {
  DeleteSecurityGroupRequest,
  DeleteSecurityGroupResult,
  DeleteSubnetRequest,
  ModifySubnetAttributeRequest,
} from '@aws-sdk/client-ec2';
import { AwsError } from '../codec/aws-error.ts';
import {
  dependencyViolation,
  dryRunWouldSucceed,
  missingParameter,
  noSuchSecurityGroup,
  noSuchSubnet,
} from './errors.ts';
import type { Ec2Instance } from './instance.ts';
import type { Ec2 } from './model.ts';
import { isHolding } from './nat-gateways.ts';
import { forgetSubnetAcl } from './network-acls.ts';
import { forgetSubnetRoutes } from './route-table-operations.ts';
import { readRouting } from './read-routing.ts';
import { listEndpoints } from './vpc-endpoints.ts';
import { listGroupRules } from './security-group-rules.ts';

export function deleteSubnet(ec2: Ec2, { SubnetId: id, DryRun }: DeleteSubnetRequest): object {
  const { network } = ec2;
  if (id === undefined) throw missingParameter('SubnetId');
  if (!network.subnets.some((subnet) => subnet.id === id)) throw noSuchSubnet(id);
  const now = ec2.clock.now();
  const hasGateway = readRouting(network).natGateways.some((each) => each.subnetId === id && isHolding(each, now));
  const hasEndpoint = listEndpoints(network, now).some((each) => each.subnetIds.includes(id));
  const hasInterface = ec2.interfaces.all().some((each) => each.subnetId === id);
  if (hasGateway || hasEndpoint || hasInterface || living(ec2).some(({ settings }) => settings.subnetId === id))
    throw dependencyViolation('subnet', id);
  if (DryRun === true) throw dryRunWouldSucceed();
  forgetSubnetRoutes(ec2, id);
  network.subnets = network.subnets.filter((subnet) => subnet.id !== id);
  forgetSubnetAcl(network, id);
  ec2.tags.forget(id);
  ec2.keepNetwork();
  return {};
}

/** Changes attributes of a subnet: one in a call, as EC2 has it, or several. */
export function modifySubnetAttribute(ec2: Ec2, request: ModifySubnetAttributeRequest): object {
  const { network } = ec2;
  const { SubnetId: id = '' } = request;
  if (!network.subnets.some((subnet) => subnet.id === id)) throw noSuchSubnet(id);
  const { hostnames, ...changed } = readSubnetChanges(request);
  if (Object.keys({ ...hostnames, ...changed }).length === 0) throw missingParameter('MapPublicIpOnLaunch');
  network.subnets = network.subnets.map((subnet) => {
    if (subnet.id !== id) return subnet;
    const named = { ...subnet.changed?.hostnames, ...hostnames };
    return { ...subnet, changed: { ...subnet.changed, ...changed, hostnames: named } };
  });
  ec2.keepNetwork();
  return {};
}

const readSubnetChanges = ({
  MapPublicIpOnLaunch: maps,
  AssignIpv6AddressOnCreation: assigns,
  PrivateDnsHostnameTypeOnLaunch: HostnameType,
  EnableResourceNameDnsARecordOnLaunch: recordA,
  EnableResourceNameDnsAAAARecordOnLaunch: recordAaaa,
}: ModifySubnetAttributeRequest) => ({
  ...(maps?.Value !== undefined && { mapsPublicAddress: maps.Value }),
  ...(assigns?.Value !== undefined && { assignsIpv6: assigns.Value }),
  hostnames: {
    ...(HostnameType !== undefined && { HostnameType }),
    ...(recordA?.Value !== undefined && { EnableResourceNameDnsARecord: recordA.Value }),
    ...(recordAaaa?.Value !== undefined && { EnableResourceNameDnsAAAARecord: recordAaaa.Value }),
  },
});

export function deleteSecurityGroup(ec2: Ec2, request: DeleteSecurityGroupRequest): DeleteSecurityGroupResult {
  const { network } = ec2;
  const { GroupId, GroupName, DryRun } = request;
  if (GroupId === undefined && GroupName === undefined) throw missingParameter('GroupName or GroupId');
  const found = network.securityGroups.find(({ id, name }) =>
    GroupId === undefined ? name === GroupName : id === GroupId,
  );
  if (found === undefined) throw noSuchSecurityGroup(GroupId ?? GroupName ?? '');
  if (found.name === 'default')
    throw new AwsError(
      'CannotDelete',
      `the specified group: "${found.id}" name: "default" cannot be deleted by a user`,
    );
  const isUsed = living(ec2).some(({ settings, changed }) =>
    (changed?.securityGroupIds ?? settings.securityGroupIds).includes(found.id),
  );
  const isOnInterface = ec2.interfaces.all().some((each) => each.securityGroupIds.includes(found.id));
  const isNamed = network.securityGroups.some(
    (group) =>
      group !== found && listGroupRules(group).some(({ peer }) => peer.kind === 'group' && peer.value === found.id),
  );
  if (isUsed || isNamed || isOnInterface) throw dependencyViolation('security group', found.id);
  if (DryRun === true) throw dryRunWouldSucceed();
  network.securityGroups = network.securityGroups.filter((group) => group !== found);
  ec2.tags.forget(found.id);
  ec2.keepNetwork();
  return { Return: true, GroupId: found.id };
}

const living = ({ instances }: Ec2): readonly Ec2Instance[] =>
  instances.all().filter(({ state }) => state !== 'terminated');
