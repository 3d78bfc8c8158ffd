import { isConditionTrue } from '@nodewright/apis';
import { isInitialized, isManaged, isMarkedForDeletion, nodePoolNameOf } from '../cluster/node-state.ts';
import type { NodeState } from '../cluster/node-state.ts';
import type { PoolCounts } from './budgets.ts';

/** What budgets of a pool are taken of: its initialized nodes that are not being terminated, and how many of those are away. */
export function poolCounts(nodePool: string, nodes: readonly NodeState[]): PoolCounts {
  const counted = nodes.filter((state) => nodePoolNameOf(state) === nodePool && isCounted(state));
  return { total: counted.length, disrupting: counted.filter(isAway).length };
}

const isCounted = (state: NodeState): boolean =>
  isManaged(state) &&
  isInitialized(state) &&
  !(state.nodeClaim !== undefined && isConditionTrue(state.nodeClaim, 'InstanceTerminating'));

const isAway = (state: NodeState): boolean => !isReady(state) || isMarkedForDeletion(state);

const isReady = ({ node }: NodeState): boolean =>
  node?.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
