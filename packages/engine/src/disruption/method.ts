import { seconds, type DisruptionReason, type Instant } from '@nodewright/apis';
import type { NodeState } from '../cluster/node-state.ts';
import type { ConsolidationType, DisruptionCommand } from './command.ts';
import type { SearchOutcome } from './moves/search.ts';
import type { DisruptionBlocker } from './candidates/disruption-blocker.ts';
import type { DisruptionSnapshot } from './snapshot.ts';

export type BlockedNode = { readonly node: NodeState; readonly blocker: DisruptionBlocker };

/** A message about a node: one sentence without a full stop. */
export type NodeRemark = { readonly node: NodeState; readonly message: string };

/** The decision of a method. */
export type MethodPlan = {
  /** Started all together; where there is one, no later method is asked in this pass. */
  readonly commands: readonly DisruptionCommand[];
  /** Nodes that only budgets and the needs of their pods keep from this method. */
  readonly eligible: readonly NodeState[];
  /** Nodes that the method is there for, and why they are not disrupted now. */
  readonly blocked: readonly BlockedNode[];
  /** Nodes that may be disrupted but that the node itself or its pool excludes, with the reason. */
  readonly unconsolidatable?: readonly NodeRemark[];
  /** The next instant at which time alone may unblock something. */
  readonly recheckAt?: Instant;
  /** A limit was reached before all nodes were examined. */
  readonly isUnfinished?: boolean;
  /** The moves that the method weighed, if it weighs moves. */
  readonly search?: SearchOutcome;
};

/** Why a command is not carried out after all. */
export type ValidationFailure = 'churn' | 'budget' | 'scheduling' | 'unknown';

export type DroppedClaim = {
  readonly claim: string;
  readonly because: ValidationFailure;
  /** In a sentence without a full stop. */
  readonly detail?: string;
};

/** The result of checking a command again after the validation period. */
export type CommandValidation = {
  /** Absent when the command is no longer valid. */
  readonly command?: DisruptionCommand;
  /** Claims that were to be disrupted and are not, by name. */
  readonly dropped: readonly DroppedClaim[];
};

/** A method of choosing nodes to disrupt. Methods run in order, and the first one with a command ends the pass. */
export type DisruptionMethod = {
  readonly name: string;
  readonly reason: DisruptionReason;
  readonly consolidationType?: ConsolidationType;
  /** How long the method pauses after it found nothing, whatever changes. */
  readonly restMs?: number;
  readonly plan: (seen: DisruptionSnapshot, now: Instant) => MethodPlan;
  /**
   * Checks a command of this method again after `validationMs`. Commands of a method without it start
   * at once.
   */
  readonly validate?: (command: DisruptionCommand, seen: DisruptionSnapshot, now: Instant) => CommandValidation;
};

/** How long a command that only saves money waits for pods that may be on their way. */
export const validationMs = seconds(15);
