import { filterPerItem, isConditionTrue, type Instant } from '@nodewright/apis';
import { nodeNameOf, nodePoolNameOf, type NodeState } from '../../cluster/node-state.ts';
import { BudgetLedger } from '../budgets/budget-ledger.ts';
import type { DisruptionCandidate } from '../candidates/candidate.ts';
import type { DisruptionCommand } from '../command.ts';
import type { DisruptionBlocker } from '../candidates/disruption-blocker.ts';
import type { BlockedNode, DisruptionMethod, MethodPlan } from '../method.ts';
import { sortByDrift } from './drift-order.ts';
import { nextDisruptionChange } from '../next-change.ts';
import { EvictionRules } from '../evictions/pod-disruption-budgets.ts';
import { splitEligibleNodes } from '../eligible-nodes.ts';
import { RefusedAlike } from '../simulation/refused-alike.ts';
import { simulateWithout } from '../simulation/simulation.ts';
import type { DisruptionSnapshot } from '../snapshot.ts';

/**
 * The drifted node to replace next: empty nodes first, then by the time of drift; one at
 * a time, within the budgets of its pool, and only if all its pods have another place.
 *
 * Pods that must not be disrupted hold a node back unless it has a `terminationGracePeriod`.
 * @see https://karpenter.sh/docs/concepts/disruption/#drift
 */
export function planDriftDisruption(seen: DisruptionSnapshot, now: Instant): MethodPlan {
  const rules = new EvictionRules(seen.podDisruptionBudgets);
  const ledger = new BudgetLedger(seen.nodes, { reason: 'Drifted', now }, seen.takenBack);
  const judgement = { rules, ledger, refused: new RefusedAlike(seen, { rules, now }), now };
  const eligibility = splitEligibleNodes(dynamicAndDrifted(seen), seen, {
    disruptionClass: 'eventual',
    reason: 'Drifted',
    rules,
    now,
  });
  const candidates = sortByDrift(eligibility.candidates);
  const eligible = candidates.map(({ state }) => state);
  const blocked: BlockedNode[] = [...eligibility.blocked];
  for (const [index, candidate] of candidates.entries()) {
    const outcome = tryReplacement(candidate, seen, judgement);
    if ('command' in outcome)
      return { commands: [outcome.command], eligible, blocked: [...blocked, ...queueBehind(candidates, index)] };
    blocked.push({ node: candidate.state, blocker: outcome.blocker });
  }
  const recheckAt = nextDisruptionChange(blocked, seen, now);
  return { commands: [], eligible, blocked, ...(recheckAt === undefined ? {} : { recheckAt }) };
}

/** Drift of pools without `replicas`. */
export const driftMethod: DisruptionMethod = { name: 'Drift', reason: 'Drifted', plan: planDriftDisruption };

const driftedAmong = filterPerItem(
  ({ nodeClaim }: NodeState): boolean => nodeClaim !== undefined && isConditionTrue(nodeClaim, 'Drifted'),
);

/** Nodes of static pools are replaced one for one by another method. */
function dynamicAndDrifted({ nodes, staticPools }: DisruptionSnapshot): readonly NodeState[] {
  const drifted = driftedAmong(nodes);
  if (staticPools === undefined || staticPools.size === 0) return drifted;
  return drifted.filter((state) => !staticPools.has(nodePoolNameOf(state) ?? ''));
}

type DriftJudgement = {
  readonly rules: EvictionRules;
  readonly ledger: BudgetLedger;
  readonly refused: RefusedAlike;
  readonly now: Instant;
};

function tryReplacement(
  candidate: DisruptionCandidate,
  seen: DisruptionSnapshot,
  { rules, ledger, refused, now }: DriftJudgement,
): { readonly command: DisruptionCommand } | { readonly blocker: DisruptionBlocker } {
  const blocker = ledger.blockerOf(candidate.nodePool, candidate.state) ?? refused.blockerOf(candidate);
  if (blocker !== undefined) return { blocker };
  const simulation = simulateWithout([candidate], seen, { rules, now });
  if (simulation.kind === 'fails') {
    refused.note(candidate, simulation.blocker);
    return { blocker: simulation.blocker };
  }
  const { newNodes, existing } = simulation;
  return {
    command: { reason: 'Drifted', candidates: [candidate], replacements: newNodes, destinations: existing },
  };
}

function queueBehind(candidates: readonly DisruptionCandidate[], index: number): readonly BlockedNode[] {
  const behind = candidates.slice(index, index + 1).map(({ state }) => nodeNameOf(state))[0] ?? '';
  return candidates.slice(index + 1).map(({ state }) => ({ node: state, blocker: { kind: 'waiting', behind } }));
}
