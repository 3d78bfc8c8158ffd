import type { Instant } from '@nodewright/apis';
import type { DisruptionCandidate } from '../candidates/candidate.ts';
import type { WorkMeter } from '../../solve/work-meter.ts';
import type { EvictionRules } from '../evictions/pod-disruption-budgets.ts';
import { simulateWithout, type Simulation } from '../simulation/simulation.ts';
import type { DisruptionSnapshot } from '../snapshot.ts';
import type { ConsolidationMove } from '../moves/move.ts';
import type { ConsolidationRefusal } from '../moves/refusal.ts';
import { cheaperReplacement, unlikeCandidates } from './replacement.ts';

/** The inputs of consolidation decisions. */
export type ConsolidationJudgement = {
  readonly seen: DisruptionSnapshot;
  readonly rules: EvictionRules;
  readonly now: Instant;
  /** Whether spot nodes may be replaced by spot nodes: the gate `SpotToSpotConsolidation`. */
  readonly spotToSpot: boolean;
  /** Counts the work of a search. */
  readonly meter?: WorkMeter;
};

export type Consideration =
  | { readonly kind: 'possible'; readonly move: ConsolidationMove }
  | { readonly kind: 'refused'; readonly refusal: ConsolidationRefusal };

/** Whether the cluster does without some nodes: with their pods elsewhere, or on one new node that costs less than they do. */
export function considerMove(
  candidates: readonly DisruptionCandidate[],
  judgement: ConsolidationJudgement,
): Consideration {
  const simulation = simulateMove(candidates, judgement);
  if (simulation.kind === 'fails') return refusedMove({ kind: 'noPlace', blocker: simulation.blocker });
  const { newNodes, existing: destinations } = simulation;
  const [newNode, ...others] = newNodes;
  if (others.length > 0) return refusedMove({ kind: 'severalReplacements', count: newNodes.length });
  if (newNode === undefined) return { kind: 'possible', move: { candidates, replacements: [], destinations } };
  const replacement = cheaperReplacement(newNode, candidates, judgement);
  if (replacement.kind === 'refused') return replacement;
  return { kind: 'possible', move: { candidates, replacements: [replacement.newNode], destinations } };
}

/** As for one node. A replacement of the type of a candidate does not count, because that candidate could stay. */
export function considerTogether(
  candidates: readonly DisruptionCandidate[],
  judgement: ConsolidationJudgement,
): Consideration {
  const consideration = considerMove(candidates, judgement);
  if (consideration.kind === 'refused') return consideration;
  const { move } = consideration;
  const [newNode] = move.replacements;
  if (newNode === undefined) return consideration;
  const replacement = unlikeCandidates(newNode, candidates);
  if (replacement.kind === 'refused') return replacement;
  return { kind: 'possible', move: { ...move, replacements: [replacement.newNode] } };
}

/** Simulates the cluster without the candidates. */
export const simulateMove = (
  candidates: readonly DisruptionCandidate[],
  judgement: ConsolidationJudgement,
): Simulation => simulateWithout(candidates, withStrictMinimums(judgement.seen), { ...judgement, settledOnly: true });

const refusedMove = (refusal: ConsolidationRefusal): Consideration => ({ kind: 'refused', refusal });

/** Saving money is no reason to give up a minimum of choice. */
const withStrictMinimums = (seen: DisruptionSnapshot): DisruptionSnapshot =>
  seen.options.minValuesPolicy === 'Strict'
    ? seen
    : { ...seen, options: { ...seen.options, minValuesPolicy: 'Strict' } };
