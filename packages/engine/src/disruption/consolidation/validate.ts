import { isNominated } from '../../cluster/node-state.ts';
import type { NewNode } from '../../solve/problem.ts';
import { BudgetLedger } from '../budgets/budget-ledger.ts';
import type { DisruptionCandidate } from '../candidates/candidate.ts';
import { gatherCandidates } from './gather.ts';
import { simulateMove, type ConsolidationJudgement } from './consider.ts';
import type { ConsolidationMove } from '../moves/move.ts';
import { cheaperReplacement } from './replacement.ts';

/** Why a move that was found is not made after all. */
export type MoveObjection = { readonly kind: 'churn' | 'budget' | 'scheduling'; readonly because: string };

/** A move that is as good as before, with its nodes as they are now; or why it is not made. */
export type MoveCheck = { readonly move: ConsolidationMove } | { readonly objection: MoveObjection };

/**
 * Looks at a move again after the cluster was watched for a while. Against it are pods that came to its nodes, budgets
 * that others use, pods that would have no place any more, and a replacement that would be another or no longer cheaper.
 */
export function checkMove(move: ConsolidationMove, judgement: ConsolidationJudgement): MoveCheck {
  const fresh = freshCandidates(move, judgement);
  if ('kind' in fresh) return { objection: fresh };
  const { candidates } = fresh;
  const objection = budgetObjection(candidates, judgement) ?? placeObjection(move, candidates, judgement);
  return objection === undefined ? { move: { ...move, candidates } } : { objection };
}

function freshCandidates(
  { candidates }: ConsolidationMove,
  judgement: ConsolidationJudgement,
): { readonly candidates: readonly DisruptionCandidate[] } | MoveObjection {
  const names = new Set(candidates.map(candidateClaimName));
  const among = judgement.seen.nodes.filter(({ nodeClaim }) => names.has(nodeClaim?.metadata.name ?? ''));
  if (among.some((state) => isNominated(state, judgement.now)))
    return { kind: 'budget', because: 'a pod is on its way to one of the nodes' };
  const found = gatherCandidates(judgement, among);
  return found.candidates.length === names.size
    ? { candidates: found.candidates }
    : { kind: 'churn', because: 'one of the nodes cannot be consolidated any more' };
}

const candidateClaimName = ({ state }: DisruptionCandidate): string => state.nodeClaim?.metadata.name ?? '';

function budgetObjection(
  candidates: readonly DisruptionCandidate[],
  { seen, now }: ConsolidationJudgement,
): MoveObjection | undefined {
  const ledger = new BudgetLedger(seen.nodes, { reason: 'Underutilized', now });
  for (const { nodePool } of candidates) {
    if (ledger.remaining(nodePool) === 0) {
      return {
        kind: 'budget',
        because: `the disruption budgets of NodePool ${nodePool.metadata.name} have no room left`,
      };
    }
    ledger.take(nodePool);
  }
  return undefined;
}

function placeObjection(
  { replacements: [planned] }: ConsolidationMove,
  candidates: readonly DisruptionCandidate[],
  judgement: ConsolidationJudgement,
): MoveObjection | undefined {
  const simulation = simulateMove(candidates, judgement);
  if (simulation.kind === 'fails')
    return { kind: 'scheduling', because: 'a pod of the nodes has no other place any more' };
  const { newNodes } = simulation;
  const [needed] = newNodes;
  if (newNodes.length !== (planned === undefined ? 0 : 1) && newNodes.length > 0)
    return { kind: 'scheduling', because: `the pods now need ${newNodes.length} new nodes` };
  if (planned === undefined) return undefined;
  if (needed === undefined) return { kind: 'scheduling', because: 'the pods now fit elsewhere without a new node' };
  return isMoveStillValid(planned, needed, candidates, judgement)
    ? undefined
    : { kind: 'scheduling', because: 'the replacement would be of other instance types now, or is no longer cheaper' };
}

/** Every type it may be launched as would still do, at the prices of now. */
function isMoveStillValid(
  planned: NewNode,
  needed: NewNode,
  candidates: readonly DisruptionCandidate[],
  judgement: ConsolidationJudgement,
): boolean {
  const names = new Set(planned.instanceTypes.map(({ name }) => name));
  const instanceTypes = needed.instanceTypes.filter(({ name }) => names.has(name));
  if (instanceTypes.length !== names.size) return false;
  const again = cheaperReplacement({ ...planned, instanceTypes }, candidates, judgement);
  return again.kind === 'cheaper' && again.newNode.instanceTypes.length === names.size;
}
