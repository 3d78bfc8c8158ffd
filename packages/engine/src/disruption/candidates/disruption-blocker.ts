import { toTimestamp, type Instant, type Pod } from '@nodewright/apis';
import { podName } from '../../pods/pod-state.ts';
import type { UnschedulablePod } from '../../solve/problem.ts';
import { printedTogether } from '../../solve/why/printed-reasons.ts';
import type { EvictionBlocker } from '../evictions/pod-disruption-budgets.ts';

/** Why a node is not disrupted now. */
export type DisruptionBlocker =
  | { readonly kind: 'unmanaged' }
  | { readonly kind: 'queued' }
  | { readonly kind: 'noNode' }
  | { readonly kind: 'uninitialized' }
  | { readonly kind: 'leaving' }
  | { readonly kind: 'nominated' }
  | { readonly kind: 'doNotDisruptNode' }
  | { readonly kind: 'noNodePoolLabel' }
  | { readonly kind: 'nodePoolNotFound'; readonly nodePool: string }
  | { readonly kind: 'noInstanceTypes'; readonly nodePool: string }
  /** `until` is absent when the protection has no end yet. */
  | { readonly kind: 'protectedPod'; readonly pod: Pod; readonly until?: Instant }
  | { readonly kind: 'eviction'; readonly pod: Pod; readonly eviction: EvictionBlocker }
  | {
      readonly kind: 'budget';
      readonly nodePool: string;
      readonly allowed: number;
      readonly disrupting: number;
      /** The one that is away is the node that would go: it is not ready. */
      readonly isItself?: boolean;
    }
  /** Pods of the node would have no place without it. */
  | { readonly kind: 'unschedulablePods'; readonly pods: readonly UnschedulablePod[] }
  /** Pods of the node would depend on a node that may never become ready. */
  | { readonly kind: 'uninitializedDestination'; readonly pods: readonly Pod[]; readonly node: string }
  /** A pool with `replicas` has too many nodes, including nodes that are being replaced. The surplus goes first. */
  | { readonly kind: 'surplusNodes'; readonly nodePool: string; readonly nodes: number; readonly replicas: number }
  /** A pool with `replicas` has no room for a replacement. */
  | { readonly kind: 'nodeLimit'; readonly nodePool: string; readonly limit: number }
  /** A DisruptionPause keeps it; `until` is absent where it lasts until it is deleted. */
  | { readonly kind: 'paused'; readonly pause: string; readonly until?: Instant }
  /** A rollout watches it: its seat in a wave is not proven yet. */
  | { readonly kind: 'rolloutMember'; readonly rollout: string }
  /** Another node goes first. */
  | { readonly kind: 'waiting'; readonly behind: string };

/** Whether Karpenter would say so in a `DisruptionBlocked` event. */
export const isAnnounced = ({ kind }: DisruptionBlocker): boolean =>
  kind !== 'queued' && kind !== 'unmanaged' && kind !== 'waiting' && kind !== 'surplusNodes';

/** The blocker as one sentence without a full stop. */
export function printedBlocker(blocker: DisruptionBlocker): string {
  switch (blocker.kind) {
    case 'unmanaged':
      return 'the node has no NodeClaim';
    case 'queued':
      return 'the node is being disrupted already';
    case 'noNode':
      return 'the NodeClaim has no Node yet';
    case 'uninitialized':
      return 'the node is not initialized';
    case 'leaving':
      return 'the node is leaving already';
    case 'nominated':
      return 'the node is nominated for a pending pod';
    case 'doNotDisruptNode':
      return 'the node carries the annotation karpenter.sh/do-not-disrupt';
    case 'noNodePoolLabel':
      return 'the node has no label karpenter.sh/nodepool';
    case 'nodePoolNotFound':
      return `NodePool ${blocker.nodePool} cannot be launched from now`;
    case 'noInstanceTypes':
      return `NodePool ${blocker.nodePool} has no instance types`;
    case 'protectedPod':
      return `pod ${podName(blocker.pod)} carries the annotation karpenter.sh/do-not-disrupt${blocker.until === undefined ? '' : ` until ${toTimestamp(blocker.until)}`}`;
    case 'eviction':
      return printedEviction(blocker.pod, blocker.eviction);
    case 'budget':
      return `the disruption budgets of NodePool ${blocker.nodePool} allow ${blocker.allowed} ${blocker.allowed === 1 ? 'node' : 'nodes'}, ${blocker.disrupting} ${blocker.disrupting === 1 ? 'is' : 'are'} away${blocker.isItself === true ? ': this one, which is not ready' : ''}`;
    case 'unschedulablePods':
      return blocker.pods
        .map(({ pod, reasons }) => `pod ${podName(pod)} would have no place: ${printedTogether(reasons)}`)
        .join('; ');
    case 'uninitializedDestination':
      return `${blocker.pods.map((pod) => `pod ${podName(pod)}`).join(', ')} would go to node ${blocker.node}, which is not initialized`;
    case 'surplusNodes':
      return `NodePool ${blocker.nodePool} has ${blocker.nodes} nodes and wants ${blocker.replicas}: others go first`;
    case 'nodeLimit':
      return `limits.nodes of NodePool ${blocker.nodePool} leaves no room for a replacement: it is ${blocker.limit}`;
    case 'paused':
      return `${blocker.pause}${blocker.until === undefined ? '' : `, until ${toTimestamp(blocker.until)}`}`;
    case 'rolloutMember':
      return `NodeRollout ${blocker.rollout} watches the node as one of its first`;
    case 'waiting':
      return `node ${blocker.behind} goes first`;
  }
}

/** Why a pod cannot be evicted, as one clause without a full stop. */
export function printedEviction(pod: Pod, blocker: EvictionBlocker): string {
  const name = podName(pod);
  const budgets = blocker.budgets.join(', ');
  switch (blocker.kind) {
    case 'severalBudgets':
      return `pod ${name} is selected by more than one PodDisruptionBudget: ${budgets}; it can never be evicted while that is so`;
    case 'fullyBlockingBudget':
      return `PodDisruptionBudget ${budgets} never allows an eviction of pod ${name} as it is: ${blocker.rule}`;
    case 'unobservedBudget':
      return `PodDisruptionBudget ${budgets} allows no eviction of pod ${name} now: its status is older than its spec`;
    case 'exhaustedBudget':
      return `PodDisruptionBudget ${budgets} allows no eviction of pod ${name} now: it needs ${blocker.desiredHealthy} healthy pods and has ${blocker.currentHealthy}`;
  }
}
