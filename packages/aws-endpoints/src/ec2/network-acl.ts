/** A rule of a network ACL. Those for one direction are asked in the order of their numbers. */
export type NetworkAclRule = {
  /** 1 to 32766; the last rules, which deny what is left, come after those. */
  readonly number: number;
  readonly egress: boolean;
  /** The number of the protocol; `-1` means all. */
  readonly protocol: string;
  readonly action: 'allow' | 'deny';
  /** A block of IPv4 or IPv6 addresses. */
  readonly block: string;
  readonly ports?: { readonly from: number; readonly to: number };
  readonly icmp?: { readonly type: number; readonly code: number };
};

export type KeptNetworkAcl = {
  readonly id: string;
  readonly vpcId: string;
  /** What users wrote. EC2 adds the last rules by itself (`lastRules`). */
  readonly rules: readonly NetworkAclRule[];
  /** The subnets that were given to it. All others of its VPC are those of the default one. */
  readonly subnetIds: readonly string[];
};
