import { nodes, toTimestamp, type Instant, type Node } from '@nodewright/apis';
import type { EventReport } from '@nodewright/runtime';

const about = (node: Node, type: 'Normal' | 'Warning', reason: string, message: string): EventReport => ({
  kind: nodes,
  about: node,
  type,
  reason,
  message,
  dedupe: [node.metadata.name],
});

export const failedDraining = (node: Node, message: string): EventReport =>
  about(node, 'Warning', 'FailedDraining', message);

export const terminationGracePeriodExpiring = (node: Node, deadline: Instant): EventReport =>
  about(node, 'Warning', 'TerminationGracePeriodExpiring', `All pods will be deleted by ${toTimestamp(deadline)}`);

export function awaitingVolumeDetachment(node: Node, attachments: readonly string[]): EventReport {
  const shown = attachments.slice(0, 5).join(', ');
  const more = attachments.length > 5 ? ` and ${attachments.length - 5} other(s)` : '';
  return about(node, 'Normal', 'AwaitingVolumeDetachment', `Awaiting deletion of volume attachments ${shown}${more}`);
}
