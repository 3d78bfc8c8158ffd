import { byTextOf, type Instant, type Pod, toTimestamp } from '@nodewright/apis';
import { nodeNameOf, podName } from '@nodewright/engine';
import type { RoundDigest } from '../../reporting/inspection.ts';
import type { RoundPlan } from './plan.ts';

/** Reasons of a few pods tell as much as those of thousands. */
const mostUnschedulable = 20;

type DigestedRound = {
  readonly plan: RoundPlan;
  readonly pending: readonly Pod[];
  readonly begun: Instant;
  readonly tookMs: number;
};

/** A round in few words and numbers. */
export const digestRound = ({ plan, pending, begun, tookMs }: DigestedRound): RoundDigest => ({
  at: toTimestamp(begun),
  tookMs,
  pendingPods: pending.length,
  newNodes: plan.create.map(({ newNode }) => ({
    nodePool: newNode.nodePool.metadata.name,
    pods: newNode.pods.length,
    instanceTypes: newNode.instanceTypes.length,
  })),
  onNodes: [...plan.nominate, ...plan.waiting]
    .map(({ node, pods }) => ({ node: nodeNameOf(node), pods: pods.length }))
    .toSorted(byTextOf(({ node }) => node)),
  unschedulable: plan.unschedulable
    .slice(0, mostUnschedulable)
    .map(({ pod, because }) => ({ pod: podName(pod), because })),
  unschedulablePods: plan.unschedulable.length,
  deferredPods: plan.deferred.length,
  unreachedPods: plan.unreached,
});
