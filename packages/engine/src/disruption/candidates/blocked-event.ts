import { karpenterAnnotations, karpenterLabels } from '@nodewright/apis';
import { podName } from '../../pods/pod-state.ts';
import { printedTogether } from '../../solve/why/printed-reasons.ts';
import { printedBlocker, printedEviction, type DisruptionBlocker } from './disruption-blocker.ts';

/**
 * The message of the event `DisruptionBlocked`.
 *
 * Guarantees: where Karpenter has such an event, the message begins with Karpenter's words, because checks and dashboards
 * match on them. What is known beyond them follows after a colon.
 */
export function printBlockedEvent(blocker: DisruptionBlocker): string {
  switch (blocker.kind) {
    case 'noNode':
      return 'Nodeclaim does not have an associated node';
    case 'uninitialized':
      return "Node isn't initialized";
    case 'leaving':
      return 'Node is deleting or marked for deletion';
    case 'nominated':
      return 'Node is nominated for a pending pod';
    case 'doNotDisruptNode':
      return `Disruption is blocked through the "${karpenterAnnotations.doNotDisrupt}" annotation`;
    case 'noNodePoolLabel':
      return `Node doesn't have required label (label=${karpenterLabels.nodePool})`;
    case 'nodePoolNotFound':
    case 'noInstanceTypes':
      return `NodePool not found (NodePool=${blocker.nodePool}): ${printedBlocker(blocker)}`;
    case 'protectedPod': {
      const words = `Pod has "${karpenterAnnotations.doNotDisrupt}" annotation (Pod=${podName(blocker.pod)})`;
      return blocker.until === undefined ? words : `${words}: ${printedBlocker(blocker)}`;
    }
    case 'eviction': {
      const words = `Pdb prevents pod evictions (PodDisruptionBudget=[${blocker.eviction.budgets.join(' ')}])`;
      return `${words}: ${printedEviction(blocker.pod, blocker.eviction)}`;
    }
    case 'unschedulablePods': {
      const pods = blocker.pods.map(({ pod, reasons }) => `${podName(pod)} => ${printedTogether(reasons)}`);
      return `Not all pods would schedule, ${pods.join('; ')}`;
    }
    case 'unmanaged':
    case 'queued':
    case 'budget':
    case 'uninitializedDestination':
    case 'surplusNodes':
    case 'nodeLimit':
    case 'paused':
    case 'rolloutMember':
    case 'waiting':
      return printedBlocker(blocker);
  }
}
