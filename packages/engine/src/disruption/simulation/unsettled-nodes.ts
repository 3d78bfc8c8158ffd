import { isConditionTrue, oncePerPair, parseDurationOrNever, type NodePool } from '@nodewright/apis';
import { isInitialized, isMarkedForDeletion, nodePoolNameOf, type NodeState } from '../../cluster/node-state.ts';
import type { DisruptionSnapshot } from '../snapshot.ts';

/**
 * Nodes whose pods changed within the `consolidateAfter` of their pool. Pods that consolidation
 * moved to them would delay their own consolidation again.
 */
export const unsettledNodes = ({
  nodes,
  supplies,
}: Pick<DisruptionSnapshot, 'nodes' | 'supplies'>): ReadonlySet<NodeState> => unsettledAmong(nodes, supplies);

/** Many simulations ask about the same lists. */
const unsettledAmong = oncePerPair((nodes: readonly NodeState[], supplies: DisruptionSnapshot['supplies']) => {
  const settling = new Set(
    supplies.filter(({ nodePool }) => settles(nodePool)).map(({ nodePool }) => nodePool.metadata.name),
  );
  return new Set(nodes.filter((state) => settling.has(nodePoolNameOf(state) ?? '') && isUnsettled(state)));
});

/** Whether nodes of the pool have to settle. Nodes of static pools and of pools without consolidation do not. */
const settles = ({ spec }: NodePool): boolean =>
  spec.replicas === undefined && parseDurationOrNever(spec.disruption?.consolidateAfter ?? '0s') !== 'Never';

const isUnsettled = (state: NodeState): boolean =>
  state.nodeClaim !== undefined &&
  isInitialized(state) &&
  !isMarkedForDeletion(state) &&
  !isConditionTrue(state.nodeClaim, 'Consolidatable');
