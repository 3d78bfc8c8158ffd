import { fromTimestamp } from '@nodewright/apis';
import { nodeNameOf } from '../../../cluster/node-state.ts';
import { EvictionRules } from '../../evictions/pod-disruption-budgets.ts';
import type { DisruptionSnapshot } from '../../snapshot.ts';
import type { ConsolidationJudgement } from '../consider.ts';
import { gatherCandidates } from '../gather.ts';
import { searchTogether } from '../multi-node.ts';
import type { SearchOutcome, WeighedMove } from '../../moves/search.ts';
import { searchSingly } from '../single-node.ts';

export const now = fromTimestamp('2024-03-01T12:00:00Z');

/** @param spotToSpot the gate `SpotToSpotConsolidation` */
export const judgementOfTest = (seen: DisruptionSnapshot, spotToSpot = false): ConsolidationJudgement => ({
  seen,
  rules: new EvictionRules(seen.podDisruptionBudgets),
  now,
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
