import {
  finalizers,
  fromTimestamp,
  instant,
  isConditionTrue,
  karpenterAnnotations,
  parseDurationOrNever,
  type Instant,
  type NodeClaim,
} from '@nodewright/apis';
import type { ClaimSnapshot } from './observe.ts';
import type { ClaimPlan } from './action.ts';
import { isRegisteredNode } from './node-sync.ts';

/** How a deleted claim leaves: its nodes first (they drain), then the instance, then the finalizer. */
export function planFinalization({ claim, nodes }: ClaimSnapshot): ClaimPlan {
  if (!(claim.metadata.finalizers ?? []).includes(finalizers.termination)) return {};
  const deadline = missingDeadline(claim);
  if (deadline !== undefined) {
    return { action: { kind: 'annotateDeadline', deadline, because: 'terminationGracePeriod bounds the drain' } };
  }
  // A node that never registered is left alone: an old kubelet would keep renewing the Lease of a deleted node.
  const hasRegistered = isConditionTrue(claim, 'Registered') || nodes.some(isRegisteredNode);
  if (hasRegistered && nodes.length > 0) return planNodes({ claim, nodes });
  const providerId = claim.status?.providerID ?? '';
  if (providerId === '') return { action: { kind: 'release', because: 'nothing was launched' } };
  return { action: { kind: 'terminateInstance', providerId, because: 'the claim is deleted and has no node' } };
}

function planNodes({ nodes }: Pick<ClaimSnapshot, 'claim' | 'nodes'>): ClaimPlan {
  const staying = nodes.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  if (staying.length === 0) return {}; // the node's own finalizer is at work; its end wakes the claim
  return { action: { kind: 'deleteNodes', nodes: staying, because: 'the claim is deleted' } };
}

/** The instant to force the drain at, when one is due and not stored yet. */
function missingDeadline({ metadata, spec }: NodeClaim): Instant | undefined {
  const isStored = metadata.annotations?.[karpenterAnnotations.terminationTimestamp] !== undefined;
  if (isStored || spec.terminationGracePeriod === undefined || metadata.deletionTimestamp === undefined)
    return undefined;
  const grace = parseDurationOrNever(spec.terminationGracePeriod);
  return grace === 'Never' ? undefined : instant(fromTimestamp(metadata.deletionTimestamp) + grace);
}
