import type { Metrics } from '@nodewright/runtime';

/** How one NodePool took a move that would work. */
export type PoolVerdict = {
  readonly nodePool: string;
  /** Its `consolidationPolicy`. */
  readonly policy: string;
  readonly isApproved: boolean;
  /** Savings against disruption; only the Balanced policy weighs them. */
  readonly score?: number;
};

/** What is counted of moves that consolidation found. */
export type ConsolidationCounters = { moveWeighed(verdict: PoolVerdict): void };

export function consolidationCounters(metrics: Metrics): ConsolidationCounters {
  const labels = ['decision', 'nodepool', 'policy'] as const;
  const moves = metrics.counter({
    name: 'karpenter_consolidation_moves_total',
    help: 'Moves that consolidation found to work, by whether the policy of the NodePool agreed to them',
    labels,
  });
  const scores = metrics.histogram({
    name: 'karpenter_consolidation_score',
    help: 'What moves save against what they disrupt, in NodePools with the Balanced policy',
    labels,
    buckets: [0.1, 0.25, 0.33, 0.5, 1, 2, 5, 10],
  });
  return {
    moveWeighed: ({ nodePool, policy, isApproved, score }) => {
      const of = { decision: isApproved ? 'approved' : 'rejected', nodepool: nodePool, policy };
      moves.add(of);
      if (score !== undefined) scores.observe(of, score);
    },
  };
}
