import { ec2NodeClasses, type EC2NodeClass, type NodeClaim } from '@nodewright/apis';
import type { EventReport } from '@nodewright/runtime';
import { printSomeNames } from '../../reporting/some-of.ts';

export const waitingOnClaims = (nodeClass: EC2NodeClass, claims: readonly NodeClaim[]): EventReport => ({
  kind: ec2NodeClasses,
  about: nodeClass,
  type: 'Normal',
  reason: 'WaitingOnNodeClaimTermination',
  message: `Waiting on NodeClaim termination for ${printSomeNames(claims.map(({ metadata }) => metadata.name))}`,
  dedupe: [nodeClass.metadata.name],
});
