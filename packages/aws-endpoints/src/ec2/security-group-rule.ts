export type RuleDirection = 'ingress' | 'egress';

/** What a rule is about: addresses, a prefix list, or another group. */
export type RulePeer =
  | { readonly kind: 'cidr' | 'cidr6' | 'prefix-list'; readonly value: string }
  | { readonly kind: 'group'; readonly value: string };

/** A rule of a security group. Protocol `-1` means all, with all ports. */
export type SecurityGroupRule = {
  /** Kept where the rule has changed; else it follows from what the rule says. */
  readonly id?: string;
  readonly direction: RuleDirection;
  readonly protocol: string;
  readonly fromPort?: number;
  readonly toPort?: number;
  readonly peer: RulePeer;
  readonly description?: string;
};
