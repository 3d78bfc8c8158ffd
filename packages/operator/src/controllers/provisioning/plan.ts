import type { Instant, NodeClaim, Pod } from '@nodewright/apis';
import {
  claimFor,
  effectiveZones,
  EvictionRules,
  printedReasons,
  schedule,
  type NewNode,
  type NodeState,
  type SchedulingOptions,
  type SchedulingProblem,
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
  /** How many pending pods could get a place in one zone alone, by its name, or are `flexible`, or could in `none`. */
  readonly zones: ReadonlyMap<string, number>;
  /** Pods for which there was no time in this round. */
  readonly unreached: number;
};

/** `reasons`: a line for each different thing that stands against it; `because`: all of them in one. */
export type UnplacedPod = { readonly pod: Pod; readonly reasons: readonly string[]; readonly because: string };

export type PlannedClaim = { readonly claim: NodeClaim; readonly newNode: NewNode; readonly because: string };

const nothing: RoundPlan = {
  create: [],
  nominate: [],
  unschedulable: [],
  deferred: [],
  pods: 0,
  zones: new Map(),
  unreached: 0,
};

/** @param isTimeUp once it is, the round launches what it has found so far; the next one goes on from there */
export function planRound(
  seen: RoundSnapshot,
  options: SchedulingOptions,
  now: Instant,
  isTimeUp?: () => boolean,
): RoundPlan {
  const pods = [...seen.pending, ...podsToMove(seen, now)];
  if (pods.length === 0) return nothing;
  const problem = problemOf(seen, pods, options);
  const zones = effectiveZones({ ...problem, pods: seen.pending });
  return planned(schedule(problem, isTimeUp), { pods: pods.length, zones: countsOf(zones.values()) });
}

/** Pods of leaving nodes that may be evicted: they need a place before they are. */
function podsToMove({ leavingNodes, budgets }: RoundSnapshot, now: Instant): readonly Pod[] {
  const rules = new EvictionRules(budgets);
  return leavingNodes.flatMap(({ pods }) => pods.filter((pod) => rules.canMove(pod, now)));
}

function countsOf(values: Iterable<string>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

const problemOf = (seen: RoundSnapshot, pods: readonly Pod[], options: SchedulingOptions): SchedulingProblem => ({
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
});

const planned = (
  { newNodes, existing, unschedulable, deferred, unreached }: SchedulingResult,
  asked: Pick<RoundPlan, 'pods' | 'zones'>,
): RoundPlan => ({
  ...asked,
  create: newNodes.map((newNode) => ({
    claim: claimFor(newNode),
    newNode,
    because: `${newNode.pods.length} pods have no other place`,
  })),
  nominate: existing,
  unschedulable: unschedulable.map(({ pod, reasons }) => unplaced(pod, printedReasons(reasons))),
  deferred,
  unreached: unreached.length,
});

const unplaced = (pod: Pod, reasons: readonly string[]): UnplacedPod => ({ pod, reasons, because: reasons.join('; ') });
