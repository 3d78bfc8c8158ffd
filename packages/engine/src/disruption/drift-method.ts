import { conditionOf, fromTimestamp, instant, isConditionTrue } from '@nodewright/apis';
import type { Instant, NodePool } from '@nodewright/apis';
import { nodeNameOf, nodePoolNameOf } from '../cluster/node-state.ts';
import type { NodeState } from '../cluster/node-state.ts';
import type { ExistingPlacement, NewNode } from '../scheduling/problem.ts';
import { allowance, disruptionsAllowed, nextBudgetChange } from './budgets.ts';
import type { PoolCounts } from './budgets.ts';
import { candidacyOf } from './candidate.ts';
import type { Candidate } from './candidate.ts';
import type { DisruptionBlocker } from './disruption-blocker.ts';
import { EvictionRules } from './pod-disruption-budgets.ts';
import { poolCounts } from './pool-counts.ts';
import { simulateWithout } from './simulation.ts';
import type { DisruptionSnapshot } from './snapshot.ts';

/** One disruption to start: the replacements first, the candidate when they are ready. */
export type DriftCommand = {
  readonly candidate: Candidate;
  /** Nodes to launch beforehand; none when everything fits elsewhere. */
  readonly replacements: readonly NewNode[];
  /** Nodes that are there and will take some of the pods. */
  readonly destinations: readonly ExistingPlacement[];
};

export type BlockedNode = { readonly node: NodeState; readonly blocker: DisruptionBlocker };

export type DriftDisruptionPlan = {
  readonly command?: DriftCommand;
  /** Every other drifted node, and why it is not replaced now. */
  readonly blocked: readonly BlockedNode[];
  /** The next instant at which time alone may unblock something. */
  readonly recheckAt?: Instant;
};

/**
 * Which drifted node to replace next: empty ones first, then those that drifted longest ago; one at
 * a time, within the budgets of its pool, and only if all its pods have a place without it.
 *
 * Pods that must not be disrupted hold a node back unless it has a `terminationGracePeriod`.
 * @see https://karpenter.sh/docs/concepts/disruption/#drift
 */
export function planDriftDisruption(seen: DisruptionSnapshot, now: Instant): DriftDisruptionPlan {
  const judgement = { rules: new EvictionRules(seen.podDisruptionBudgets), budgetOf: budgetsOf(seen, now), now };
  const drifted = seen.nodes.filter(isDynamicAndDrifted(seen));
  const { candidates, blocked } = sift(drifted, seen, judgement);
  for (const [index, candidate] of candidates.entries()) {
    const outcome = attempt(candidate, seen, judgement);
    if ('command' in outcome) {
      const behind = nodeNameOf(candidate.state);
      const waiting = candidates
        .slice(index + 1)
        .map(({ state }) => ({ node: state, blocker: { kind: 'waiting', behind } as const }));
      return { command: outcome.command, blocked: [...blocked, ...waiting] };
    }
    blocked.push({ node: candidate.state, blocker: outcome.blocker });
  }
  const recheckAt = nextChange(blocked, seen, now);
  return { blocked, ...(recheckAt === undefined ? {} : { recheckAt }) };
}

/** Nodes of static pools are replaced one for one by another method. */
const isDynamicAndDrifted =
  ({ staticPools }: DisruptionSnapshot) =>
  (state: NodeState): boolean =>
    state.nodeClaim !== undefined &&
    isConditionTrue(state.nodeClaim, 'Drifted') &&
    staticPools?.has(nodePoolNameOf(state) ?? '') !== true;

type Judgement = {
  readonly rules: EvictionRules;
  /** What keeps a pool from another disruption; `undefined` when nothing does. */
  readonly budgetOf: (nodePool: NodePool) => DisruptionBlocker | undefined;
  readonly now: Instant;
};

/** Counts the nodes of each pool once. */
function budgetsOf({ nodes }: DisruptionSnapshot, now: Instant): Judgement['budgetOf'] {
  const known = new Map<string, DisruptionBlocker | undefined>();
  return (nodePool) => {
    const { name } = nodePool.metadata;
    if (!known.has(name)) known.set(name, budgetBlocker(nodePool, poolCounts(name, nodes), now));
    return known.get(name);
  };
}

function sift(drifted: readonly NodeState[], seen: DisruptionSnapshot, { rules, now }: Judgement) {
  const context = { supplies: seen.supplies, queued: seen.queued, rules, disruptionClass: 'eventual', now } as const;
  const candidates: Candidate[] = [];
  const blocked: BlockedNode[] = [];
  for (const node of drifted) {
    const candidacy = candidacyOf(node, context);
    if (candidacy.kind === 'candidate') candidates.push(candidacy.candidate);
    else blocked.push({ node, blocker: candidacy.blocker });
  }
  return { candidates: candidates.toSorted(emptyFirstThenLongestDrifted), blocked };
}

const emptyFirstThenLongestDrifted = (a: Candidate, b: Candidate): number =>
  Number(a.reschedulable.length > 0) - Number(b.reschedulable.length > 0) ||
  driftedAt(a.state) - driftedAt(b.state) ||
  (nodeNameOf(a.state) < nodeNameOf(b.state) ? -1 : 1);

const driftedAt = ({ nodeClaim }: NodeState): number => {
  const since = nodeClaim && conditionOf(nodeClaim, 'Drifted')?.lastTransitionTime;
  return since === undefined ? 0 : fromTimestamp(since);
};

function attempt(
  candidate: Candidate,
  seen: DisruptionSnapshot,
  judgement: Judgement,
): { readonly command: DriftCommand } | { readonly blocker: DisruptionBlocker } {
  const blocker = judgement.budgetOf(candidate.nodePool);
  if (blocker !== undefined) return { blocker };
  const simulation = simulateWithout([candidate], seen, judgement);
  if (simulation.kind === 'fails') return { blocker: simulation.blocker };
  const { newNodes, existing } = simulation;
  return { command: { candidate, replacements: newNodes, destinations: existing } };
}

function budgetBlocker(nodePool: NodePool, counts: PoolCounts, now: Instant): DisruptionBlocker | undefined {
  const budgets = nodePool.spec.disruption?.budgets;
  const at = { reason: 'Drifted', now } as const;
  if (disruptionsAllowed(budgets, counts, at) > 0) return undefined;
  return {
    kind: 'budget',
    nodePool: nodePool.metadata.name,
    allowed: allowance(budgets, counts.total, at),
    disrupting: counts.disrupting,
  };
}

/** When a budget opens or closes, or the protection of a pod ends. */
function nextChange(
  blocked: readonly BlockedNode[],
  { supplies }: DisruptionSnapshot,
  now: Instant,
): Instant | undefined {
  const ends = blocked.flatMap(({ blocker }) => (blocker.kind === 'protectedPod' ? (blocker.until ?? []) : []));
  const closed = new Set(blocked.flatMap(({ blocker }) => (blocker.kind === 'budget' ? blocker.nodePool : [])));
  const openings = supplies
    .filter(({ nodePool }) => closed.has(nodePool.metadata.name))
    .flatMap(({ nodePool }) => nextBudgetChange(nodePool.spec.disruption?.budgets, now) ?? []);
  const changes = [...ends, ...openings];
  return changes.length === 0 ? undefined : instant(Math.min(...changes));
}
