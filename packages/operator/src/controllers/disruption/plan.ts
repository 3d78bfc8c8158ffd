import { instant, type DisruptionReason, type Instant, type NodeClaim } from '@nodewright/apis';
import {
  claimFor,
  isAnnounced,
  planDriftDisruption,
  type DisruptionBlocker,
  type DriftCommand,
  type NewNode,
  type NodeState,
} from '@nodewright/engine';
import { firstTimeout, leftBehind, needsOnlyTime, planCommands, type CommandAction } from './command-plan.ts';
import type { DisruptionSnapshot } from './observe.ts';

/** Nodes to be disrupted together, and the claims that take over from them. */
export type PlannedCommand = {
  readonly reason: DisruptionReason;
  readonly decision: 'delete' | 'replace';
  readonly candidates: readonly NodeState[];
  readonly replacements: readonly { readonly claim: NodeClaim; readonly newNode: NewNode }[];
  /** Nodes that are there and take some of the pods. */
  readonly destinations: readonly NodeState[];
};

export type DisruptionAction =
  | CommandAction
  | { readonly kind: 'start'; readonly command: PlannedCommand; readonly because: string }
  | { readonly kind: 'tellBlocked'; readonly node: NodeState; readonly blocker: DisruptionBlocker };

export type DisruptionPlan = { readonly actions: readonly DisruptionAction[]; readonly recheckAt: Instant };

const pollMs = 10_000;
const busyPollMs = 1_000;

/**
 * Goes on with the commands under way; a new one is thought of only when none of them needs anything but time.
 *
 * A command that never got going is thought of anew, and finds half of its work done; what is not wanted any more is
 * cleared away. So an operator that dies at every step still moves on.
 */
export function planDisruption(seen: DisruptionSnapshot, now: Instant): DisruptionPlan {
  const steps = planCommands(seen.commands, now);
  const soon = { recheckAt: instant(now + busyPollMs) };
  const { problem } = seen;
  if (problem === undefined || !steps.every(needsOnlyTime)) return { actions: steps, ...soon };
  const { command, blocked } = planDriftDisruption(problem, now);
  const told = blocked
    .filter(({ blocker }) => isAnnounced(blocker))
    .map(({ node, blocker }) => ({ kind: 'tellBlocked', node, blocker }) as const);
  const started = command === undefined ? [] : [start(command)];
  const taken = command?.candidate.state.nodeClaim?.metadata.name;
  const cleared = leftBehind(seen.commands, problem.nodes).filter(
    (action) => action.kind !== 'release' || action.claim.metadata.name !== taken,
  );
  // Replacements that come are told of by their claims; only what was just begun or cleared is looked at again soon.
  const isBusy = started.length + cleared.length > 0;
  return {
    actions: [...steps, ...cleared, ...started, ...told],
    ...(isBusy ? soon : { recheckAt: instant(Math.min(now + pollMs, firstTimeout(seen.commands))) }),
  };
}

const start = ({ candidate, replacements, destinations }: DriftCommand): DisruptionAction => ({
  kind: 'start',
  command: {
    reason: 'Drifted',
    decision: replacements.length === 0 ? 'delete' : 'replace',
    candidates: [candidate.state],
    replacements: replacements.map((newNode) => ({ claim: claimFor(newNode), newNode })),
    destinations: destinations.map(({ node }) => node),
  },
  because: candidate.state.nodeClaim?.status?.conditions?.find(({ type }) => type === 'Drifted')?.reason ?? 'Drifted',
});
