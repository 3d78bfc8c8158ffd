import {
  conditionOf,
  conditionTrue,
  instant,
  isConditionTrue,
  nodeClaimConditions,
  withCondition,
  withoutCondition,
  type EC2NodeClass,
  type Instant,
  type NodeClaim,
  type NodePool,
} from '@nodewright/apis';
import { driftReason, type ImageDecision, type InstanceType } from '@nodewright/engine';
import type { Instance } from '@nodewright/ports';

/** A claim, and everything it could have drifted from. */
export type ClaimDriftSnapshot = {
  readonly claim: NodeClaim;
  readonly nodePool: NodePool;
  /** The class that the pool refers to now, whatever the claim was launched with. */
  readonly nodeClass: EC2NodeClass | undefined;
  readonly instanceTypes: readonly InstanceType[];
  readonly instance: Instance | undefined;
  /** Kinds of types whose images are all too young to be launched. */
  readonly withheld: ImageDecision['withheld'];
};

export type DriftPlan = { readonly after: NodeClaim; readonly because: string; readonly recheckAt: Instant };

const recheckMs = 5 * 60_000;

/** The claim with its Drifted condition as it has to be. */
export function planDrift(seen: ClaimDriftSnapshot, now: Instant): DriftPlan {
  const { claim } = seen;
  const recheckAt = instant(now + recheckMs);
  const reason = isConditionTrue(claim, 'Launched') ? driftReason({ ...seen, now }) : undefined;
  if (reason === undefined) return { after: withoutDrift(claim), because: 'nothing differs', recheckAt };
  const after = withCondition(nodeClaimConditions, claim, conditionTrue('Drifted', reason, reason), now);
  return { after, because: reason, recheckAt };
}

const withoutDrift = (claim: NodeClaim): NodeClaim =>
  conditionOf(claim, 'Drifted') === undefined ? claim : withoutCondition(nodeClaimConditions, claim, 'Drifted');
