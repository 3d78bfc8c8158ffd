import { filterPerItem, isConditionTrue, seconds, type Instant } from '@nodewright/apis';
import { isMarkedForDeletion, type NodeState } from '../../cluster/node-state.ts';
import { BudgetLedger } from '../budgets/budget-ledger.ts';
import type { DisruptionCandidate } from '../candidates/candidate.ts';
import type { DisruptionCommand } from '../command.ts';
import { isEmptyAt, rescheduleCostOf } from '../candidates/disruption-cost.ts';
import { emptinessBarrier, isLastingBarrier, printEmptinessEvent } from './emptiness-barrier.ts';
import type { BlockedNode, DisruptionMethod, MethodPlan, NodeRemark, CommandValidation } from '../method.ts';
import { nextDisruptionChange } from '../next-change.ts';
import { EvictionRules } from '../evictions/pod-disruption-budgets.ts';
import { bestSavingsFirst } from '../candidates/savings-order.ts';
import { splitEligibleNodes } from '../eligible-nodes.ts';
import type { DisruptionSnapshot } from '../snapshot.ts';

/**
 * The nodes to delete because no pod needs them: as many as budgets allow, best savings first. Pods that stay
 * with their node do not count, nor does the `consolidationPolicy` of its pool.
 * @see https://karpenter.sh/docs/concepts/disruption/#consolidation
 */
function planEmptiness(seen: DisruptionSnapshot, now: Instant): MethodPlan {
  const { candidates, unconsolidatable, ...eligibility } = emptyCandidates(seen, now);
  const { within, beyond } = emptyNodesWithinBudgets(candidates, seen, now);
  const blocked = [...eligibility.blocked, ...beyond];
  const recheckAt = nextDisruptionChange(blocked, seen, now);
  return {
    commands: within.length === 0 ? [] : [deletionOf(within)],
    eligible: candidates.map(({ state }) => state),
    blocked,
    unconsolidatable,
    ...(recheckAt === undefined ? {} : { recheckAt }),
  };
}

/** Of a command that has waited: the nodes that are still empty, and that budgets still allow. */
function validateEmptiness(command: DisruptionCommand, seen: DisruptionSnapshot, now: Instant): CommandValidation {
  const chosen = new Set(command.candidates.map(emptyNodeClaimName));
  const still = emptyCandidates(seen, now).candidates.filter((candidate) => chosen.has(emptyNodeClaimName(candidate)));
  const { within, beyond } = emptyNodesWithinBudgets(still, seen, now);
  const kept = new Set(within.map(emptyNodeClaimName));
  const overBudget = new Set(beyond.map(({ node }) => node.nodeClaim?.metadata.name));
  return {
    ...(within.length === 0 ? {} : { command: deletionOf(within) }),
    dropped: [...chosen]
      .filter((claim) => !kept.has(claim))
      .map((claim) => ({ claim, because: overBudget.has(claim) ? 'budget' : 'churn' })),
  };
}

/** While a cluster grows, something changes all the time, and thousands of new nodes are empty for a moment. */
const emptinessSettlingMs = seconds(10);

/** Deletes empty nodes. */
export const emptinessMethod: DisruptionMethod = {
  name: 'Emptiness',
  reason: 'Empty',
  consolidationType: 'empty',
  restMs: emptinessSettlingMs,
  plan: planEmptiness,
  validate: validateEmptiness,
};

type EmptyNodes = {
  readonly candidates: readonly DisruptionCandidate[];
  readonly blocked: readonly BlockedNode[];
  readonly unconsolidatable: readonly NodeRemark[];
};

/** The empty nodes that may be deleted, and the blockers of the other empty nodes. */
function emptyCandidates(seen: DisruptionSnapshot, now: Instant): EmptyNodes {
  const rules = new EvictionRules(seen.podDisruptionBudgets);
  const eligibility = splitEligibleNodes(emptyOfOurs(seen.nodes), seen, {
    disruptionClass: 'graceful',
    reason: 'Empty',
    rules,
    now,
  });
  const candidates: DisruptionCandidate[] = [];
  const unconsolidatable: NodeRemark[] = [];
  for (const candidate of eligibility.candidates) {
    const barrier = emptinessBarrier(candidate);
    if (barrier === undefined) candidates.push(candidate);
    else if (isLastingBarrier(barrier))
      unconsolidatable.push({ node: candidate.state, message: printEmptinessEvent(barrier) });
  }
  return {
    candidates: candidates.toSorted(bestSavingsFirst),
    blocked: eligibility.blocked.filter(isEmptinessBlockerReported),
    unconsolidatable,
  };
}

/** Whether a blocker is worth a report. New nodes, and nodes that have just become empty, are not expected to be removed. */
const isEmptinessBlockerReported = ({ node: { nodeClaim } }: BlockedNode): boolean =>
  nodeClaim !== undefined && isConditionTrue(nodeClaim, 'Consolidatable');

const emptyOfOurs = filterPerItem(
  (state: NodeState): boolean =>
    state.node !== undefined &&
    state.nodeClaim !== undefined &&
    !isMarkedForDeletion(state) &&
    isEmptyAt(rescheduleCostOf(state)),
);

function emptyNodesWithinBudgets(
  candidates: readonly DisruptionCandidate[],
  { nodes }: DisruptionSnapshot,
  now: Instant,
) {
  const ledger = new BudgetLedger(nodes, { reason: 'Empty', now });
  const within: DisruptionCandidate[] = [];
  const beyond: BlockedNode[] = [];
  for (const candidate of candidates) {
    const blocker = ledger.blockerOf(candidate.nodePool);
    if (blocker === undefined) {
      ledger.take(candidate.nodePool);
      within.push(candidate);
    } else beyond.push({ node: candidate.state, blocker });
  }
  return { within, beyond };
}

const deletionOf = (candidates: readonly DisruptionCandidate[]): DisruptionCommand => ({
  reason: 'Empty',
  consolidationType: 'empty',
  candidates,
  replacements: [],
  destinations: [],
});

const emptyNodeClaimName = ({ state }: DisruptionCandidate): string => state.nodeClaim?.metadata.name ?? '';
