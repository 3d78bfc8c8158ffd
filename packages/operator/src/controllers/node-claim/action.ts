import type { ConditionUpdate, Instant, Node } from '@nodewright/apis';
import type { LaunchRequest, LaunchWarning } from '@nodewright/ports';

export type ClaimAction =
  | { readonly kind: 'adopt'; readonly because: string }
  | { readonly kind: 'launch'; readonly request: LaunchRequest; readonly because: string }
  | { readonly kind: 'register'; readonly node: Node; readonly because: string }
  | { readonly kind: 'initialize'; readonly node: Node; readonly because: string }
  | { readonly kind: 'mark'; readonly condition: ConditionUpdate; readonly because: string }
  | ({ readonly kind: 'delete' } & GivingUp)
  | { readonly kind: 'annotateDeadline'; readonly deadline: Instant; readonly because: string }
  | { readonly kind: 'bind'; readonly node: Node; readonly because: string }
  | { readonly kind: 'deleteNode'; readonly node: Node; readonly because: string }
  | { readonly kind: 'terminateInstance'; readonly providerId: string; readonly because: string }
  | { readonly kind: 'release'; readonly because: string };

export type DeletionReason =
  | 'launch_timeout'
  | 'registration_timeout'
  | 'insufficient_capacity'
  | 'nodeclass_not_ready'
  | 'image_never_joins';

/** Why a claim is deleted, and what is reported with that. */
export type GivingUp = {
  readonly reason: DeletionReason;
  readonly because: string;
  readonly warning?: LaunchWarning | undefined;
};

/** One step at a time: the write it makes brings the next turn. */
export type ClaimPlan = { readonly action?: ClaimAction; readonly recheckAt?: Instant };
