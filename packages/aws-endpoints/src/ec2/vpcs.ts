import type { AssociatedBlock } from './vpc-blocks.ts';
import type { FurtherVpc, Network, VpcAttributes } from './network.ts';

/** A VPC of the account, as operations on all of them see it. */
export type VpcEntry = FurtherVpc & {
  readonly attributes: VpcAttributes;
  /** Those beside its first one. */
  readonly blocks: readonly AssociatedBlock[];
};

const defaultVpcAttributes: VpcAttributes = {
  dnsSupport: true,
  dnsHostnames: false,
  networkAddressUsageMetrics: false,
};

/** Lists the VPC of the cluster, and those that were created. */
export function listVpcs({
  vpcId,
  cidr,
  furtherVpcs = [],
  vpcAttributes = {},
  vpcBlocks = [],
}: Network): readonly VpcEntry[] {
  const attributesOf = (id: string, usual: VpcAttributes): VpcAttributes =>
    new Map(Object.entries(vpcAttributes)).get(id) ?? usual;
  const blocksOf = (id: string) => vpcBlocks.filter((block) => block.vpcId === id);
  const ofCluster = { ...defaultVpcAttributes, dnsHostnames: true };
  return [
    {
      id: vpcId,
      cidr,
      tenancy: 'default',
      attributes: attributesOf(vpcId, ofCluster),
      blocks: blocksOf(vpcId),
    },
    ...furtherVpcs.map((vpc) => ({
      ...vpc,
      attributes: attributesOf(vpc.id, defaultVpcAttributes),
      blocks: blocksOf(vpc.id),
    })),
  ];
}

export const findVpc = (network: Network, id: string): VpcEntry | undefined =>
  listVpcs(network).find((vpc) => vpc.id === id);

/** Returns the id of the VPC that a subnet or a group is in. */
export const vpcIdOf = (network: Pick<Network, 'vpcId'>, place: { readonly vpcId?: string } | undefined): string =>
  place?.vpcId ?? network.vpcId;

/** Returns the id of the VPC of a subnet that is named by its id. */
export const vpcIdOfSubnet = (network: Network, subnetId: string): string =>
  vpcIdOf(
    network,
    network.subnets.find(({ id }) => id === subnetId),
  );
