import {
  type Instant,
  isConditionTrue,
  karpenterAnnotations,
  karpenterLabels,
  type KubernetesObject,
  type Node,
  type NodeClaim,
  type Pod,
} from '@nodewright/apis';
import type { ObservedWrite } from './invariant.ts';
import type { ObservedWorld } from './observed-world.ts';

/** How long ago something may have been read by whoever acts on it now, in milliseconds. */
export const readingLagMs = 60_000;

export const hasDeletionTime = (object: KubernetesObject | undefined): boolean =>
  object?.metadata.deletionTimestamp !== undefined;

export const poolNameOf = ({ metadata }: KubernetesObject): string => metadata.labels?.[karpenterLabels.nodePool] ?? '';

export const instanceIdOf = (providerId: string | undefined): string => providerId?.split('/').at(-1) ?? '';

/** The NodeRollout in which a claim has a seat. */
export const rolloutOfSeat = ({ metadata }: NodeClaim): string | undefined =>
  metadata.annotations?.['nodewright.dev/rollout'];

export const isNodeReady = ({ status }: Node): boolean =>
  status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true;

export const isReadyObservedPod = ({ status }: Pod): boolean =>
  status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true;

/** Neither ended nor about to end. */
export const isLivingPod = (pod: Pod): boolean =>
  !hasDeletionTime(pod) && pod.status?.phase !== 'Succeeded' && pod.status?.phase !== 'Failed';

export const saysDoNotDisrupt = ({ metadata }: KubernetesObject): boolean =>
  metadata.annotations?.[karpenterAnnotations.doNotDisrupt] === 'true';

export const isOfDaemonSet = ({ metadata }: Pod): boolean =>
  metadata.ownerReferences?.some(({ kind, controller }) => kind === 'DaemonSet' && controller === true) === true;

/** Whether the claim leaves because it is better for the cluster, and not because it has to. */
export const leavesVoluntarily = (claim: NodeClaim | undefined): boolean =>
  claim !== undefined && isConditionTrue(claim, 'DisruptionReason');

/** The claim that begins to leave voluntarily in this step. */
export function voluntaryBeginning({ collection, before, after }: ObservedWrite): NodeClaim | undefined {
  if (collection !== 'nodeclaims.karpenter.sh' || after === undefined) return undefined;
  return leavesVoluntarily(after as NodeClaim) && !leavesVoluntarily(before as NodeClaim | undefined)
    ? (after as NodeClaim)
    : undefined;
}

/** The object that the operator begins to delete in this step. */
export const deletionByOperator = (
  { collection, before, after, operator }: ObservedWrite,
  wanted: string,
): KubernetesObject | undefined => {
  if (collection !== wanted || operator === undefined || hasDeletionTime(before)) return undefined;
  if (after === undefined) return before;
  return before !== undefined && hasDeletionTime(after) ? before : undefined;
};

export const nodeOfClaim = (world: ObservedWorld, { status }: NodeClaim): Node | undefined =>
  status?.nodeName === undefined ? undefined : world.find('nodes', status.nodeName);

export const claimOfNode = (world: ObservedWorld, name: string | undefined): NodeClaim | undefined =>
  name === undefined
    ? undefined
    : world.list('nodeclaims.karpenter.sh').find(({ status }) => status?.nodeName === name);

/** When the drain of a claim's node is forced; `undefined` when it never is. */
export function forcedFrom(claim: NodeClaim | undefined): Instant | undefined {
  const text = claim?.metadata.annotations?.[karpenterAnnotations.terminationTimestamp];
  return text === undefined ? undefined : (Date.parse(text) as Instant);
}
