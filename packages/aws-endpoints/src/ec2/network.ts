import type { Random } from '@nodewright/runtime';
import { cidrText, parseCidr, type Cidr } from './cidr.ts';
import type { KeptNetworkAcl } from './network-acl.ts';
import type { Routing } from './routing.ts';
import type { SecurityGroupRule } from './security-group-rule.ts';
import type { TagBook, TagSet } from './tags.ts';
import type { AssociatedBlock, SubnetIpv6Block } from './vpc-blocks.ts';
import { type NamedZone, nameZones } from './zones.ts';

export type Ec2Subnet = {
  readonly id: string;
  readonly zone: string;
  readonly zoneId: string;
  readonly cidr: Cidr;
  readonly public: boolean;
  /** Absent where it is the VPC of the cluster. */
  readonly vpcId?: string;
  /** How many of its addresses are taken by what the account does not know. */
  readonly takenByOthers?: number;
  /** Absent without IPv6. */
  readonly ipv6?: SubnetIpv6Block;
  /** Attributes that changed. */
  readonly changed?: ChangedSubnetAttributes;
};

type ChangedSubnetAttributes = {
  readonly mapsPublicAddress?: boolean;
  readonly assignsIpv6?: boolean;
  readonly hostnames?: Partial<HostnameOptions>;
};

/** How instances of a subnet are named, in EC2's own form. */
export type HostnameOptions = {
  readonly HostnameType: 'ip-name' | 'resource-name';
  readonly EnableResourceNameDnsARecord: boolean;
  readonly EnableResourceNameDnsAAAARecord: boolean;
};

export const hostnamesOf = ({ changed }: Ec2Subnet): HostnameOptions => ({
  HostnameType: 'ip-name',
  EnableResourceNameDnsARecord: false,
  EnableResourceNameDnsAAAARecord: false,
  ...changed?.hostnames,
});

/** Whether instances of the subnet get a public address unless their launch says otherwise. */
export const mapsPublicAddress = (subnet: Ec2Subnet): boolean => subnet.changed?.mapsPublicAddress ?? subnet.public;

export type SecurityGroup = {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Absent where it is the VPC of the cluster. */
  readonly vpcId?: string;
  /** Absent in groups that were laid with a VPC, until a rule changes. */
  readonly rules?: readonly SecurityGroupRule[];
};

/** What ModifyVpcAttribute changes. */
export type VpcAttributes = {
  readonly dnsSupport: boolean;
  readonly dnsHostnames: boolean;
  readonly networkAddressUsageMetrics: boolean;
};

/** A VPC beside the one of the cluster. */
export type FurtherVpc = { readonly id: string; readonly cidr: Cidr; readonly tenancy: string };

/** The cluster's VPC: a public and a private subnet per zone, and the groups of its nodes; and what was created beside it. */
export type Network = {
  readonly vpcId: string;
  readonly cidr: Cidr;
  /** Whether it is the default VPC of its region, in which no cluster is. */
  readonly isDefault?: boolean;
  readonly zones: readonly NamedZone[];
  /** Of all VPCs. */
  subnets: readonly Ec2Subnet[];
  securityGroups: readonly SecurityGroup[];
  furtherVpcs?: readonly FurtherVpc[];
  /** Blocks of addresses beside the first one of each VPC. */
  vpcBlocks?: readonly AssociatedBlock[];
  /** What was changed, by the ids of the VPCs. */
  vpcAttributes?: Readonly<Record<string, VpcAttributes>>;
  /** The network ACLs that users created, and the default ACLs that users changed. */
  networkAcls?: readonly KeptNetworkAcl[];
  /** Gateways and routes, once one of them changed. */
  routing?: Routing;
};

type NetworkPlace = { readonly clusterName: string; readonly region: string; readonly zones: readonly string[] };

/** Lays the network out as eksctl does, and tags it so that node classes find it. */
export function layNetwork(
  { clusterName, region, zones }: NetworkPlace,
  { random, tags }: { random: Random; tags: TagBook },
): Network {
  const cidr = parseCidr('192.168.0.0/16');
  const named = nameZones(region, zones);
  const network: Network = {
    vpcId: `vpc-0${random.hex(16)}`,
    cidr,
    zones: named,
    subnets: layers.flatMap((layer, row) =>
      named.map(({ name, id }, at) => ({
        id: `subnet-0${random.hex(16)}`,
        zone: name,
        zoneId: id,
        cidr: blockOf(cidr, { number: row * zones.length + at, blocks: layers.length * zones.length }),
        public: layer === 'Public',
      })),
    ),
    securityGroups: [...clusterSecurityGroups(clusterName, random), layDefaultGroup(random)],
  };
  tagNetwork(network, { clusterName, tags });
  return network;
}

const layers = ['Public', 'Private'] as const;

/** Blocks are /19, or smaller where there are more than eight. */
function blockOf(vpc: Cidr, { number, blocks }: { number: number; blocks: number }): Cidr {
  const bits = Math.max(19, vpc.bits + Math.ceil(Math.log2(blocks)));
  return { base: vpc.base + number * 2 ** (32 - bits), bits };
}

const clusterSecurityGroups = (clusterName: string, random: Random): readonly SecurityGroup[] => [
  {
    id: `sg-0${random.hex(16)}`,
    name: `eksctl-${clusterName}-cluster-ClusterSharedNodeSecurityGroup`,
    description: 'Communication between all nodes in the cluster',
  },
  {
    id: `sg-0${random.hex(16)}`,
    name: `eks-cluster-sg-${clusterName}`,
    description: 'EKS created security group applied to ENI that is attached to EKS Control Plane master nodes',
  },
];

/** The group of instances that are launched without one. Every VPC has it. */
const layDefaultGroup = (random: Random): SecurityGroup => ({
  id: `sg-0${random.hex(16)}`,
  name: 'default',
  description: 'default VPC security group',
});

/** Lays out the default VPC that every region of an account has: a public subnet per zone. */
export function layDefaultNetwork(
  { region, zones }: Pick<NetworkPlace, 'region' | 'zones'>,
  { random }: { readonly random: Random },
): Network {
  const cidr = parseCidr('172.31.0.0/16');
  const named = nameZones(region, zones);
  return {
    vpcId: `vpc-0${random.hex(16)}`,
    cidr,
    isDefault: true,
    zones: named,
    subnets: named.map(({ name, id }, at) => ({
      id: `subnet-0${random.hex(16)}`,
      zone: name,
      zoneId: id,
      cidr: { base: cidr.base + at * 2 ** 12, bits: 20 },
      public: true,
    })),
    securityGroups: [layDefaultGroup(random)],
  };
}

function tagNetwork(
  { vpcId, subnets, securityGroups }: Network,
  { clusterName, tags }: { clusterName: string; tags: TagBook },
): void {
  const found: TagSet = {
    'alpha.eksctl.io/cluster-name': clusterName,
    'karpenter.sh/discovery': clusterName,
    [`kubernetes.io/cluster/${clusterName}`]: 'owned',
  };
  tags.add(vpcId, { ...found, Name: `eksctl-${clusterName}-cluster/VPC` });
  for (const subnet of subnets) {
    const layer = subnet.public ? 'Public' : 'Private';
    const role = subnet.public ? 'kubernetes.io/role/elb' : 'kubernetes.io/role/internal-elb';
    const name = `eksctl-${clusterName}-cluster/Subnet${layer}${subnet.zone.replaceAll('-', '').toUpperCase()}`;
    tags.add(subnet.id, { ...found, [role]: '1', Name: name });
  }
  for (const { id, name } of securityGroups) if (name !== 'default') tags.add(id, { ...found, Name: name });
}

export const subnetCidr = (subnet: Ec2Subnet): string => cidrText(subnet.cidr);
