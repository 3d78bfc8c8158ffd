import {
  karpenterAnnotations,
  karpenterLabels,
  kubernetesLabels,
  toTimestamp,
  type Instant,
  type Node,
  type NodeClaim,
} from '@nodewright/apis';
import type { LaunchWarning } from '@nodewright/ports';
import { warnAboutClaim } from '../../reporting/claim-events.ts';
import { claimFields } from '../../reporting/claim-fields.ts';
import { counterEntry, eventEntry, logEntry, type ReportEntry } from '../../reporting/report-entry.ts';
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

/** A launch failed for a reason that somebody has to remove. */
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
    ...(reason === 'registration_timeout'
      ? []
      : [logEntry('error', 'failed launching nodeclaim', { ...claimFields(claim), error: because })]),
  ];
}

export const reportGivenUp = (claim: NodeClaim, { reason }: Pick<GivingUp, 'reason'>): readonly ReportEntry[] => [
  counterEntry('claimDisrupted', claim, reason),
];

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
