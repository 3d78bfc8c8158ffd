import { type DisruptionPause, nodeClaims, type NodeClaim } from '@nodewright/apis';
import { printPause } from '@nodewright/engine';
import { counterEntry, eventEntry, logEntry, type ReportEntry } from '../../reporting/report-entry.ts';

export const reportExpired = (claim: NodeClaim): readonly ReportEntry[] => [
  logEntry('debug', 'deleting expired nodeclaim', { NodeClaim: { name: claim.metadata.name } }),
  counterEntry('claimDisrupted', claim, 'expired'),
];

/** A node that is too old stays for as long as a pause holds. */
export const reportExpiryPaused = (claim: NodeClaim, pause: DisruptionPause): readonly ReportEntry[] => [
  eventEntry({
    kind: nodeClaims,
    about: claim,
    type: 'Normal',
    reason: 'DisruptionBlocked',
    message: `Expired, but ${printPause(pause)}`,
    dedupe: [claim.metadata.uid ?? claim.metadata.name, pause.metadata.name],
  }),
];
