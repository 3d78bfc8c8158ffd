import { toTimestamp, type Instant, type Node, type Pod } from '@nodewright/apis';
import { podName, printedEviction, type EvictionBlocker } from '@nodewright/engine';
import type { EventReport } from '@nodewright/runtime';
import { aboutNode } from '../../reporting/node-events.ts';
import { aboutPod } from '../../reporting/pod-events.ts';
import { counterEntry, eventEntry, type ReportEntry } from '../../reporting/report-entry.ts';
import type { EvictionOutcome } from './perform.ts';
import { drainReason, type EvictionSnapshot } from './plan.ts';

export function reportEviction(
  { pod, node, claim, deadline }: EvictionSnapshot,
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
        eventEntry(podLeaves(pod, 'Disrupted', printForcedDeletion(pod, deadline, outcome.graceSeconds))),
        counterEntry('podDrained', reason),
      ];
  }
}

function printForcedDeletion({ spec }: Pod, deadline: Instant | undefined, graceSeconds: number): string {
  const time = deadline === undefined ? '' : ` ${toTimestamp(deadline)}`;
  return (
    `Deleting the pod to accommodate the terminationTime${time} of the node. The pod was granted ${graceSeconds} seconds ` +
    `of grace-period of its ${spec.terminationGracePeriodSeconds ?? defaultGraceSeconds} terminationGracePeriodSeconds. ` +
    'This bypasses the PDB of the pod and the do-not-disrupt annotation.'
  );
}

/** What the API server writes into pods that say nothing. */
const defaultGraceSeconds = 30;

const podLeaves = (pod: Pod, reason: string, message: string): EventReport => ({
  ...aboutPod(pod, { type: 'Normal', reason, message }),
  dedupe: [pod.metadata.name],
});

/**
 * Reported beside the count of waiting pods: it is the reason why they wait.
 * @param because what refuses the eviction, as far as the cache shows; a budget that never allows it has a kind of its own
 */
export function evictionRefused(node: Node, pod: Pod, because: EvictionBlocker | undefined): EventReport {
  const words = because === undefined ? '' : `: ${printedEviction(pod, because)}`;
  const message = `Failed to drain node, evicting pod ${podName(pod)} violates a PDB${words}`;
  return {
    ...aboutNode(node, { type: 'Warning', reason: 'FailedDraining', message }),
    dedupe: [node.metadata.name, podName(pod), because?.kind ?? ''],
  };
}
