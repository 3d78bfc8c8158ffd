import { oncePerObject, readOwn } from '@nodewright/apis';
import {
  boughtOffering,
  type DisruptionSnapshot,
  type InstanceType,
  isActivePod,
  nodeAllocatableOf,
  nodePoolNameOf,
  type NodeState,
  podRequests,
  sumOfResources,
} from '@nodewright/engine';
import type { NodeRow } from '../rows/dashboard-rows.ts';
import { describeHourlyCost } from '../rows/hourly-prices.ts';

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

/** How many pods a node has, and what they request of what they may use. */
export const readRequestedShares = oncePerObject(
  (state: NodeState): Required<Pick<NodeRow, 'pods' | 'cpuPercent' | 'memoryPercent'>> => {
    const allocatable = nodeAllocatableOf(state);
    const pods = state.pods.filter(isActivePod);
    const requested = sumOfResources(pods.map(podRequests));
    const share = (name: string): number => {
      const whole = readOwn(allocatable, name) ?? 0;
      return whole === 0 ? 0 : Math.round(((readOwn(requested, name) ?? 0) / whole) * 100);
    };
    return { pods: pods.length, cpuPercent: share('cpu'), memoryPercent: share('memory') };
  },
);

/** `it costs $0.068 an hour; 3 pods request 60% of its CPU and 0% of its memory`. */
export function describeNodeAmounts(state: NodeState, priceOf: PriceReader): string {
  const { pods, cpuPercent, memoryPercent } = readRequestedShares(state);
  const price = priceOf(state);
  const cost = price === undefined ? 'its price is not known' : `it costs ${describeHourlyCost(price, 0)}`;
  const use = `${cpuPercent}% of its CPU and ${memoryPercent}% of its memory`;
  return `${cost}; ${pods === 1 ? '1 pod requests' : `${pods} pods request`} ${use}`;
}
