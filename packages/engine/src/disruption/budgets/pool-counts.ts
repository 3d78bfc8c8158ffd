import { isConditionTrue, oncePerObject } from '@nodewright/apis';
import {
  isInitialized,
  isManagedNode,
  isMarkedForDeletion,
  nodePoolNameOf,
  type NodeState,
} from '../../cluster/node-state.ts';
import type { PoolCounts } from './budgets.ts';

/** The base of a pool's budgets: its initialized nodes that are not being terminated, and how many of them are unavailable. */
export const poolCounts = (nodePool: string, nodes: readonly NodeState[]): PoolCounts =>
  countsByPool(nodes).get(nodePool) ?? { total: 0, disrupting: 0 };

/** The same for every pool that has such nodes. One pass asks for the counts of one list several times. */
export const countsByPool = oncePerObject((nodes: readonly NodeState[]): ReadonlyMap<string, PoolCounts> => {
  const counts = new Map<string, { total: number; disrupting: number }>();
  for (const state of nodes) {
    const nodePool = nodePoolNameOf(state);
    if (nodePool === undefined || !isCounted(state)) continue;
    const count = counts.get(nodePool) ?? { total: 0, disrupting: 0 };
    count.total += 1;
    if (isUnavailable(state)) count.disrupting += 1;
    counts.set(nodePool, count);
  }
  return counts;
});

const isCounted = oncePerObject(
  (state: NodeState): boolean =>
    isManagedNode(state) &&
    isInitialized(state) &&
    !(state.nodeClaim !== undefined && isConditionTrue(state.nodeClaim, 'InstanceTerminating')),
);

const isUnavailable = oncePerObject(
  (state: NodeState): boolean => !isNodeCountedReady(state) || isMarkedForDeletion(state),
);

const isNodeCountedReady = ({ node }: NodeState): boolean =>
  node?.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
