import { BudgetLedger } from '../budgets/budget-ledger.ts';
import type { DisruptionCandidate } from '../candidates/candidate.ts';
import { isApproved, mayBeApproved, poolTotals, scoresOf } from '../moves/balance.ts';
import { considerMove, type ConsolidationJudgement } from './consider.ts';
import { takePoolsInTurns } from './order.ts';
import { SearchEffort, type SearchLimits } from '../moves/search-effort.ts';
import type { RefusedNode, SearchOutcome, WeighedMove } from '../moves/search.ts';

/**
 * The first node that can go by itself, in favour of one that costs less or of none. Pools take turns, and in each the
 * best savings ratio comes first.
 * @param looked names of claims that an earlier search came to before it was cut short: this one goes on with the others
 * @param limits once one is reached, the search ends without a result, and the next search continues
 */
export function searchSingly(
  candidates: readonly DisruptionCandidate[],
  given: ConsolidationJudgement,
  { limits = {}, looked: before }: { readonly limits?: SearchLimits; readonly looked?: ReadonlySet<string> } = {},
): SearchOutcome {
  const effort = new SearchEffort(limits);
  const judgement = { ...given, meter: effort.meter };
  const ledger = new BudgetLedger(judgement.seen.nodes, { reason: 'Underutilized', now: judgement.now });
  const totals = poolTotals(judgement.seen);
  const refused: RefusedNode[] = [];
  const outweighed: WeighedMove[] = [];
  const looked: string[] = [];
  let isHeldByBudgets = false;
  const end = (more: Pick<SearchOutcome, 'isCutShort' | 'found'>): SearchOutcome => ({
    refused,
    outweighed,
    looked,
    isHeldByBudgets,
    ...more,
  });
  for (const candidate of takePoolsInTurns(candidates, before)) {
    if (!effort.beginTry()) return end({ isCutShort: true });
    looked.push(candidate.state.nodeClaim?.metadata.name ?? '');
    if (ledger.remaining(candidate.nodePool) === 0) {
      isHeldByBudgets = true;
      continue;
    }
    if (!mayBeApproved(candidate, totals)) continue;
    const consideration = considerMove([candidate], judgement);
    if (consideration.kind === 'refused') {
      refused.push({ node: candidate.state, refusal: consideration.refusal });
    } else {
      const weighed = { move: consideration.move, scores: scoresOf(consideration.move, totals) };
      if (isApproved(weighed.scores)) return end({ isCutShort: false, found: weighed });
      outweighed.push(weighed);
    }
  }
  return end({ isCutShort: false });
}
