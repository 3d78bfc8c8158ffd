import type { NodeClaim } from '@nodewright/apis';
import { logEntry, type ReportEntry } from '../../reporting/report-entry.ts';

const reservedClaimFields = ({ metadata }: NodeClaim) => ({ NodeClaim: { name: metadata.name } });

/** EC2 is about to end the instances of a capacity block. */
export const reportEndOfBlock = (claim: NodeClaim, reservation: string): readonly ReportEntry[] => [
  logEntry('info', 'deleting nodeclaim, its capacity block ends', { ...reservedClaimFields(claim), reservation }),
];

export const reportDemotion = (claim: NodeClaim): readonly ReportEntry[] => [
  logEntry('info', 'instance left its capacity reservation and goes on as on-demand', reservedClaimFields(claim)),
];
