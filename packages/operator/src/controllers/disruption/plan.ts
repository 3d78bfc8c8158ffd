import type { DisruptionReason, Instant, NodeClaim } from '@nodewright/apis';
import type { NewNode, NodeState } from '@nodewright/engine';
import { planCommands, type CommandAction } from './command-plan.ts';
import type { DisruptionSnapshot } from './observe.ts';

/** Nodes to be disrupted together, and the claims that take over from them. */
export type PlannedCommand = {
  readonly reason: DisruptionReason;
  readonly decision: 'delete' | 'replace';
  readonly candidates: readonly NodeState[];
  readonly replacements: readonly { readonly claim: NodeClaim; readonly newNode: NewNode }[];
};

export type DisruptionAction =
  | CommandAction
  | { readonly kind: 'start'; readonly command: PlannedCommand; readonly because: string }
  | { readonly kind: 'tellBlocked'; readonly node: NodeState; readonly because: string };

/** The commands under way come first; a new one is thought of when none of them needs anything now. */
export function planDisruption(seen: DisruptionSnapshot, now: Instant): readonly DisruptionAction[] {
  return planCommands(seen.commands, seen.nodes, now);
}
