import type { Instant, NodeClaim, Pod } from '@nodewright/apis';
import {
  claimFor,
  EvictionRules,
  printedReasons,
  schedule,
  type NewNode,
  type NodeState,
  type SchedulingOptions,
  type SchedulingResult,
} from '@nodewright/engine';
import type { RoundSnapshot } from './observe.ts';

/** What a round decided: claims to create, nodes that pods are on their way to, pods without a place. */
export type RoundPlan = {
  readonly create: readonly PlannedClaim[];
  readonly nominate: readonly { readonly node: NodeState; readonly pods: readonly Pod[] }[];
  readonly unschedulable: readonly UnplacedPod[];
  /** Pods that wait for reserved capacity: what is left of it is promised to others of this round. */
  readonly deferred: readonly Pod[];
  readonly pods: number;
  /** Pods for which there was no time in this round. */
  readonly unreached: number;
};

/** `reasons`: a line for each different thing that stands against it; `because`: all of them in one. */
export type UnplacedPod = { readonly pod: Pod; readonly reasons: readonly string[]; readonly because: string };

export type PlannedClaim = { readonly claim: NodeClaim; readonly newNode: NewNode; readonly because: string };

const nothing: RoundPlan = { create: [], nominate: [], unschedulable: [], deferred: [], pods: 0, unreached: 0 };

/** @param isTimeUp once it is, the round launches what it has found so far; the next one goes on from there */
export function planRound(
  seen: RoundSnapshot,
  options: SchedulingOptions,
  now: Instant,
  isTimeUp?: () => boolean,
): RoundPlan {
  const pods = [...seen.pending, ...podsToMove(seen, now)];
  return pods.length === 0 ? nothing : planned(solve(seen, pods, { options, isTimeUp }), pods.length);
}

/** Pods of leaving nodes that may be evicted: they need a place before they are. */
function podsToMove({ leavingNodes, budgets }: RoundSnapshot, now: Instant): readonly Pod[] {
  const rules = new EvictionRules(budgets);
  return leavingNodes.flatMap(({ pods }) => pods.filter((pod) => rules.canMove(pod, now)));
}

type How = { readonly options: SchedulingOptions; readonly isTimeUp: (() => boolean) | undefined };

const solve = (seen: RoundSnapshot, pods: readonly Pod[], { options, isTimeUp }: How): SchedulingResult =>
  schedule(
    {
      nodePools: seen.supplies,
      nodes: seen.nodes,
      leavingNodes: seen.leavingNodes,
      pods,
      daemonPods: seen.daemonPods,
      namespaces: seen.namespaces,
      volumeRequirements: seen.volumeRequirements,
      attachedVolumes: seen.attachedVolumes,
      defaultSpread: seen.defaultSpread,
      options,
    },
    isTimeUp,
  );

const planned = (
  { newNodes, existing, unschedulable, deferred, unreached }: SchedulingResult,
  pods: number,
): RoundPlan => ({
  create: newNodes.map((newNode) => ({
    claim: claimFor(newNode),
    newNode,
    because: `${newNode.pods.length} pods have no other place`,
  })),
  nominate: existing,
  unschedulable: unschedulable.map(({ pod, reasons }) => unplaced(pod, printedReasons(reasons))),
  deferred,
  pods,
  unreached: unreached.length,
});

const unplaced = (pod: Pod, reasons: readonly string[]): UnplacedPod => ({ pod, reasons, because: reasons.join('; ') });
