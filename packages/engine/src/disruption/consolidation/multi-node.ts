import { BudgetLedger } from '../budget-ledger.ts';
import type { Candidate } from '../candidate.ts';
import { bestSavingsFirst } from '../savings-order.ts';
import { isApproved, poolTotals, scoresOf } from './balance.ts';
import { considerTogether } from './consider.ts';
import type { ConsolidationJudgement } from './consider.ts';
import type { SearchOutcome, WeighedMove } from './search.ts';

/** The most nodes that are thought of together. */
const mostTogether = 100;

/**
 * The most nodes that can go together, those with the best savings ratio first, in favour of one that costs less than
 * they do or of none. Found by halving, as if what fewer nodes cannot do more could not do either.
 * @param isTimeUp asked before every try; once it is, the best found so far counts
 */
export function searchTogether(
  candidates: readonly Candidate[],
  judgement: ConsolidationJudgement,
  isTimeUp: () => boolean,
): SearchOutcome {
  const { prefix, isHeldByBudgets } = withinBudgets(candidates.toSorted(bestSavingsFirst), judgement);
  const totals = poolTotals(judgement.seen);
  const outweighed: WeighedMove[] = [];
  let found: WeighedMove | undefined;
  let isTimedOut = false;
  let [low, high] = [2, prefix.length];
  while (low <= high) {
    isTimedOut = isTimeUp();
    if (isTimedOut) break;
    const middle = (low + high) >> 1;
    const consideration = considerTogether(prefix.slice(0, middle), judgement);
    const weighed = consideration.kind === 'possible' ? weighedBy(totals, consideration.move) : undefined;
    if (weighed !== undefined && isApproved(weighed.scores)) {
      found = weighed;
      low = middle + 1;
    } else {
      if (weighed !== undefined) outweighed.push(weighed);
      high = middle - 1;
    }
  }
  const looked = prefix.flatMap(({ state }) => state.nodeClaim?.metadata.name ?? []);
  return { ...(found === undefined ? {} : { found }), outweighed, refused: [], looked, isHeldByBudgets, isTimedOut };
}

const weighedBy = (totals: ReturnType<typeof poolTotals>, move: WeighedMove['move']): WeighedMove => ({
  move,
  scores: scoresOf(move, totals),
});

/** The first of them that budgets let go together. */
function withinBudgets(
  sorted: readonly Candidate[],
  { seen, now }: ConsolidationJudgement,
): { readonly prefix: readonly Candidate[]; readonly isHeldByBudgets: boolean } {
  const ledger = new BudgetLedger(seen.nodes, { reason: 'Underutilized', now });
  const prefix: Candidate[] = [];
  let isHeldByBudgets = false;
  for (const candidate of sorted) {
    if (prefix.length === mostTogether) break;
    if (ledger.remaining(candidate.nodePool) === 0) {
      isHeldByBudgets = true;
      continue;
    }
    ledger.take(candidate.nodePool);
    prefix.push(candidate);
  }
  return { prefix, isHeldByBudgets };
}
