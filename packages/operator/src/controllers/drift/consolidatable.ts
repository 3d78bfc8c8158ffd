import {
  conditionOf,
  conditionTrue,
  fromTimestamp,
  instant,
  isConditionTrue,
  nodeClaimConditions,
  parseDurationOrNever,
  withCondition,
  withoutCondition,
  type Instant,
  type NodeClaim,
  type NodePool,
} from '@nodewright/apis';

export type ConsolidatablePlan = { readonly after: NodeClaim; readonly recheckAt?: Instant };

/**
 * The claim with its Consolidatable condition as it has to be: true once no pod has come or gone for
 * the pool's `consolidateAfter`. Before the first pod the time since initialization counts.
 */
export function planConsolidatable(claim: NodeClaim, nodePool: NodePool, now: Instant): ConsolidatablePlan {
  const quietFor = parseDurationOrNever(nodePool.spec.disruption?.consolidateAfter ?? '0s');
  // The nodes of a static pool are never consolidated: their number is given.
  if (nodePool.spec.replicas !== undefined || quietFor === 'Never' || !isConditionTrue(claim, 'Initialized')) {
    return { after: withoutMark(claim) };
  }
  const due = instant(quietSince(claim) + quietFor);
  if (now < due) return { after: withoutMark(claim), recheckAt: due };
  return { after: withCondition(nodeClaimConditions, claim, conditionTrue('Consolidatable'), now) };
}

function quietSince(claim: NodeClaim): Instant {
  const since = claim.status?.lastPodEventTime ?? conditionOf(claim, 'Initialized')?.lastTransitionTime;
  return since === undefined ? instant(0) : fromTimestamp(since);
}

const withoutMark = (claim: NodeClaim): NodeClaim => withoutCondition(nodeClaimConditions, claim, 'Consolidatable');
