import { nodeClaims, type Instant, type NodeClaim, toTimestamp } from '@nodewright/apis';
import type { EventReport } from '@nodewright/runtime';

const uidOrName = ({ metadata }: NodeClaim): string => metadata.uid ?? metadata.name;

const warnAboutClaim = (about: NodeClaim, reason: string, message: string): EventReport => ({
  kind: nodeClaims,
  about,
  type: 'Warning',
  reason,
  message,
  dedupe: [uidOrName(about)],
});

export const insufficientCapacity = (claim: NodeClaim, message: string): EventReport =>
  warnAboutClaim(claim, 'InsufficientCapacityError', `NodeClaim ${claim.metadata.name} event: ${message}`);

export const nodeClassNotReady = (claim: NodeClaim, message: string): EventReport =>
  warnAboutClaim(claim, 'NodeClassNotReady', `NodeClaim ${claim.metadata.name} event: ${message}`);

export const unregisteredTaintMissing = (claim: NodeClaim): EventReport =>
  warnAboutClaim(
    claim,
    'UnregisteredTaintMissing',
    'the node joined without the taint karpenter.sh/unregistered, so pods may run on it before it is set up',
  );

export const failedConsistencyCheck = (claim: NodeClaim, complaint: string): EventReport => ({
  ...warnAboutClaim(claim, 'FailedConsistencyCheck', complaint),
  dedupe: [uidOrName(claim), complaint],
});

export const claimGracePeriodExpiring = (claim: NodeClaim, deadline: Instant): EventReport => ({
  ...warnAboutClaim(claim, 'TerminationGracePeriodExpiring', `All pods will be deleted by ${toTimestamp(deadline)}`),
  dedupe: [claim.metadata.name],
});
