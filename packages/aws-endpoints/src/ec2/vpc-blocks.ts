import type { Random } from '@nodewright/runtime';
import { type Cidr, readCidr } from './cidr.ts';
import { type Ipv6Block, ipv6BlockText, readIpv6Block } from './ipv6-block.ts';

/** A block of addresses that was associated with a VPC after its first one. */
export type AssociatedBlock = { readonly id: string; readonly vpcId: string; readonly text: string };

/** The block of IPv6 addresses of a subnet. */
export type SubnetIpv6Block = { readonly id: string; readonly text: string };

export const isIpv6Text = (text: string): boolean => text.includes(':');

/** The blocks of IPv4 addresses among associations. */
export const listIpv4Blocks = (blocks: readonly AssociatedBlock[]): readonly Cidr[] =>
  blocks.flatMap(({ text }) => readCidr(text) ?? []);

export const listIpv6Blocks = (blocks: readonly AssociatedBlock[]): readonly Ipv6Block[] =>
  blocks.flatMap(({ text }) => (isIpv6Text(text) ? (readIpv6Block(text) ?? []) : []));

/** A block of Amazon's own, as EC2 chooses it for a VPC. */
export const chooseIpv6Block = (random: Random): string =>
  ipv6BlockText({
    groups: [0x26_00, 0x1f_18, random.integer(0x1_00_00), random.integer(0x1_00) * 0x1_00, 0, 0, 0, 0],
    bits: 56,
  });

export const newBlockId = (random: Random): string => `vpc-cidr-assoc-0${random.hex(16)}`;
