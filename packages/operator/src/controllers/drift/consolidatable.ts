import {
  conditionTrue,
  nodeClaimConditions,
  withCondition,
  withoutCondition,
  type Instant,
  type NodeClaim,
  type NodePool,
} from '@nodewright/apis';
import { quietAt } from '@nodewright/engine';

export type ConsolidatablePlan = { readonly after: NodeClaim; readonly recheckAt?: Instant };

/**
 * The claim with its Consolidatable condition as it has to be: true once no pod has come or gone for
 * the pool's `consolidateAfter`. Before the first pod the time since initialization counts.
 */
export function planConsolidatable(claim: NodeClaim, nodePool: NodePool, now: Instant): ConsolidatablePlan {
  const due = quietAt(claim, nodePool);
  // The nodes of a static pool are never consolidated: their number is given.
  if (nodePool.spec.replicas !== undefined || due === undefined) return { after: withoutMark(claim) };
  if (now < due) return { after: withoutMark(claim), recheckAt: due };
  return { after: withCondition(nodeClaimConditions, claim, conditionTrue('Consolidatable'), now) };
}

const withoutMark = (claim: NodeClaim): NodeClaim => withoutCondition(nodeClaimConditions, claim, 'Consolidatable');
