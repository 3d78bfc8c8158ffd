import {
  conditionOf,
  conditionTrue,
  earliest,
  isConditionTrue,
  minutes,
  nodeClaimConditions,
  withCondition,
  withoutCondition,
  type AdmittedNode,
  type EC2NodeClass,
  type Instant,
  type NodeClaim,
  type NodePool,
} from '@nodewright/apis';
import { driftReason, type ImageDecision, type InstanceType, isTypeJudgedFrom } from '@nodewright/engine';
import type { Instance } from '@nodewright/ports';
import type { DriftFinding } from '../../state/drift-findings.ts';
import { specFingerprint } from '../../state/spec-fingerprint.ts';
import { pollAtOrAfter } from '../../state/poll-times.ts';
import { planConsolidatable } from './consolidatable.ts';

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
  /** A rollout policy decides when the claim's node goes: here is whether it has let it go. */
  readonly governed?: { readonly admitted: AdmittedNode | undefined };
};

/** `recheckAt`: when time alone may bring another decision. */
export type DriftPlan = {
  readonly after: NodeClaim;
  readonly because: string;
  readonly recheckAt?: Instant | undefined;
};

/** What AWS sells, and where an instance is, is looked at so often. */
export const driftPollMs = minutes(5);

/** Both conditions that a turn keeps. */
export type ClaimMarksPlan = {
  readonly drift: DriftPlan;
  readonly after: NodeClaim;
  readonly recheckAt?: Instant | undefined;
};

/** The claim with its conditions Drifted and Consolidatable as they have to be. */
export function planClaimMarks(seen: ClaimDriftSnapshot, now: Instant): ClaimMarksPlan {
  const drift = planDrift(seen, now);
  const { after, recheckAt } = planConsolidatable(drift.after, seen.nodePool, now);
  return { drift, after, recheckAt: earliest(drift.recheckAt, recheckAt) };
}

/** Whether the claim has drifted by what is remembered of its instance, and would not have without that. */
export const restsOnInstance = (seen: ClaimDriftSnapshot, now: Instant): boolean =>
  seen.instance !== undefined &&
  isConditionTrue(planDrift(seen, now).after, 'Drifted') &&
  !isConditionTrue(planDrift({ ...seen, instance: undefined }, now).after, 'Drifted');

/** The claim with its Drifted condition as it has to be. */
export function planDrift(seen: ClaimDriftSnapshot, now: Instant): DriftPlan {
  const { claim } = seen;
  const recheckAt = nextDriftChange(claim, now);
  const reason = isConditionTrue(claim, 'Launched') ? visibleReason(seen, now) : undefined;
  if (reason === undefined) return { after: withoutDrift(claim), because: 'nothing differs', recheckAt };
  const after = withCondition(nodeClaimConditions, claim, conditionTrue('Drifted', reason, reason), now);
  return { after, because: reason, recheckAt };
}

/** Of a node that a policy governs the reason shows once the policy lets it go. */
function visibleReason(seen: ClaimDriftSnapshot, now: Instant): string | undefined {
  if (seen.governed === undefined) return driftReason({ ...seen, now });
  switch (seen.governed.admitted?.reason) {
    case undefined:
      return undefined;
    case 'Image':
    case 'Rollback':
      return 'AMIDrift';
    case 'Age':
      return 'MaxAgeReached';
    case 'Drift':
      return driftReason({ ...seen, isApartFromImage: true, now });
  }
}

/** What a policy learns about the claim: whether it has drifted in anything but its image, and from which specs. */
export function findDrift(seen: ClaimDriftSnapshot, now: Instant): DriftFinding {
  const specs = specFingerprint(seen.nodePool, seen.nodeClass);
  const isLaunched = isConditionTrue(seen.claim, 'Launched');
  const reason = isLaunched ? driftReason({ ...seen, isApartFromImage: true, now }) : undefined;
  return { specs, ...(reason === undefined ? {} : { reason }) };
}

/** The first poll that judges whether the claim's type is still on offer; `undefined` once it has been. */
function nextDriftChange(claim: NodeClaim, now: Instant): Instant | undefined {
  const from = isTypeJudgedFrom(claim);
  return from === undefined || from <= now ? undefined : pollAtOrAfter(from, { now, everyMs: driftPollMs });
}

const withoutDrift = (claim: NodeClaim): NodeClaim =>
  conditionOf(claim, 'Drifted') === undefined ? claim : withoutCondition(nodeClaimConditions, claim, 'Drifted');
