import {
  conditionOf,
  fromTimestamp,
  instant,
  isConditionFalse,
  isConditionTrue,
  nodewrightAnnotations,
  seconds,
  type ConditionUpdate,
  type EC2NodeClass,
  type Instant,
  type NodeClaim,
  type StatusAmi,
} from '@nodewright/apis';
import type { InstanceType } from '@nodewright/engine';
import { selectBootImage } from '@nodewright/requirements';
import type { ClosedImage } from '../../state/closed-images.ts';
import { awaitsLookUntil } from '../../state/launch-look.ts';
import { admissibleTypes } from './admissible-types.ts';
import { attemptOf } from './adoption.ts';
import { launchNotBefore } from './failed-launch.ts';
import type { ClaimSnapshot } from './observe.ts';
import type { ClaimPlan, DeletionReason } from './action.ts';

/** Karpenter gives this event no reason. */
const unresolvedClass = { reason: '', message: 'Failed resolving NodeClass' };

const decisionRetryMs = seconds(1);
const overlayRetryMs = seconds(1);

/** Whether a claim may be launched now, as what, and from which images. */
export function planLaunch(seen: ClaimSnapshot, now: Instant): ClaimPlan {
  const { claim, nodeClass } = seen;
  const notBefore = launchNotBefore(claim);
  if (notBefore !== undefined && now < notBefore) return { recheckAt: notBefore };
  if (nodeClass === undefined || nodeClass.metadata.deletionTimestamp !== undefined) {
    const because = `EC2NodeClass ${claim.spec.nodeClassRef.name} is gone or terminating`;
    return { action: { kind: 'delete', reason: 'insufficient_capacity', because, warning: unresolvedClass } };
  }
  const obstacle = nodeClassObstacle(nodeClass);
  if (obstacle !== undefined) return obstacle;
  if (!seen.isLookedAt && now < awaitsLookUntil(claim)) return { recheckAt: instant(now + decisionRetryMs) };
  // Past its end the image decision does not hold: the NodeClass controller rewrites it first.
  if (!isDecisionValid(nodeClass, now)) return { recheckAt: instant(now + decisionRetryMs) };
  const { instanceTypes } = seen;
  if (instanceTypes === undefined) return { recheckAt: instant(now + overlayRetryMs) };
  if (seen.images.kind === 'noSeat')
    return hold('RolloutHolds', `NodeRollout ${seen.images.rollout} lets nothing be launched for its target now`);
  const { images, closedImages, trialAt } = seen;
  if (trialAt !== undefined && now < trialAt) return { recheckAt: trialAt };
  return planRequest({ claim, instanceTypes, amis: images.images, closedImages }, nodeClass);
}

type Launchable = {
  readonly claim: NodeClaim;
  readonly instanceTypes: readonly InstanceType[];
  readonly amis: readonly StatusAmi[];
  readonly closedImages: readonly ClosedImage[];
};

function planRequest({ claim, instanceTypes, amis, closedImages }: Launchable, nodeClass: EC2NodeClass): ClaimPlan {
  const admissible = admissibleTypes(claim, instanceTypes);
  if (admissible.length === 0)
    return planGivingUp('insufficient_capacity', 'all requested instance types were unavailable during launch');
  const bootable = admissible.filter((type) => selectBootImage(type, amis) !== undefined);
  if (bootable.length === 0)
    return hold('LaunchFailed', 'no image of the EC2NodeClass suits any of the instance types');
  const closed = new Map(closedImages.map(({ image, why }) => [image, why]));
  const open = bootable.filter((type) => !closed.has(selectBootImage(type, amis)?.id ?? ''));
  if (open.length === 0) return planGivingUp('image_never_joins', [...new Set(closed.values())].join('; '));
  const used = new Set(open.map((type) => selectBootImage(type, amis)));
  const images = amis.filter((ami) => used.has(ami));
  const request = { claim, attempt: attemptOf(claim) ?? 1, nodeClass, instanceTypes: open, images };
  return { action: { kind: 'launch', request, because: `${open.length} instance types suit the claim` } };
}

function nodeClassObstacle(nodeClass: EC2NodeClass): ClaimPlan | undefined {
  const ready = conditionOf(nodeClass, 'Ready');
  const isStale = ready?.observedGeneration !== nodeClass.metadata.generation;
  if (isConditionFalse(nodeClass, 'Ready'))
    return planGivingUp('nodeclass_not_ready', ready?.message ?? 'EC2NodeClass is not ready');
  if (!isConditionTrue(nodeClass, 'Ready'))
    return hold('NodeClassReadinessUnknown', 'the EC2NodeClass is being evaluated');
  return isStale
    ? planGivingUp('nodeclass_not_ready', 'the EC2NodeClass has changed since it was found ready')
    : undefined;
}

function isDecisionValid({ metadata }: EC2NodeClass, now: Instant): boolean {
  const end = metadata.annotations?.[nodewrightAnnotations.decisionValidUntil];
  return end === undefined || now < fromTimestamp(end);
}

const planGivingUp = (reason: DeletionReason, because: string): ClaimPlan => ({
  action: { kind: 'delete', reason, because },
});

function hold(reason: string, message: string): ClaimPlan {
  const condition: ConditionUpdate = { type: 'Launched', status: 'Unknown', reason, message };
  return { action: { kind: 'mark', condition, because: message } };
}
