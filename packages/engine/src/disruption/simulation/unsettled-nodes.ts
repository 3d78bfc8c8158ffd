import { isConditionTrue, parseDurationOrNever, type NodePool } from '@nodewright/apis';
import { isInitialized, isMarkedForDeletion, nodePoolNameOf, type NodeState } from '../../cluster/node-state.ts';
import type { DisruptionSnapshot } from '../snapshot.ts';

type Known = { readonly supplies: DisruptionSnapshot['supplies']; readonly unsettled: ReadonlySet<NodeState> };

/** By the list of nodes: many simulations ask about the same one. */
const known = new WeakMap<readonly NodeState[], Known>();

/**
 * Nodes that are left in peace because pods came or went within their pool's `consolidateAfter`. What consolidation
 * moved to them would keep them from being consolidated themselves for as long again.
 */
export function unsettledNodes({
  nodes,
  supplies,
}: Pick<DisruptionSnapshot, 'nodes' | 'supplies'>): ReadonlySet<NodeState> {
  const before = known.get(nodes);
  if (before?.supplies === supplies) return before.unsettled;
  const settling = new Set(
    supplies.filter(({ nodePool }) => settles(nodePool)).map(({ nodePool }) => nodePool.metadata.name),
  );
  const unsettled = new Set(nodes.filter((state) => settling.has(nodePoolNameOf(state) ?? '') && isUnsettled(state)));
  known.set(nodes, { supplies, unsettled });
  return unsettled;
}

/** Nodes of static pools, and of those that are never consolidated, take what comes. */
const settles = ({ spec }: NodePool): boolean =>
  spec.replicas === undefined && parseDurationOrNever(spec.disruption?.consolidateAfter ?? '0s') !== 'Never';

const isUnsettled = (state: NodeState): boolean =>
  state.nodeClaim !== undefined &&
  isInitialized(state) &&
  !isMarkedForDeletion(state) &&
  !isConditionTrue(state.nodeClaim, 'Consolidatable');
