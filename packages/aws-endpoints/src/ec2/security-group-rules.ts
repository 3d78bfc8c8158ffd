import type { IpPermission } from '@aws-sdk/client-ec2';
import { derivedId } from './derived-ids.ts';
import type { Ec2 } from './model.ts';
import type { SecurityGroup } from './network.ts';
import type { RuleDirection, SecurityGroupRule } from './security-group-rule.ts';

/** What EC2 gives a new group: everything may go out. */
const anyOutside: SecurityGroupRule = {
  direction: 'egress',
  protocol: '-1',
  peer: { kind: 'cidr', value: '0.0.0.0/0' },
};

/** Lists the rules of a group. Groups that were laid with the network also let their members reach each other. */
export const listGroupRules = ({ id, rules }: SecurityGroup): readonly SecurityGroupRule[] =>
  rules ?? [{ direction: 'ingress', protocol: '-1', peer: { kind: 'group', value: id } }, anyOutside];

/** The rules of a new group: in a VPC with addresses of IPv6, those may be reached, too. */
export const listNewGroupRules = (hasIpv6: boolean): readonly SecurityGroupRule[] =>
  hasIpv6 ? [anyOutside, { ...anyOutside, peer: { kind: 'cidr6', value: '::/0' } }] : [anyOutside];

/** Returns what tells rules of a group apart: two equal ones are the same rule. */
export const identifyRule = ({ direction, protocol, fromPort, toPort, peer }: SecurityGroupRule): string =>
  JSON.stringify([direction, protocol, fromPort, toPort, peer.kind, peer.value]);

export const ruleIdOf = (groupId: string, rule: SecurityGroupRule): string =>
  rule.id ?? derivedId('sgr', groupId, identifyRule(rule));

/** Writes the rules of one direction as a group has them: rules of the same protocol and ports together. */
export function writePermissions(ec2: Ec2, group: SecurityGroup, direction: RuleDirection): IpPermission[] {
  const permissions = new Map<string, IpPermission>();
  for (const rule of listGroupRules(group).filter((each) => each.direction === direction)) {
    const key = JSON.stringify([rule.protocol, rule.fromPort, rule.toPort]);
    const known = permissions.get(key) ?? newPermission(rule);
    permissions.set(key, addPeer(ec2, known, rule));
  }
  return [...permissions.values()];
}

const newPermission = ({ protocol, fromPort, toPort }: SecurityGroupRule): IpPermission => ({
  IpProtocol: protocol,
  ...(fromPort !== undefined && { FromPort: fromPort }),
  ...(toPort !== undefined && { ToPort: toPort }),
  IpRanges: [],
  Ipv6Ranges: [],
  PrefixListIds: [],
  UserIdGroupPairs: [],
});

function addPeer({ account }: Ec2, permission: IpPermission, { peer, description }: SecurityGroupRule): IpPermission {
  const words = description === undefined ? {} : { Description: description };
  const { IpRanges = [], Ipv6Ranges = [], PrefixListIds = [], UserIdGroupPairs = [] } = permission;
  switch (peer.kind) {
    case 'cidr':
      return { ...permission, IpRanges: [...IpRanges, { CidrIp: peer.value, ...words }] };
    case 'cidr6':
      return { ...permission, Ipv6Ranges: [...Ipv6Ranges, { CidrIpv6: peer.value, ...words }] };
    case 'prefix-list':
      return { ...permission, PrefixListIds: [...PrefixListIds, { PrefixListId: peer.value, ...words }] };
    case 'group':
      return {
        ...permission,
        UserIdGroupPairs: [...UserIdGroupPairs, { GroupId: peer.value, UserId: account.id, ...words }],
      };
  }
}
