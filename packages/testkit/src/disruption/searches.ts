import { fromTimestamp } from '@nodewright/apis';
import { type DisruptionSnapshot, EvictionRules, nodeNameOf } from '@nodewright/engine';
import {
  type ConsolidationJudgement,
  gatherCandidates,
  type SearchOutcome,
  searchSingly,
  searchTogether,
  type WeighedMove,
} from '@nodewright/engine/inner';

export const searchTime = fromTimestamp('2024-03-01T12:00:00Z');

/** @param spotToSpot the gate `SpotToSpotConsolidation` */
export const judgementOfTest = (seen: DisruptionSnapshot, spotToSpot = false): ConsolidationJudgement => ({
  seen,
  rules: new EvictionRules(seen.podDisruptionBudgets),
  now: searchTime,
  spotToSpot,
});

export const searchTogetherIn = (judgement: ConsolidationJudgement): SearchOutcome =>
  searchTogether(gatherCandidates(judgement).candidates, judgement);

export const searchSinglyIn = (judgement: ConsolidationJudgement): SearchOutcome =>
  searchSingly(gatherCandidates(judgement).candidates, judgement);

/** `a, b -> c2, c4`: which nodes go, and what the replacement may be. */
export const refusalsByNode = (found: WeighedMove | undefined): string | undefined =>
  found &&
  [
    found.move.candidates.map(({ state }) => nodeNameOf(state)).join(', '),
    ...found.move.replacements.map(({ instanceTypes }) => ` -> ${instanceTypes.map(({ name }) => name).join(', ')}`),
  ].join('');
