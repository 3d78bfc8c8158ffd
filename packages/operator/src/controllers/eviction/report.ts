import type { Node, Pod } from '@nodewright/apis';
import { podName, printedEviction, type EvictionBlocker } from '@nodewright/engine';
import type { EventReport } from '@nodewright/runtime';
import { aboutNode } from '../../reporting/node-events.ts';
import { aboutPod } from '../../reporting/pod-events.ts';
import { counterEntry, eventEntry, type ReportEntry } from '../../reporting/report-entry.ts';
import type { EvictionOutcome } from './perform.ts';
import { drainReason, type EvictionSnapshot } from './plan.ts';

export function reportEviction(
  { pod, node, claim }: EvictionSnapshot,
  outcome: EvictionOutcome,
): readonly ReportEntry[] {
  const reason = drainReason(claim);
  switch (outcome.kind) {
    case 'nothingDone':
      return [];
    case 'evicted':
      return [
        counterEntry('evictionRequested', 200),
        counterEntry('podDrained', reason),
        eventEntry(podLeaves(pod, 'Evicted', `Evicted pod: ${reason}`)),
      ];
    case 'gone':
    case 'failed':
      return [counterEntry('evictionRequested', outcome.code)];
    case 'refused':
      return [
        counterEntry('evictionRequested', outcome.code),
        ...(node === undefined ? [] : [eventEntry(evictionRefused(node, pod, outcome.blocker))]),
      ];
    case 'forced':
      return [
        eventEntry(
          podLeaves(
            pod,
            'Disrupted',
            `Deleting the pod to accommodate the terminationGracePeriod of the node, with ${outcome.graceSeconds} seconds of grace`,
          ),
        ),
        counterEntry('podDrained', reason),
      ];
  }
}

const podLeaves = (pod: Pod, reason: string, message: string): EventReport => ({
  ...aboutPod(pod, { type: 'Normal', reason, message }),
  dedupe: [pod.metadata.name],
});

/**
 * Told beside the count of waiting pods: it is the reason why they wait.
 * @param because what refuses the eviction, as far as the cache tells; a budget that never allows it is told apart
 */
export function evictionRefused(node: Node, pod: Pod, because: EvictionBlocker | undefined): EventReport {
  const words = because === undefined ? '' : `: ${printedEviction(pod, because)}`;
  const message = `Failed to drain node, evicting pod ${podName(pod)} violates a PDB${words}`;
  return {
    ...aboutNode(node, { type: 'Warning', reason: 'FailedDraining', message }),
    dedupe: [node.metadata.name, podName(pod), because?.kind ?? ''],
  };
}
