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
  countsByPool(nodes).get(nodePool) ?? noNodes;

const noNodes: PoolCounts = { total: 0, disrupting: 0, notReady: 0 };

/** The same for every pool that has such nodes. One pass asks for the counts of one list several times. */
export const countsByPool = oncePerObject((nodes: readonly NodeState[]): ReadonlyMap<string, PoolCounts> => {
  const counts = new Map<string, { total: number; disrupting: number; notReady: number }>();
  for (const { nodePool, isUnavailable, isNotReady } of countsOfNodes(nodes)) {
    if (nodePool === undefined) continue;
    let count = counts.get(nodePool);
    if (count === undefined) counts.set(nodePool, (count = { ...noNodes }));
    count.total += 1;
    if (isUnavailable) count.disrupting += 1;
    if (isNotReady) count.notReady += 1;
  }
  return counts;
});

/** The pool in which a node counts, if in any, and whether it is unavailable there. */
const countsOfNodes = oncePerItem((state: NodeState) => ({
  nodePool: isCounted(state) ? nodePoolNameOf(state) : undefined,
  isUnavailable: !isNodeCountedReady(state) || isMarkedForDeletion(state),
  isNotReady: isUnavailableAndStays(state),
}));

/** Whether budgets count a node as unavailable because it is not ready, and not because something has begun to replace it. */
export const isUnavailableAndStays = (state: NodeState): boolean =>
  isCounted(state) && !isNodeCountedReady(state) && !isMarkedForDeletion(state);

const isCounted = (state: NodeState): boolean =>
  isManagedNode(state) &&
  isInitialized(state) &&
  !(state.nodeClaim !== undefined && isConditionTrue(state.nodeClaim, 'InstanceTerminating'));

const isNodeCountedReady = ({ node }: NodeState): boolean =>
  node?.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
