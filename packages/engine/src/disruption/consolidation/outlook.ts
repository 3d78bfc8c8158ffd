import type { Instant } from '@nodewright/apis';
import { nodeNameOf, type NodeState } from '../../cluster/node-state.ts';
import { BudgetLedger } from '../budgets/budget-ledger.ts';
import { candidacyOf } from '../candidates/candidate.ts';
import { printedBlocker } from '../candidates/disruption-blocker.ts';
import { emptinessBarrier, printedEmptinessBarrier } from '../emptiness/emptiness-barrier.ts';
import { EvictionRules } from '../evictions/pod-disruption-budgets.ts';
import type { DisruptionSnapshot } from '../snapshot.ts';
import { isApproved, poolTotals, scoresOf } from '../moves/balance.ts';
import { consolidationBarrier, printedBarrier } from './barrier.ts';
import { considerMove } from './consider.ts';
import { savingsOf, type ConsolidationMove } from '../moves/move.ts';
import { printedPrice, printedRefusal } from '../moves/refusal.ts';

/**
 * What consolidation would do with a candidate, or why it stays: one sentence without a full stop.
 * @param spotToSpot the gate `SpotToSpotConsolidation`
 * @returns `undefined` where the node may not be disrupted at all
 */
export function consolidationOutlook(
  state: NodeState,
  seen: DisruptionSnapshot,
  { now, spotToSpot }: { readonly now: Instant; readonly spotToSpot: boolean },
): string | undefined {
  const rules = new EvictionRules(seen.podDisruptionBudgets);
  const supplies = [...seen.supplies, ...(seen.staticSupplies ?? [])];
  const { queued, pauses, watched } = seen;
  const held = { queued, pauses, watched, rules, now };
  const candidacy = candidacyOf(state, { supplies, ...held, disruptionClass: 'graceful', reason: 'Underutilized' });
  if (candidacy.kind === 'blocked') return undefined;
  const { candidate } = candidacy;
  const budget = (reason: 'Empty' | 'Underutilized'): string => {
    const blocker = new BudgetLedger(seen.nodes, { reason, now }).blockerOf(candidate.nodePool);
    return blocker === undefined ? '' : `, but ${printedBlocker(blocker)}`;
  };
  const barrier = consolidationBarrier(candidate);
  if (barrier?.kind === 'empty') {
    const kept = emptinessBarrier(candidate);
    return kept === undefined
      ? `it is empty and can be deleted${budget('Empty')}`
      : `it is not deleted as empty: ${printedEmptinessBarrier(kept)}`;
  }
  if (barrier !== undefined) return `it is not consolidated: ${printedBarrier(barrier)}`;
  const consideration = considerMove([candidate], { seen, rules, now, spotToSpot });
  if (consideration.kind === 'refused') return `it is not consolidated: ${printedRefusal(consideration.refusal)}`;
  const scores = scoresOf(consideration.move, poolTotals(seen));
  return isApproved(scores)
    ? `${printedMove(consideration.move)}${budget('Underutilized')}`
    : `it is not consolidated: ${printedRefusal({ kind: 'unbalanced', scores })}`;
}

const mostNamesInOutlook = 5;

function printedMove(move: ConsolidationMove): string {
  const saving = `saving ${printedPrice(savingsOf(move))}`;
  const [replacement] = move.replacements;
  if (replacement !== undefined)
    return `it can be replaced by one of ${printedNameList(replacement.instanceTypes.map(({ name }) => name))}, ${saving}`;
  const where = printedNameList(move.destinations.map(({ node }) => nodeNameOf(node)));
  return `it can be deleted${where === '' ? '' : `: its pods fit on ${where}`}, ${saving}`;
}

function printedNameList(names: readonly string[]): string {
  const more = names.length - mostNamesInOutlook;
  return `${names.slice(0, mostNamesInOutlook).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
