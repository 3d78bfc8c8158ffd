import { nodeClaims, type Instant, type NodeClaim, toTimestamp } from '@nodewright/apis';
import type { EventReport } from '@nodewright/runtime';

const uidOf = ({ metadata }: NodeClaim): string => metadata.uid ?? metadata.name;

const warning = (about: NodeClaim, reason: string, message: string): EventReport => ({
  kind: nodeClaims,
  about,
  type: 'Warning',
  reason,
  message,
  dedupe: [uidOf(about)],
});

export const insufficientCapacity = (claim: NodeClaim, message: string): EventReport =>
  warning(claim, 'InsufficientCapacityError', `NodeClaim ${claim.metadata.name} event: ${message}`);

export const nodeClassNotReady = (claim: NodeClaim, message: string): EventReport =>
  warning(claim, 'NodeClassNotReady', `NodeClaim ${claim.metadata.name} event: ${message}`);

export const unregisteredTaintMissing = (claim: NodeClaim): EventReport =>
  warning(
    claim,
    'UnregisteredTaintMissing',
    'the node joined without the taint karpenter.sh/unregistered, so pods may run on it before it is set up',
  );

export const failedConsistencyCheck = (claim: NodeClaim, complaint: string): EventReport => ({
  ...warning(claim, 'FailedConsistencyCheck', complaint),
  dedupe: [uidOf(claim), complaint],
});

export const terminationGracePeriodExpiring = (claim: NodeClaim, deadline: Instant): EventReport => ({
  ...warning(claim, 'TerminationGracePeriodExpiring', `All pods will be deleted by ${toTimestamp(deadline)}`),
  dedupe: [claim.metadata.name],
});
