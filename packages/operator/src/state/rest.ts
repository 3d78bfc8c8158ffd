import {
  conditionOf,
  type EC2NodeClass,
  fromTimestamp,
  instant,
  type Instant,
  isConditionTrue,
  minutes,
  type NodeClaim,
} from '@nodewright/apis';
import { isManagedNodeClass } from './managed.ts';
import { findNodeOfClaim } from './node-identity.ts';
import type { Objects } from './objects.ts';

/** How long nothing must have happened. Longer than a claim takes to become a node. */
const restAfterMs = minutes(15);

/** Whether no node comes or goes, and none has come for a while. */
export const areClaimsAtRest = (claims: readonly NodeClaim[], now: Instant): boolean =>
  claims.every(
    (claim) =>
      claim.metadata.deletionTimestamp === undefined &&
      isConditionTrue(claim, 'Initialized') &&
      hasLasted(claim.metadata.creationTimestamp, now),
  );

/** Whether the class has been ready as it is for a while. */
export function isNodeClassAtRest(nodeClass: EC2NodeClass, now: Instant): boolean {
  const ready = conditionOf(nodeClass, 'Ready');
  return (
    ready?.status === 'True' &&
    ready.observedGeneration === nodeClass.metadata.generation &&
    hasLasted(ready.lastTransitionTime, now)
  );
}

/** Whether no node comes or goes, and every claim has a node that is ready: nothing suggests that an instance is in trouble. */
export function areNodesAtRest(objects: Pick<Objects, 'nodeClaims' | 'nodes'>, now: Instant): boolean {
  const claims = objects.nodeClaims.list().filter(({ spec }) => isManagedNodeClass(spec.nodeClassRef));
  return areClaimsAtRest(claims, now) && claims.every((claim) => hasReadyNode(objects, claim));
}

function hasReadyNode(objects: Pick<Objects, 'nodes'>, claim: NodeClaim): boolean {
  const node = findNodeOfClaim(objects, claim);
  return node !== undefined && isConditionTrue(node, 'Ready');
}

const hasLasted = (since: string | undefined, now: Instant): boolean =>
  since !== undefined && now >= instant(fromTimestamp(since) + restAfterMs);
