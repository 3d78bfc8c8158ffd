import { isConditionTrue, oncePerPair, parseDurationOrNever, type NodePool } from '@nodewright/apis';
import { isInitialized, isMarkedForDeletion, nodePoolNameOf, type NodeState } from '../../cluster/node-state.ts';
import type { DisruptionSnapshot } from '../snapshot.ts';

/**
 * Nodes that are left in peace because pods came or went within their pool's `consolidateAfter`. What consolidation
 * moved to them would keep them from being consolidated themselves for as long again.
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

/** Nodes of static pools, and of those that are never consolidated, take what comes. */
const settles = ({ spec }: NodePool): boolean =>
  spec.replicas === undefined && parseDurationOrNever(spec.disruption?.consolidateAfter ?? '0s') !== 'Never';

const isUnsettled = (state: NodeState): boolean =>
  state.nodeClaim !== undefined &&
  isInitialized(state) &&
  !isMarkedForDeletion(state) &&
  !isConditionTrue(state.nodeClaim, 'Consolidatable');
