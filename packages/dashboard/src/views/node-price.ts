import {
  boughtOffering,
  type DisruptionSnapshot,
  type InstanceType,
  nodePoolNameOf,
  type NodeState,
} from '@nodewright/engine';

/** Reads the prices of nodes, in millionths of a US dollar per hour. */
export type PriceReader = (state: NodeState) => number | undefined;

/** By the instance types of their pools. The price of a node of no pool, or of a pool that cannot launch now, is not known. */
export function createPriceReader({ supplies, staticSupplies = [] }: DisruptionSnapshot): PriceReader {
  const types = new Map<string, readonly InstanceType[]>();
  for (const { nodePool, instanceTypes } of [...supplies, ...staticSupplies])
    types.set(nodePool.metadata.name, instanceTypes);
  return (state) => {
    const known = types.get(nodePoolNameOf(state) ?? '');
    return known === undefined ? undefined : boughtOffering(state, known)?.offering?.priceMicroUsdPerHour;
  };
}
