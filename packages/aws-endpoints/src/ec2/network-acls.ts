import { derivedId } from './derived-ids.ts';
import type { KeptNetworkAcl, NetworkAclRule } from './network-acl.ts';
import type { Ec2Subnet, Network } from './network.ts';
import { isIpv6Text } from './vpc-blocks.ts';
import { listVpcs, vpcIdOf, type VpcEntry } from './vpcs.ts';

export const defaultAclId = (vpcId: string): string => derivedId('acl', vpcId);

export const isDefaultAcl = ({ id, vpcId }: KeptNetworkAcl): boolean => id === defaultAclId(vpcId);

/**
 * Lists every network ACL: the default ACL of each VPC, and the ACLs that users created. A default ACL allows all traffic until
 * a user changes it.
 */
export function listNetworkAcls(network: Network): readonly KeptNetworkAcl[] {
  const { networkAcls: kept = [] } = network;
  const untouched = listVpcs(network)
    .map((vpc): KeptNetworkAcl => ({ id: defaultAclId(vpc.id), vpcId: vpc.id, rules: allowAll(vpc), subnetIds: [] }))
    .filter(({ id }) => !kept.some((acl) => acl.id === id));
  return [...untouched, ...kept];
}

const bothWays = [true, false];

const allowAll = (vpc: VpcEntry): readonly NetworkAclRule[] =>
  anyAddresses(vpc).flatMap((block, at) =>
    bothWays.map((egress) => ({ number: 100 + at, egress, protocol: '-1', action: 'allow' as const, block })),
  );

/** EC2 shows rules for IPv6 where the VPC has such a block. */
const anyAddresses = (vpc: VpcEntry | undefined): readonly string[] =>
  vpc?.blocks.some(({ text }) => isIpv6Text(text)) === true ? ['0.0.0.0/0', '::/0'] : ['0.0.0.0/0'];

/** EC2 ends every ACL with these rules: they deny what no other rule allows, and users cannot change them. */
export const lastRules = (vpc: VpcEntry | undefined): readonly NetworkAclRule[] =>
  anyAddresses(vpc).flatMap((block, at) =>
    bothWays.map((egress) => ({ number: 32_767 + at, egress, protocol: '-1', action: 'deny' as const, block })),
  );

/** Returns the subnets that an ACL is in force for. */
export function listSubnetsOfAcl(network: Network, acl: KeptNetworkAcl): readonly Ec2Subnet[] {
  const ofVpc = network.subnets.filter((subnet) => vpcIdOf(network, subnet) === acl.vpcId);
  if (!isDefaultAcl(acl)) return ofVpc.filter(({ id }) => acl.subnetIds.includes(id));
  const given = new Set(
    (network.networkAcls ?? []).filter((each) => !isDefaultAcl(each)).flatMap(({ subnetIds }) => subnetIds),
  );
  return ofVpc.filter(({ id }) => !given.has(id));
}

/** The id of the association of a subnet with an ACL. Another ACL makes it another association. */
export const aclAssociationId = (aclId: string, subnetId: string): string => derivedId('aclassoc', aclId, subnetId);

/** A subnet that goes leaves its ACL. */
export function forgetSubnetAcl(network: Network, subnetId: string): void {
  if (network.networkAcls === undefined) return;
  network.networkAcls = network.networkAcls.map((acl) => ({
    ...acl,
    subnetIds: acl.subnetIds.filter((id) => id !== subnetId),
  }));
}
