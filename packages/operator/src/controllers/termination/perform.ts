import {
  conditionTrue,
  disruptedTaint,
  finalizers,
  isConditionTrue,
  kubernetesLabels,
  nodeClaimConditions,
  withCondition,
  type ConditionUpdate,
  type Instant,
  type Node,
} from '@nodewright/apis';
import type { Clock } from '@nodewright/runtime';
import type { Publisher } from '../../reporting/publisher.ts';
import { evictionKey } from '../eviction/key.ts';
import { isEndConfirmed } from './end-of-instance.ts';
import { nextInstancePoll } from './poll.ts';
import type { LeavingNode, LeavingNodeSources } from './observe.ts';
import type { TerminationAction } from './plan.ts';
import { reportAttachedVolumes, reportDraining, reportMarked, reportReleased, reportTainted } from './report.ts';

export type TerminationDeps = Omit<LeavingNodeSources, 'now'> & {
  readonly clock: Clock;
  readonly publish: Publisher;
  /** Puts a pod into the eviction queue; a pod that is in it stays where it is. */
  readonly evict: (key: string) => void;
};

type PerformedTermination = { readonly recheckAt?: Instant };

export async function performTermination(
  deps: TerminationDeps,
  seen: LeavingNode,
  action: TerminationAction,
  signal: AbortSignal,
): Promise<PerformedTermination> {
  switch (action.kind) {
    case 'deleteClaim':
      if (seen.claim !== undefined) await deps.objects.nodeClaims.delete(seen.claim);
      return {};
    case 'taint':
      return taintLeavingNode(deps, seen);
    case 'mark':
      return markTermination(deps, seen, action.condition);
    case 'evict':
      for (const pod of action.pods) deps.evict(evictionKey(pod));
      deps.publish(reportDraining(seen.node, action.waitingFor));
      return {};
    case 'awaitVolumes':
      deps.publish(reportAttachedVolumes(seen.node, action.attachments));
      return {};
    case 'terminateInstance':
      return terminateLeavingNode(deps, seen, action.providerId, signal);
    case 'release':
      return releaseNode(deps, seen);
  }
}

async function taintLeavingNode(deps: TerminationDeps, seen: LeavingNode): Promise<PerformedTermination> {
  await deps.objects.nodes.save(seen.node, taintedNode(seen.node));
  deps.publish(reportTainted(seen));
  return {};
}

/** The disruption taint replaces others of its key; load balancers stop sending new connections. */
const taintedNode = (node: Node): Node => ({
  ...node,
  metadata: {
    ...node.metadata,
    labels: { ...node.metadata.labels, [kubernetesLabels.excludeFromLoadBalancers]: 'karpenter' },
  },
  spec: {
    ...node.spec,
    taints: [...(node.spec?.taints ?? []).filter(({ key }) => key !== disruptedTaint.key), disruptedTaint],
  },
});

async function markTermination(
  deps: TerminationDeps,
  { claim }: LeavingNode,
  condition: ConditionUpdate,
): Promise<PerformedTermination> {
  if (claim === undefined) return {};
  const now = deps.clock.now();
  await deps.objects.nodeClaims.save(claim, withCondition(nodeClaimConditions, claim, condition, now));
  deps.publish(reportMarked(claim, condition));
  return {};
}

async function terminateLeavingNode(
  deps: TerminationDeps,
  seen: LeavingNode,
  providerId: string,
  signal: AbortSignal,
): Promise<PerformedTermination> {
  const outcome = await deps.instances.terminate(providerId, signal);
  if (seen.claim !== undefined && !isConditionTrue(seen.claim, 'InstanceTerminating')) {
    await markTermination(deps, seen, conditionTrue('InstanceTerminating'));
  }
  const isGone = isEndConfirmed(deps, { providerId, outcome });
  return isGone ? releaseNode(deps, seen) : { recheckAt: nextInstancePoll(deps.clock.now()) };
}

async function releaseNode(deps: TerminationDeps, seen: LeavingNode): Promise<PerformedTermination> {
  const { node } = seen;
  const rest = (node.metadata.finalizers ?? []).filter((name) => name !== finalizers.termination);
  await deps.objects.nodes.save(node, { ...node, metadata: { ...node.metadata, finalizers: rest } });
  deps.publish(reportReleased(seen, deps.clock.now()));
  return {};
}
