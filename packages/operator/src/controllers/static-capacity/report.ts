import type { NodeClaim, NodePool } from '@nodewright/apis';
import { counterEntry, logEntry, type ReportEntry } from '../../reporting/report-entry.ts';
import type { StaticPlan } from './plan.ts';

const staticClaimFields = (nodePool: NodePool, claim: NodeClaim) => ({
  NodePool: { name: nodePool.metadata.name },
  NodeClaim: { name: claim.metadata.name },
});

export const reportSurplus = (nodePool: NodePool, deleted: NodeClaim): readonly ReportEntry[] => [
  logEntry('info', 'deleting surplus nodeclaim', staticClaimFields(nodePool, deleted)),
];

export const reportStaticCreation = (nodePool: NodePool, created: NodeClaim): readonly ReportEntry[] => [
  logEntry('info', 'created nodeclaim', staticClaimFields(nodePool, created)),
  counterEntry('claimCreated', created, 'provisioned'),
];

/** The limit on nodes keeps claims from being created. */
export const reportStaticLimit = (nodePool: NodePool, plan: StaticPlan): readonly ReportEntry[] =>
  plan.kind === 'create' && plan.held > 0
    ? [logEntry('info', 'nodepool node limit reached', { NodePool: { name: nodePool.metadata.name }, held: plan.held })]
    : [];
