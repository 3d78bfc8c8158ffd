import { minutes, type Node, type NodeClaim } from '@nodewright/apis';
import { claimFields } from '../../reporting/claim-fields.ts';
import { aboutNode } from '../../reporting/node-events.ts';
import { counterEntry, eventEntry, logEntry, type ReportEntry } from '../../reporting/report-entry.ts';
import type { NodeRepairPlan } from './plan.ts';

type RepairHold = Extract<NodeRepairPlan, { readonly kind: 'hold' }>;

export const reportRepairHold = (node: Node, { unhealthy, tolerated, among }: RepairHold): readonly ReportEntry[] => {
  const where = among === 'the cluster' ? 'cluster' : 'nodepool';
  const message = `more than 20% nodes are unhealthy in the ${where}: ${unhealthy} nodes of ${among} are unhealthy, and more than ${tolerated} mean that new nodes would be no better`;
  const event = aboutNode(node, { type: 'Warning', reason: 'NodeRepairBlocked', message });
  return [eventEntry({ ...event, windowMs: minutes(15) })];
};

/** A claim was deleted because a condition of its node shows that it is unhealthy. */
export const reportUnhealthyNode = (node: Node, claim: NodeClaim, condition: string): readonly ReportEntry[] => [
  logEntry('info', 'deleting unhealthy node', {
    ...claimFields(claim),
    Node: { name: node.metadata.name },
    condition,
  }),
  counterEntry('claimDisrupted', claim, 'unhealthy'),
  counterEntry('claimUnhealthy', claim, condition),
];
