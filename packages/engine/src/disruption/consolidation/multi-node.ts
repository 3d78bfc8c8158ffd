import { BudgetLedger } from '../budgets/budget-ledger.ts';
import type { DisruptionCandidate } from '../candidates/candidate.ts';
import { bestSavingsFirst } from '../candidates/savings-order.ts';
import { isApproved, poolTotals, scoresOf } from '../moves/balance.ts';
import { considerTogether, type ConsolidationJudgement } from './consider.ts';
import { SearchEffort, type SearchLimits } from '../moves/search-effort.ts';
import type { SearchOutcome, WeighedMove } from '../moves/search.ts';

/** The most nodes that are thought of together. */
const mostTogether = 100;

/** How many sizes are tried one by one when halving has found nothing. */
const fewTogether = 8;

/**
 * The most nodes that can be removed together, best savings ratio first, for one cheaper replacement or
 * for none. The search halves, as if more nodes could never succeed where fewer fail. Three nodes may be
 * replaceable where two are not, so a few sizes are tried as well when halving finds nothing.
 * @param limits once one is reached, the best found so far counts
 */
export function searchTogether(
  candidates: readonly DisruptionCandidate[],
  given: ConsolidationJudgement,
  limits: SearchLimits = {},
): SearchOutcome {
  const effort = new SearchEffort(limits);
  const judgement = { ...given, meter: effort.meter };
  const { prefix, isHeldByBudgets } = nodesWithinBudgets(candidates.toSorted(bestSavingsFirst), judgement);
  const totals = poolTotals(judgement.seen);
  const outweighed: WeighedMove[] = [];
  const tried = new Set<number>();
  const attempt = (count: number): WeighedMove | undefined => {
    if (!effort.beginTry() || tried.has(count)) return undefined;
    tried.add(count);
    const consideration = considerTogether(prefix.slice(0, count), judgement);
    if (consideration.kind === 'refused') return undefined;
    const weighed = { move: consideration.move, scores: scoresOf(consideration.move, totals) };
    if (isApproved(weighed.scores)) return weighed;
    outweighed.push(weighed);
    return undefined;
  };
  let found = searchByHalving(prefix.length, attempt);
  for (let count = 3; found === undefined && count <= Math.min(fewTogether, prefix.length); count++)
    found = attempt(count);
  const looked = prefix.flatMap(({ state }) => state.nodeClaim?.metadata.name ?? []);
  return {
    ...(found === undefined ? {} : { found }),
    outweighed,
    refused: [],
    looked,
    isHeldByBudgets,
    isCutShort: effort.isCutShort,
  };
}

/** The last success on the way to the greatest number for which there is one. */
function searchByHalving(most: number, attempt: (count: number) => WeighedMove | undefined): WeighedMove | undefined {
  let found: WeighedMove | undefined;
  let [low, high] = [2, most];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const success = attempt(middle);
    found = success ?? found;
    if (success === undefined) high = middle - 1;
    else low = middle + 1;
  }
  return found;
}

/** The first of them that budgets let go together. */
function nodesWithinBudgets(
  sorted: readonly DisruptionCandidate[],
  { seen, now }: ConsolidationJudgement,
): { readonly prefix: readonly DisruptionCandidate[]; readonly isHeldByBudgets: boolean } {
  const ledger = new BudgetLedger(seen.nodes, { reason: 'Underutilized', now });
  const prefix: DisruptionCandidate[] = [];
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
