import {
  finalizers,
  fromTimestamp,
  instant,
  isConditionTrue,
  karpenterAnnotations,
  parseDurationOrNever,
  type Instant,
  type Node,
  type NodeClaim,
} from '@nodewright/apis';
import type { ClaimSnapshot } from './observe.ts';
import type { ClaimPlan } from './action.ts';
import { isRegisteredNode } from './node-sync.ts';

/** How a deleted claim leaves: its node first (it drains), then the instance, then the finalizer. */
export function planFinalization({ claim, node, isShared }: ClaimSnapshot): ClaimPlan {
  if (!(claim.metadata.finalizers ?? []).includes(finalizers.termination)) return {};
  const deadline = missingDeadline(claim);
  if (deadline !== undefined) {
    return { action: { kind: 'annotateDeadline', deadline, because: 'terminationGracePeriod bounds the drain' } };
  }
  if (isShared) return { action: { kind: 'release', because: 'another claim has the same instance' } };
  // A node that never registered is left alone: an old kubelet would keep renewing the Lease of a deleted node.
  const hasRegistered = isConditionTrue(claim, 'Registered') || (node !== undefined && isRegisteredNode(node));
  if (hasRegistered && node !== undefined) return planNode(claim, node);
  const providerId = claim.status?.providerID ?? '';
  if (providerId === '') return { action: { kind: 'release', because: 'nothing was launched' } };
  return { action: { kind: 'terminateInstance', providerId, because: 'the claim is deleted and has no node' } };
}

/** The drain looks for the claim by the name of its node: the name is stored first. */
function planNode(claim: NodeClaim, node: Node): ClaimPlan {
  if (claim.status?.nodeName !== node.metadata.name)
    return { action: { kind: 'bind', node, because: 'an earlier registration ended half-way' } };
  if (node.metadata.deletionTimestamp !== undefined) return {}; // the node's own finalizer is at work; its end wakes the claim
  return { action: { kind: 'deleteNode', node, because: 'the claim is deleted' } };
}

/** The instant to force the drain at, when one is due and not stored yet. */
function missingDeadline({ metadata, spec }: NodeClaim): Instant | undefined {
  const isStored = metadata.annotations?.[karpenterAnnotations.terminationTimestamp] !== undefined;
  if (isStored || spec.terminationGracePeriod === undefined || metadata.deletionTimestamp === undefined)
    return undefined;
  const grace = parseDurationOrNever(spec.terminationGracePeriod);
  return grace === 'Never' ? undefined : instant(fromTimestamp(metadata.deletionTimestamp) + grace);
}
