import { hours, nodeGroups, type NodeGroup, type NodeGroupBlocker, type NodeGroupUpdate } from '@nodewright/apis';
import type { EventReport } from '@nodewright/runtime';
import { eventEntries, eventEntry, type ReportEntry } from '../../reporting/report-entry.ts';
import type { NodeGroupPlan } from './node-group-plan.ts';
import type { GroupObstacle } from './obstacle.ts';

const aboutNodeGroup = (
  nodeGroup: NodeGroup,
  report: Pick<EventReport, 'type' | 'reason' | 'message'> & { readonly dedupe?: readonly string[] },
): EventReport => ({
  kind: nodeGroups,
  about: nodeGroup,
  windowMs: hours(1),
  ...report,
  dedupe: [nodeGroup.metadata.name, ...(report.dedupe ?? [report.message])],
});

export const updateStarted = (nodeGroup: NodeGroup, target: string): EventReport =>
  aboutNodeGroup(nodeGroup, { type: 'Normal', reason: 'UpdateStarted', message: `Updating to ${target}` });

export const updateWarned = (nodeGroup: NodeGroup, warning: string): EventReport =>
  aboutNodeGroup(nodeGroup, { type: 'Warning', reason: 'UpdateWarning', message: warning });

export const updateSucceeded = (nodeGroup: NodeGroup, target: string): EventReport =>
  aboutNodeGroup(nodeGroup, { type: 'Normal', reason: 'UpdateSucceeded', message: `Every node is on ${target}` });

export const nodesReplaced = (nodeGroup: NodeGroup, { number, target }: NodeGroupUpdate, count: number): EventReport =>
  aboutNodeGroup(nodeGroup, {
    type: 'Normal',
    reason: 'NodesReplaced',
    message: count === 1 ? `Replaced 1 node with ${target}` : `Replaced ${count} nodes with ${target}`,
    dedupe: [String(number), target],
  });

export const updateFailed = (nodeGroup: NodeGroup, message: string): EventReport =>
  aboutNodeGroup(nodeGroup, { type: 'Warning', reason: 'UpdateFailed', message });

export const updateReverted = (nodeGroup: NodeGroup, nodes: readonly string[]): EventReport =>
  aboutNodeGroup(nodeGroup, {
    type: 'Warning',
    reason: 'UpdateReverted',
    message: `The update was turned around: ${nodes.join(', ')} came back with the old image`,
  });

export const updateHeld = (nodeGroup: NodeGroup, { reason, message }: GroupObstacle): EventReport =>
  aboutNodeGroup(nodeGroup, { type: 'Warning', reason: 'UpdateBlocked', message, dedupe: [reason, message] });

const callFailed = (nodeGroup: NodeGroup, message: string): EventReport =>
  aboutNodeGroup(nodeGroup, { type: 'Warning', reason: 'CallFailed', message, dedupe: [message.split(':')[0] ?? ''] });

export const wouldGoBack = (nodeGroup: NodeGroup, message: string): EventReport =>
  aboutNodeGroup(nodeGroup, { type: 'Warning', reason: 'ReleaseWithdrawn', message });

export const evictionBlocked = (nodeGroup: NodeGroup, { message, namespace, pod }: NodeGroupBlocker): EventReport =>
  aboutNodeGroup(nodeGroup, {
    type: 'Warning',
    reason: 'EvictionBlocked',
    message,
    dedupe: [String(nodeGroup.status?.update?.number), namespace ?? '', pod ?? ''],
  });

/** What a turn with this plan has to say, once the plan is stored. */
export const reportNodeGroupPlan = ({ reports }: Pick<NodeGroupPlan, 'reports'>): readonly ReportEntry[] =>
  eventEntries(reports);

/** A turn that failed. @param error mostly a refusal of AWS */
export const reportFailedTurn = (nodeGroup: NodeGroup, error: unknown): readonly ReportEntry[] => [
  eventEntry(callFailed(nodeGroup, error instanceof Error ? error.message : String(error))),
];
