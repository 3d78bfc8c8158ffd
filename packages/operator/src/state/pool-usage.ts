import type { NodePool } from '@nodewright/apis';
import {
  isMarkedForDeletion,
  nodeCapacityOf,
  nodePoolNameOf,
  sumOfResources,
  type NodeState,
  type Resources,
} from '@nodewright/engine';

/** What the pool's machines have in all. Those marked for deletion are replaced already and do not count. */
export const usageOf = (nodePool: NodePool, nodes: readonly NodeState[]): Resources =>
  sumOfResources(
    nodes
      .filter((node) => nodePoolNameOf(node) === nodePool.metadata.name && !isMarkedForDeletion(node))
      .map(nodeCapacityOf),
  );
