import {
  disruptedTaint,
  toTimestamp,
  type ConditionUpdate,
  type Instant,
  type Node,
  type NodeClaim,
} from '@nodewright/apis';
import { aboutNode } from '../../reporting/node-events.ts';
import { printSomeNames } from '../../reporting/some-of.ts';
import { counterEntry, eventEntry, logEntry, type ReportEntry } from '../../reporting/report-entry.ts';
import type { LeavingNode } from './observe.ts';

type LeavingPair = Pick<LeavingNode, 'node' | 'claim'>;

const pairFields = ({ node, claim }: LeavingPair) => ({
  Node: { name: node.metadata.name },
  NodeClaim: claim && { name: claim.metadata.name },
});

/** The node takes no more pods. */
export const reportTainted = (seen: LeavingPair & Pick<LeavingNode, 'deadline'>): readonly ReportEntry[] => [
  logEntry('info', 'tainted node', {
    ...pairFields(seen),
    'taint.Key': disruptedTaint.key,
    'taint.Value': '',
    'taint.Effect': disruptedTaint.effect,
  }),
  ...(seen.deadline === undefined ? [] : [eventEntry(nodeGracePeriodExpiring(seen.node, seen.deadline))]),
];

const nodeGracePeriodExpiring = (node: Node, deadline: Instant) =>
  aboutNode(node, {
    type: 'Warning',
    reason: 'TerminationGracePeriodExpiring',
    message: `All pods will be deleted by ${toTimestamp(deadline)}`,
  });

/** A condition of the claim was written. */
export const reportMarked = (claim: NodeClaim, { type, status }: ConditionUpdate): readonly ReportEntry[] =>
  type === 'Drained' && status === 'True' ? [counterEntry('nodeDrained', claim)] : [];

export const reportDraining = (node: Node, waitingFor: number): readonly ReportEntry[] => [
  eventEntry(
    aboutNode(node, {
      type: 'Warning',
      reason: 'FailedDraining',
      message: `Failed to drain node, ${waitingFor} pods are waiting to be evicted`,
    }),
  ),
];

export const reportAttachedVolumes = (node: Node, attachments: readonly string[]): readonly ReportEntry[] => [
  eventEntry(
    aboutNode(node, {
      type: 'Normal',
      reason: 'AwaitingVolumeDetachment',
      message: `Awaiting deletion of bound volumeattachments (${printSomeNames(attachments)})`,
    }),
  ),
];

/** The finalizer is gone. */
export const reportReleased = (seen: LeavingPair, now: Instant): readonly ReportEntry[] => [
  logEntry('info', 'deleted node', pairFields(seen)),
  counterEntry('nodeTerminated', seen.node, now),
];
