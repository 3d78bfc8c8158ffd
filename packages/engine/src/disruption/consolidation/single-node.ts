import { BudgetLedger } from '../budgets/budget-ledger.ts';
import type { DisruptionCandidate } from '../candidates/candidate.ts';
import { isApproved, mayBeApproved, poolTotals, scoresOf } from '../moves/balance.ts';
import { considerMove, type ConsolidationJudgement } from './consider.ts';
import { takePoolsInTurns } from './order.ts';
import type { RefusedNode, SearchOutcome, WeighedMove } from '../moves/search.ts';

/**
 * The first node that can go by itself, in favour of one that costs less or of none. Pools take turns, and in each the
 * best savings ratio comes first.
 * @param looked names of claims that an earlier search came to before its time was up: this one goes on with the others
 * @param isTimeUp called before every try; after that the search ends without a result, and the next search continues
 */
export function searchSingly(
  candidates: readonly DisruptionCandidate[],
  judgement: ConsolidationJudgement,
  { isTimeUp, looked: before }: { readonly isTimeUp: () => boolean; readonly looked?: ReadonlySet<string> },
): SearchOutcome {
  const ledger = new BudgetLedger(judgement.seen.nodes, { reason: 'Underutilized', now: judgement.now });
  const totals = poolTotals(judgement.seen);
  const refused: RefusedNode[] = [];
  const outweighed: WeighedMove[] = [];
  const looked: string[] = [];
  let isHeldByBudgets = false;
  const end = (more: Pick<SearchOutcome, 'isTimedOut' | 'found'>): SearchOutcome => ({
    refused,
    outweighed,
    looked,
    isHeldByBudgets,
    ...more,
  });
  for (const candidate of takePoolsInTurns(candidates, before)) {
    if (isTimeUp()) return end({ isTimedOut: true });
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
      if (isApproved(weighed.scores)) return end({ isTimedOut: false, found: weighed });
      outweighed.push(weighed);
    }
  }
  return end({ isTimedOut: false });
}
