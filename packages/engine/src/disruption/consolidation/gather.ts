import type { NodeState } from '../../cluster/node-state.ts';
import type { DisruptionCandidate } from '../candidates/candidate.ts';
import type { BlockedNode } from '../method.ts';
import { splitEligibleNodes } from '../eligible-nodes.ts';
import { consolidationBarrier, type ConsolidationBarrier } from './barrier.ts';
import type { ConsolidationJudgement } from './consider.ts';

export type BarredNode = { readonly node: NodeState; readonly barrier: ConsolidationBarrier };

/** The nodes of a cluster as consolidation finds them. */
export type GatheredCandidates = {
  readonly candidates: readonly DisruptionCandidate[];
  /** Nodes that must not be disrupted now for any reason. */
  readonly blocked: readonly BlockedNode[];
  readonly barred: readonly BarredNode[];
};

/** The candidates of consolidation, and why the other nodes are none. */
export function gatherCandidates({ seen, rules, now }: ConsolidationJudgement, among = seen.nodes): GatheredCandidates {
  const { candidates, blocked } = splitEligibleNodes(among, seen, {
    disruptionClass: 'graceful',
    reason: 'Underutilized',
    rules,
    now,
  });
  const barred: BarredNode[] = [];
  const free = candidates.filter((candidate) => {
    const barrier = consolidationBarrier(candidate);
    if (barrier !== undefined) barred.push({ node: candidate.state, barrier });
    return barrier === undefined;
  });
  return { candidates: free, blocked, barred };
}
