import type { NodePool } from '@nodewright/apis';
import { isManagedNode, nodePoolNameOf } from '../../cluster/node-state.ts';
import { rescheduleCostOf } from '../candidates/disruption-cost.ts';
import type { DisruptionCandidate } from '../candidates/candidate.ts';
import type { DisruptionSnapshot } from '../snapshot.ts';
import { boughtOffering } from '../candidates/bought-offering.ts';
import { moveNodePrice, savingsOf, type ConsolidationMove } from './move.ts';

/** The total cost and disruption of one NodePool. */
export type PoolTotals = {
  /** Millionths of a US dollar per hour. */
  readonly cost: number;
  /** The disruption cost of moving all pods off all its nodes. */
  readonly disruption: number;
};

/** How many times the share of disruption of a move may exceed its share of savings: `k` of Karpenter's Balanced policy. */
export const balancedTolerance = 2;

/** How a move weighs for one pool with the Balanced policy. */
export type MoveScore = {
  readonly nodePool: string;
  /** Parts of the pool's totals. */
  readonly savingsShare: number;
  readonly disruptionShare: number;
  /** Savings share divided by disruption share; infinite for savings without disruption. */
  readonly score: number;
  readonly threshold: number;
  readonly isApproved: boolean;
};

export const isBalanced = ({ spec }: NodePool): boolean => spec.disruption?.consolidationPolicy === 'Balanced';

/**
 * The totals of every pool, by name. Nodes without a known price count with price zero and with their disruption.
 */
export function poolTotals({
  nodes,
  supplies,
}: Pick<DisruptionSnapshot, 'nodes' | 'supplies'>): ReadonlyMap<string, PoolTotals> {
  const types = new Map(supplies.map(({ nodePool, instanceTypes }) => [nodePool.metadata.name, instanceTypes]));
  const totals = new Map<string, PoolTotals>();
  for (const state of nodes.filter(isManagedNode)) {
    const nodePool = nodePoolNameOf(state);
    if (nodePool === undefined) continue;
    const { cost, disruption } = totals.get(nodePool) ?? { cost: 0, disruption: 0 };
    const price = boughtOffering(state, types.get(nodePool) ?? [])?.offering?.priceMicroUsdPerHour ?? 0;
    totals.set(nodePool, { cost: cost + price, disruption: disruption + rescheduleCostOf(state) });
  }
  return totals;
}

/**
 * How a move weighs for each pool with the Balanced policy, by name. Savings of a move over several pools are divided by
 * what the candidates of each cost. Other policies have no say.
 * @see https://karpenter.sh/docs/concepts/disruption/#consolidation
 */
export function scoresOf(
  move: Pick<ConsolidationMove, 'candidates' | 'replacements'>,
  totals: ReadonlyMap<string, PoolTotals>,
  tolerance = balancedTolerance,
): readonly MoveScore[] {
  const price = moveNodePrice(move.candidates);
  const savings = savingsOf(move);
  return byPool(move.candidates.filter(({ nodePool }) => isBalanced(nodePool))).map(([nodePool, own]) => {
    const share = price > 0 ? moveNodePrice(own) / price : 0;
    return scoreCandidates({ nodePool, candidates: own, savings: savings * share }, totals.get(nodePool), tolerance);
  });
}

/** Every pool that the move touches and that weighs moves agrees to it. */
export const isApproved = (scores: readonly MoveScore[]): boolean => scores.every((each) => each.isApproved);

/** Whether there could be a move of this node alone that its pool agrees to: one that saves its whole price. */
export function mayBeApproved(candidate: DisruptionCandidate, totals: ReadonlyMap<string, PoolTotals>): boolean {
  if (!isBalanced(candidate.nodePool)) return true;
  const known = totals.get(candidate.nodePool.metadata.name);
  if (known === undefined || known.cost <= 0) return true;
  return isApproved(scoresOf({ candidates: [candidate], replacements: [] }, totals));
}

type WeighedShares = {
  readonly nodePool: string;
  readonly candidates: readonly DisruptionCandidate[];
  readonly savings: number;
};

function scoreCandidates(
  { nodePool, candidates, savings }: WeighedShares,
  known: PoolTotals | undefined,
  tolerance: number,
): MoveScore {
  const cost = known !== undefined && known.cost > 0 ? known.cost : moveNodePrice(candidates);
  const disruption = candidates.reduce((sum, candidate) => sum + candidate.rescheduleCost, 0);
  const savingsShare = shareOf(savings, cost);
  const disruptionShare = shareOf(disruption, known?.disruption ?? 0);
  const isWeighable = cost > 0 && known !== undefined && known.disruption > 0;
  const score = isWeighable && savingsShare > 0 ? savingsShare / disruptionShare : 0;
  const threshold = 1 / tolerance;
  return { nodePool, savingsShare, disruptionShare, score, threshold, isApproved: score >= threshold };
}

const shareOf = (part: number, whole: number): number => (whole > 0 ? part / whole : 0);

function byPool(
  candidates: readonly DisruptionCandidate[],
): readonly (readonly [string, readonly DisruptionCandidate[]])[] {
  const names = [...new Set(candidates.map(({ nodePool }) => nodePool.metadata.name))].toSorted();
  return names.map((name) => [name, candidates.filter(({ nodePool }) => nodePool.metadata.name === name)]);
}
