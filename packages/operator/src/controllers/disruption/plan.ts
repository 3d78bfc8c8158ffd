import { earliest, instant, seconds, type Instant, type NodeClaim } from '@nodewright/apis';
import {
  claimFor,
  isAnnounced,
  staticClaimFor,
  type ConsolidationType,
  type BlockedNode,
  type DisruptionCommand,
  type DisruptionMethod,
  type NewNode,
  type NodeState,
} from '@nodewright/engine';
import { firstTimeout, leftBehind, needsOnlyTime, planCommands, type CommandAction } from './command-plan.ts';
import type { ObservedDisruption } from './observe.ts';
import { disruptionPass, type MethodEvaluation, type Pass, type Proposal } from './pass.ts';
import { isCutShort } from './search-progress.ts';

/** Nodes to be disrupted together, and the claims that take over from them. */
export type PlannedCommand = {
  readonly reason: DisruptionCommand['reason'];
  readonly consolidationType?: ConsolidationType;
  readonly decision: 'delete' | 'replace';
  readonly candidates: readonly NodeState[];
  readonly replacements: readonly { readonly claim: NodeClaim; readonly newNode: NewNode }[];
  /** Nodes that are there and take some of the pods. */
  readonly destinations: readonly NodeState[];
};

export type DisruptionAction =
  | CommandAction
  | { readonly kind: 'start'; readonly command: PlannedCommand }
  | { readonly kind: 'tellBlocked'; readonly blocked: readonly BlockedNode[] };

export type DisruptionPlan = {
  readonly actions: readonly DisruptionAction[];
  /** What the methods said; absent when none was asked. */
  readonly pass?: Pass;
  /** What waits to be looked at again. */
  readonly proposal: Proposal | undefined;
  readonly recheckAt: Instant;
};

/** How often a pass looks for something to do when nothing tells it to. */
export const disruptionPollMs = seconds(10);
const busyPollMs = seconds(1);

/**
 * Goes on with the commands under way; a new one is thought of only when none of them needs anything but time.
 *
 * A command that never got going is thought of anew, and finds half of its work done; what is not wanted any more is
 * cleared away. So an operator that dies at every step still moves on.
 */
export function planDisruption(
  { commands, problem }: ObservedDisruption,
  methods: readonly DisruptionMethod[],
  at: { readonly proposal: Proposal | undefined; readonly now: Instant },
): DisruptionPlan {
  const { proposal, now } = at;
  const steps = planCommands(commands, now);
  const soon = instant(now + busyPollMs);
  if (problem === undefined || !steps.every(needsOnlyTime)) return { actions: steps, proposal, recheckAt: soon };
  const pass = disruptionPass(methods, problem, at);
  const taken = new Set(pass.commands.flatMap(({ candidates }) => candidates.map(claimNameOfCandidate)));
  const cleared = leftBehind(commands, problem.nodes).filter(
    (action) => action.kind !== 'release' || !taken.has(action.claim.metadata.name),
  );
  // A replacement that comes wakes the loop by its claim. Only what was just begun or cleared needs an early look.
  const isBusy = pass.commands.length + cleared.length > 0 || pass.evaluations.some(isInterrupted);
  const later = earliest(instant(now + disruptionPollMs), firstTimeout(commands), pass.proposal?.checkAt);
  return {
    actions: [...steps, ...cleared, ...pass.commands.map(planCommandStart), ...blockedBy(pass)],
    pass,
    proposal: pass.proposal,
    recheckAt: isBusy ? soon : later,
  };
}

/** A search was too long for one pass and goes on in the next. */
const isInterrupted = ({ plan }: MethodEvaluation): boolean => isCutShort(plan);

const claimNameOfCandidate = ({ state }: DisruptionCommand['candidates'][number]): string =>
  state.nodeClaim?.metadata.name ?? '';

/** All in one action: in a large cluster a budget holds hundreds of nodes, at every pass. */
function blockedBy({ evaluations }: Pass): readonly DisruptionAction[] {
  const blocked = evaluations.flatMap(({ plan }) => plan.blocked.filter(({ blocker }) => isAnnounced(blocker)));
  return blocked.length === 0 ? [] : [{ kind: 'tellBlocked', blocked }];
}

const planCommandStart = ({
  reason,
  consolidationType,
  candidates,
  replacements,
  destinations,
}: DisruptionCommand): DisruptionAction => ({
  kind: 'start',
  command: {
    reason,
    ...(consolidationType === undefined ? {} : { consolidationType }),
    decision: replacements.length === 0 ? 'delete' : 'replace',
    candidates: candidates.map(({ state }) => state),
    replacements: replacements.map((newNode) => ({ claim: replacementFor(newNode), newNode })),
    destinations: destinations.map(({ node }) => node),
  },
});

/** In a static pool a node takes over from a node: its type does not depend on pods. */
const replacementFor = (newNode: NewNode): NodeClaim =>
  newNode.nodePool.spec.replicas === undefined ? claimFor(newNode) : staticClaimFor(newNode.nodePool);
