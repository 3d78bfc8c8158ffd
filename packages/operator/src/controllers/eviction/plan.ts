import { seconds, type Instant, type NodeClaim, type Node, type Pod } from '@nodewright/apis';
import { isActivePod, isMirrorPod, isProtected } from '@nodewright/engine';
import { mustBeForced, toleratesDisruption } from './draining.ts';

/** A pod that was asked to leave its node. */
export type EvictionSnapshot = {
  readonly pod: Pod;
  readonly node: Node | undefined;
  readonly claim: NodeClaim | undefined;
  readonly deadline: Instant | undefined;
  /** Its eviction was granted a moment ago. */
  readonly isGranted: boolean;
};

export type EvictionAction =
  | { readonly kind: 'forget'; readonly because: string }
  | { readonly kind: 'wait'; readonly because: string }
  | { readonly kind: 'evict'; readonly because: string }
  | { readonly kind: 'force'; readonly graceSeconds: number; readonly because: string };

/** How a pod leaves: through the Eviction API, or by force when its grace period would outlast the deadline. */
export function planEviction({ pod, deadline, isGranted }: EvictionSnapshot, now: Instant): EvictionAction {
  if (deadline !== undefined && mustBeForced(pod, deadline, now)) return planForcedDeletion(deadline, now);
  if (!isActivePod(pod)) return { kind: 'forget', because: 'it is on its way out' };
  if (isGranted) return { kind: 'forget', because: 'its eviction was granted a moment ago' };
  if (isProtected(pod, now)) return { kind: 'wait', because: 'its annotation karpenter.sh/do-not-disrupt holds' };
  if (isMirrorPod(pod) || toleratesDisruption(pod)) return { kind: 'wait', because: 'it stays with its node' };
  return { kind: 'evict', because: 'its node is leaving' };
}

const planForcedDeletion = (deadline: Instant, now: Instant): EvictionAction => ({
  kind: 'force',
  graceSeconds: Math.max(1, Math.floor((deadline - now) / seconds(1))),
  because: 'its grace period would outlast the termination deadline of the node',
});

/** Why pods are drained, as the claim tells it. */
export function drainReason(claim: NodeClaim | undefined): string {
  if (claim === undefined) return '';
  const chosen = claim.status?.conditions?.find(({ type, status }) => type === 'DisruptionReason' && status === 'True');
  return chosen?.reason ?? 'Forceful Termination';
}
