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

export const failedDraining = (node: Node, waitingFor: number): EventReport =>
  about(node, 'Warning', 'FailedDraining', `Failed to drain node, ${waitingFor} pods are waiting to be evicted`);

/** Told beside the count of waiting pods: it is the reason why they wait. */
export const evictionRefused = (node: Node, pod: string): EventReport => ({
  ...about(node, 'Warning', 'FailedDraining', `Failed to drain node, evicting pod ${pod} violates a PDB`),
  dedupe: [node.metadata.name, pod],
});

export const terminationGracePeriodExpiring = (node: Node, deadline: Instant): EventReport =>
  about(node, 'Warning', 'TerminationGracePeriodExpiring', `All pods will be deleted by ${toTimestamp(deadline)}`);

export function awaitingVolumeDetachment(node: Node, attachments: readonly string[]): EventReport {
  const shown = attachments.slice(0, 5).join(', ');
  const more = attachments.length > 5 ? ` and ${attachments.length - 5} other(s)` : '';
  return about(node, 'Normal', 'AwaitingVolumeDetachment', `Awaiting deletion of volume attachments ${shown}${more}`);
}

export const nodeRepairBlocked = (
  node: Node,
  { unhealthy, tolerated, among }: { readonly unhealthy: number; readonly tolerated: number; readonly among: string },
): EventReport => ({
  ...about(
    node,
    'Warning',
    'NodeRepairBlocked',
    `${unhealthy} nodes of ${among} are unhealthy, and more than ${tolerated} mean that new nodes would be no better`,
  ),
  windowMs: 900_000,
});
