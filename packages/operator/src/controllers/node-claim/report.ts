import {
  karpenterAnnotations,
  karpenterLabels,
  kubernetesLabels,
  nodePools,
  toTimestamp,
  type Instant,
  type Node,
  type NodeClaim,
  type NodePool,
} from '@nodewright/apis';
import type { LaunchWarning } from '@nodewright/ports';
import { warnAboutClaim } from '../../reporting/claim-events.ts';
import { claimFields } from '../../reporting/claim-fields.ts';
import { counterEntry, eventEntry, logEntry, type ReportEntry } from '../../reporting/report-entry.ts';
import { printJoinFailure } from '../../state/closed-images.ts';
import type { JoinFailure } from '../../state/join-failures.ts';
import type { GivingUp } from './action.ts';

/** @param claim as it is stored after its launch */
export const reportLaunched = (claim: NodeClaim): readonly ReportEntry[] => [
  logEntry('info', 'launched nodeclaim', {
    ...claimFields(claim),
    'instance-type': claim.metadata.labels?.[kubernetesLabels.instanceType],
    zone: claim.metadata.labels?.[kubernetesLabels.zone],
    'capacity-type': claim.metadata.labels?.[karpenterLabels.capacityType],
    allocatable: claim.status?.allocatable,
  }),
];

/** A launch failed for a reason that a person has to remove. */
export const reportLaunchWarning = (claim: NodeClaim, warning: LaunchWarning | undefined): readonly ReportEntry[] =>
  warning === undefined ? [] : [eventEntry(warnAboutClaim(claim, warning.reason, warning.message))];

/** A claim is given up, before it is deleted. */
export function reportGivingUp(
  claim: NodeClaim,
  { reason, because, warning: cause }: GivingUp,
): readonly ReportEntry[] {
  const warning = `NodeClaim ${claim.metadata.name} event: ${because}`;
  return [
    ...reportLaunchWarning(claim, cause),
    ...(reason === 'insufficient_capacity'
      ? [eventEntry(warnAboutClaim(claim, 'InsufficientCapacityError', warning))]
      : []),
    ...(reason === 'nodeclass_not_ready' ? [eventEntry(warnAboutClaim(claim, 'NodeClassNotReady', warning))] : []),
    ...(reason === 'image_never_joins'
      ? [logEntry('info', 'nodeclaim is not launched', { ...claimFields(claim), reason: because })]
      : []),
    ...(reason === 'registration_timeout' || reason === 'image_never_joins'
      ? []
      : [logEntry('error', 'failed launching nodeclaim', { ...claimFields(claim), error: because })]),
  ];
}

export const reportGivenUp = (claim: NodeClaim, { reason }: Pick<GivingUp, 'reason'>): readonly ReportEntry[] => [
  counterEntry('claimDisrupted', claim, reason),
];

/** Machines of an image do not become nodes of a pool. */
export function reportJoinFailure(pool: NodePool, failure: JoinFailure): readonly ReportEntry[] {
  const message = `${printJoinFailure(failure)}; the next is tried at ${toTimestamp(failure.until)}`;
  const { name, uid = name } = pool.metadata;
  return [
    eventEntry({
      kind: nodePools,
      about: pool,
      type: 'Warning',
      reason: 'ImageNeverJoins',
      message,
      dedupe: [uid, failure.image, `${failure.failedAt}`],
    }),
    logEntry('warn', 'machines of an image do not become nodes', {
      NodePool: { name },
      image: failure.image,
      'image-name': failure.name,
      attempts: failure.attempts,
      'next-launch': toTimestamp(failure.until),
    }),
  ];
}

/** A node joined without the taint that keeps pods away until it is registered. */
export const reportMissingTaint = (claim: NodeClaim, node: Node): readonly ReportEntry[] => [
  logEntry('error', 'node joined without the unregistered taint', {
    ...claimFields(claim),
    node: node.metadata.name,
  }),
  eventEntry(
    warnAboutClaim(
      claim,
      'UnregisteredTaintMissing',
      'Missing karpenter.sh/unregistered taint which prevents registration related race conditions on Karpenter-managed nodes: pods may run on the node before it is set up',
    ),
  ),
];

export const reportRegistered = (claim: NodeClaim, node: Node): readonly ReportEntry[] => [
  logEntry('info', 'registered nodeclaim', { ...claimFields(claim), node: node.metadata.name }),
  counterEntry('nodeCreated', claim),
];

export const reportInitialized = (claim: NodeClaim, node: Node): readonly ReportEntry[] => [
  logEntry('info', 'initialized nodeclaim', {
    ...claimFields(claim),
    node: node.metadata.name,
    allocatable: node.status?.allocatable,
  }),
];

/** The instant at which the drain of the claim's node is forced was stored. */
export const reportDeadline = (claim: NodeClaim, deadline: Instant): readonly ReportEntry[] => [
  logEntry('info', 'annotated nodeclaim', {
    ...claimFields(claim),
    [karpenterAnnotations.terminationTimestamp]: toTimestamp(deadline),
  }),
  eventEntry({
    ...warnAboutClaim(claim, 'TerminationGracePeriodExpiring', `All pods will be deleted by ${toTimestamp(deadline)}`),
    dedupe: [claim.metadata.name],
  }),
];

/** The finalizer is gone. */
export const reportClaimReleased = (claim: NodeClaim, now: Instant): readonly ReportEntry[] => [
  logEntry('info', 'deleted nodeclaim', { ...claimFields(claim), node: claim.status?.nodeName }),
  counterEntry('claimTerminated', claim, now),
];
