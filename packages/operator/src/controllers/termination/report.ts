import { nodes, toTimestamp, type Instant, type Node, type Pod } from '@nodewright/apis';
import { podName, printedEviction, type EvictionBlocker } from '@nodewright/engine';
import type { EventReport } from '@nodewright/runtime';

const aboutNode = (node: Node, type: 'Normal' | 'Warning', reason: string, message: string): EventReport => ({
  kind: nodes,
  about: node,
  type,
  reason,
  message,
  dedupe: [node.metadata.name],
});

export const failedDraining = (node: Node, waitingFor: number): EventReport =>
  aboutNode(node, 'Warning', 'FailedDraining', `Failed to drain node, ${waitingFor} pods are waiting to be evicted`);

/**
 * Told beside the count of waiting pods: it is the reason why they wait.
 * @param because what refuses the eviction, as far as the cache tells; a budget that never allows it is told apart
 */
export const evictionRefused = (node: Node, pod: Pod, because: EvictionBlocker | undefined): EventReport => {
  const words = because === undefined ? '' : `: ${printedEviction(pod, because)}`;
  const message = `Failed to drain node, evicting pod ${podName(pod)} violates a PDB${words}`;
  return {
    ...aboutNode(node, 'Warning', 'FailedDraining', message),
    dedupe: [node.metadata.name, podName(pod), because?.kind ?? ''],
  };
};

export const nodeGracePeriodExpiring = (node: Node, deadline: Instant): EventReport =>
  aboutNode(node, 'Warning', 'TerminationGracePeriodExpiring', `All pods will be deleted by ${toTimestamp(deadline)}`);

export function awaitingVolumeDetachment(node: Node, attachments: readonly string[]): EventReport {
  const shown = attachments.slice(0, 5).join(', ');
  const more = attachments.length > 5 ? ` and ${attachments.length - 5} other(s)` : '';
  return aboutNode(
    node,
    'Normal',
    'AwaitingVolumeDetachment',
    `Awaiting deletion of volume attachments ${shown}${more}`,
  );
}

export const nodeRepairBlocked = (
  node: Node,
  { unhealthy, tolerated, among }: { readonly unhealthy: number; readonly tolerated: number; readonly among: string },
): EventReport => ({
  ...aboutNode(
    node,
    'Warning',
    'NodeRepairBlocked',
    `${unhealthy} nodes of ${among} are unhealthy, and more than ${tolerated} mean that new nodes would be no better`,
  ),
  windowMs: 900_000,
});
