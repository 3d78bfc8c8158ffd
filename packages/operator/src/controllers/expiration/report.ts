import type { NodeClaim } from '@nodewright/apis';
import { counterEntry, logEntry, type ReportEntry } from '../../reporting/report-entry.ts';

export const reportExpired = (claim: NodeClaim): readonly ReportEntry[] => [
  logEntry('debug', 'deleting expired nodeclaim', { NodeClaim: { name: claim.metadata.name } }),
  counterEntry('claimDisrupted', claim, 'expired'),
];
