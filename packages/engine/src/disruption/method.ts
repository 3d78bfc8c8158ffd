import { seconds, type DisruptionReason, type Instant } from '@nodewright/apis';
import type { NodeState } from '../cluster/node-state.ts';
import type { ConsolidationType, DisruptionCommand } from './command.ts';
import type { SearchOutcome } from './moves/search.ts';
import type { DisruptionBlocker } from './candidates/disruption-blocker.ts';
import type { DisruptionSnapshot } from './snapshot.ts';

export type BlockedNode = { readonly node: NodeState; readonly blocker: DisruptionBlocker };

/** Something to tell about a node, in a sentence without a full stop. */
export type NodeRemark = { readonly node: NodeState; readonly message: string };

/** What a method would do now. */
export type MethodPlan = {
  /** Started all together; where there is one, no later method is asked in this pass. */
  readonly commands: readonly DisruptionCommand[];
  /** Nodes that nothing keeps from this method but budgets, and what their pods need. */
  readonly eligible: readonly NodeState[];
  /** Nodes that the method is there for, and why they are not disrupted now. */
  readonly blocked: readonly BlockedNode[];
  /** Nodes that nothing keeps from being disrupted but what they or their pools are, and why. */
  readonly unconsolidatable?: readonly NodeRemark[];
  /** The next instant at which time alone may unblock something. */
  readonly recheckAt?: Instant;
  /** Time was up before everything was looked at. */
  readonly isUnfinished?: boolean;
  /** Of a method that weighs moves: what it weighed. */
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

/** What is left of a command that has waited. */
export type Validation = {
  /** Absent: nothing is left of it. */
  readonly command?: DisruptionCommand;
  /** Claims that were to be disrupted and are not, by name. */
  readonly dropped: readonly DroppedClaim[];
};

/** One way of choosing nodes to disrupt. Methods are asked in order, and the first that finds something ends the pass. */
export type DisruptionMethod = {
  readonly name: string;
  readonly reason: DisruptionReason;
  readonly consolidationType?: ConsolidationType;
  /** For so long it is not asked again after it found nothing, whatever changes. */
  readonly restMs?: number;
  readonly plan: (seen: DisruptionSnapshot, now: Instant) => MethodPlan;
  /**
   * What is left of a command of this method that has waited for `validationMs`. Commands of a method without it start
   * at once.
   */
  readonly validate?: (command: DisruptionCommand, seen: DisruptionSnapshot, now: Instant) => Validation;
};

/** How long the cluster is watched before something that only saves money is done: pods may be on their way. */
export const validationMs = seconds(15);
