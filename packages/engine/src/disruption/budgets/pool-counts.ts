import { isConditionTrue, oncePerItem, oncePerObject } from '@nodewright/apis';
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
  for (const { nodePool, isUnavailable } of countsOfNodes(nodes)) {
    if (nodePool === undefined) continue;
    let count = counts.get(nodePool);
    if (count === undefined) counts.set(nodePool, (count = { total: 0, disrupting: 0 }));
    count.total += 1;
    if (isUnavailable) count.disrupting += 1;
  }
  return counts;
});

/** The pool in which a node counts, if in any, and whether it is unavailable there. */
const countsOfNodes = oncePerItem((state: NodeState) => ({
  nodePool: isCounted(state) ? nodePoolNameOf(state) : undefined,
  isUnavailable: !isNodeCountedReady(state) || isMarkedForDeletion(state),
}));

/** Whether a node is away from its pool by itself: it counts, is not ready, and nobody has begun to replace it. */
export const isAwayByItself = (state: NodeState): boolean =>
  isCounted(state) && !isNodeCountedReady(state) && !isMarkedForDeletion(state);

const isCounted = (state: NodeState): boolean =>
  isManagedNode(state) &&
  isInitialized(state) &&
  !(state.nodeClaim !== undefined && isConditionTrue(state.nodeClaim, 'InstanceTerminating'));

const isNodeCountedReady = ({ node }: NodeState): boolean =>
  node?.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
