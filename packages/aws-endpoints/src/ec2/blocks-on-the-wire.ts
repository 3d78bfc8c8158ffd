import type {
  SubnetIpv6CidrBlockAssociation,
  VpcCidrBlockAssociation,
  VpcIpv6CidrBlockAssociation,
} from '@aws-sdk/client-ec2';
import type { Ec2 } from './model.ts';
import type { AssociatedBlock, SubnetIpv6Block } from './vpc-blocks.ts';

type BlockState = 'associating' | 'associated' | 'disassociating';

export const writeVpcBlock = (
  { id, text }: AssociatedBlock,
  state: BlockState = 'associated',
): VpcCidrBlockAssociation => ({
  AssociationId: id,
  CidrBlock: text,
  CidrBlockState: { State: state },
});

export const writeIpv6Association = (
  { account }: Ec2,
  { id, text }: AssociatedBlock,
  state: BlockState = 'associated',
): VpcIpv6CidrBlockAssociation => ({
  AssociationId: id,
  Ipv6CidrBlock: text,
  Ipv6CidrBlockState: { State: state },
  NetworkBorderGroup: account.region,
  Ipv6Pool: 'Amazon',
  Ipv6AddressAttribute: 'public',
  IpSource: 'amazon',
});

export const writeSubnetIpv6 = (
  { id, text }: SubnetIpv6Block,
  state: BlockState = 'associated',
): SubnetIpv6CidrBlockAssociation => ({
  AssociationId: id,
  Ipv6CidrBlock: text,
  Ipv6CidrBlockState: { State: state },
  Ipv6AddressAttribute: 'public',
  IpSource: 'amazon',
});
