import { byTextOf, conditionOf } from '@nodewright/apis';
import {
  type DisruptionSnapshot,
  isMarkedForDeletion,
  type MethodPlan,
  type NodeRemark,
  nodeNameOf,
  nodePoolNameOf,
  printBarrierEvent,
  type NodeState,
} from '@nodewright/engine';
import type { ClusterReading } from '@nodewright/operator';
import type { KeptNodesRow } from '../rows/dashboard-rows.ts';
import { findGroupExplanation } from '../rows/group-explanation.ts';
import { readNodeGroupName } from './node-group.ts';
import { createPriceReader } from '../explain/node-amounts.ts';
import { mostTries } from './savings.ts';

/** Why consolidation leaves nodes alone: those of one group with the same reason together. */
export function viewKeptNodes(
  { disruption }: Pick<ClusterReading, 'disruption'>,
  plans: readonly MethodPlan[],
): readonly KeptNodesRow[] {
  const priceOf = createPriceReader(disruption);
  const told = new Set<NodeState>(plans.flatMap(listSavedNodes));
  const rows = new Map<string, KeptNodesRow>();
  const remarks = plans.flatMap(({ unconsolidatable = [] }) => unconsolidatable);
  // The last plan searches node by node.
  for (const { node, message } of [...remarks, ...listUntriedNodes(plans.at(-1)), ...listWaitingNodes(disruption)]) {
    if (told.has(node)) continue;
    told.add(node);
    const group = readNodeGroupName(node);
    const id = `${group}|${message}`;
    const before = rows.get(id);
    rows.set(id, {
      id,
      group,
      nodes: (before?.nodes ?? 0) + 1,
      microUsdPerHour: (before?.microUsdPerHour ?? 0) + (priceOf(node) ?? 0),
      message,
      explain: (before === undefined ? undefined : findGroupExplanation(group)) ?? `node/${nodeNameOf(node)}`,
    });
  }
  return [...rows.values()].toSorted(byTextOf(({ id }) => id));
}

/** Those of which savings tell. */
const listSavedNodes = ({ commands, blocked }: MethodPlan): readonly NodeState[] => [
  ...commands.flatMap(({ candidates }) => candidates.map(({ state }) => state)),
  ...blocked.map(({ node }) => node),
];

/** Nodes that are no candidates yet, of which no plan tells: they become ones by themselves. */
const listWaitingNodes = ({ nodes, supplies }: DisruptionSnapshot): readonly NodeRemark[] =>
  nodes.flatMap((node) => {
    const { nodeClaim: claim } = node;
    if (claim === undefined || isMarkedForDeletion(node) || conditionOf(claim, 'Initialized')?.status !== 'True')
      return [];
    if (conditionOf(claim, 'Consolidatable')?.status === 'True') return [];
    const nodePool = nodePoolNameOf(node) ?? '';
    const pool = supplies.find((supply) => supply.nodePool.metadata.name === nodePool)?.nodePool;
    const after = pool?.spec.disruption?.consolidateAfter ?? '0s';
    const message =
      after === 'Never'
        ? printBarrierEvent({ kind: 'never', nodePool })
        : `pods have come or gone within consolidateAfter, ${after}`;
    return [{ node, message }];
  });

/** A search ends with the first move that it finds, or after so many tries. */
function listUntriedNodes(plan: MethodPlan | undefined): readonly NodeRemark[] {
  const { search, eligible = [], commands = [] } = plan ?? {};
  if (search === undefined || !(search.isCutShort || commands.length > 0)) return [];
  const looked = new Set(search.looked);
  const message = search.isCutShort
    ? `${mostTries} moves are tried for this view, and none of this node: the controller tries on`
    : 'its turn comes after the move that is next';
  return eligible
    .filter(({ nodeClaim }) => nodeClaim !== undefined && !looked.has(nodeClaim.metadata.name))
    .map((node) => ({ node, message }));
}
