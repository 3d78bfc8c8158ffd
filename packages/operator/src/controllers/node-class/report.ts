import { ec2NodeClasses, type EC2NodeClass, type NodeClaim } from '@nodewright/apis';
import { eventEntry, type ReportEntry } from '../../reporting/report-entry.ts';
import { printSomeNames } from '../../reporting/some-of.ts';

/** A class that is being deleted is still in use. */
export const reportWaitingOnClaims = (
  nodeClass: EC2NodeClass,
  claims: readonly NodeClaim[],
): readonly ReportEntry[] => [
  eventEntry({
    kind: ec2NodeClasses,
    about: nodeClass,
    type: 'Normal',
    reason: 'WaitingOnNodeClaimTermination',
    message: `Waiting on NodeClaim termination for ${printSomeNames(claims.map(({ metadata }) => metadata.name))}`,
    dedupe: [nodeClass.metadata.name],
  }),
];
