import { filterPerItem, type Instant, type Pod } from '@nodewright/apis';
import { isRealPod } from '../../buffers/virtual-pods.ts';
import { isInitialized, isMarkedForDeletion, nodeNameOf, type NodeState } from '../../cluster/node-state.ts';
import type { ExistingPlacement, NewNode, SchedulingProblem } from '../../solve/problem.ts';
import { schedulePods } from '../../solve/round/schedule.ts';
import type { WorkMeter } from '../../solve/work-meter.ts';
import type { DisruptionCandidate } from '../candidates/candidate.ts';
import type { DisruptionBlocker } from '../candidates/disruption-blocker.ts';
import type { EvictionRules } from '../evictions/pod-disruption-budgets.ts';
import type { DisruptionSnapshot } from '../snapshot.ts';
import { unsettledNodes } from './unsettled-nodes.ts';

export type Simulation =
  /** All pods have a place without the candidates, given these new nodes. */
  | { readonly kind: 'works'; readonly newNodes: readonly NewNode[]; readonly existing: readonly ExistingPlacement[] }
  | { readonly kind: 'fails'; readonly blocker: DisruptionBlocker };

export type SimulationRules = {
  readonly rules: EvictionRules;
  readonly now: Instant;
  /** Whether pods of the candidates must not go to nodes within their `consolidateAfter`. */
  readonly settledOnly?: boolean;
  /** Counts the work of the simulation, if a search wants to know. */
  readonly meter?: WorkMeter;
};

/** Many simulations ask about the same list of nodes. */
const leavingAmong = filterPerItem(isMarkedForDeletion);

/**
 * Simulates the removal of candidates: a scheduling round without them, with their pods
 * and the pods of leaving nodes beside the pending pods. Pending pods may stay pending.
 */
export function simulateWithout(
  candidates: readonly DisruptionCandidate[],
  seen: DisruptionSnapshot,
  { rules, now, settledOnly = false, meter }: SimulationRules,
): Simulation {
  const going = new Set(candidates.map(({ state }) => state));
  const leaving = leavingAmong(seen.nodes);
  const moving = candidates.flatMap(({ reschedulable }) => reschedulable.filter((pod) => rules.canMove(pod, now)));
  const virtual = seen.virtualPods ?? [];
  const problem: SchedulingProblem = {
    nodePools: seen.supplies,
    nodes: seen.nodes,
    leavingNodes: [...going],
    pods: [
      ...seen.pendingPods,
      ...virtual,
      ...moving,
      ...podsOnNodes(leaving).filter((pod) => rules.canMove(pod, now)),
    ],
    // In-flight nodes were launched for the pods of leaving nodes, so these pods come before equal pods.
    afterEquals: new Set([...moving, ...virtual]),
    ...(settledOnly ? { keptOff: { pods: new Set(moving), nodes: unsettledNodes(seen) } } : {}),
    ...(seen.promised === undefined ? {} : { promised: seen.promised }),
    ...(seen.held === undefined ? {} : { held: seen.held }),
    daemonPods: seen.daemonPods,
    namespaces: seen.namespaces,
    ...(seen.volumeRequirements === undefined ? {} : { volumeRequirements: seen.volumeRequirements }),
    ...(seen.attachedVolumes === undefined ? {} : { attachedVolumes: seen.attachedVolumes }),
    ...(seen.defaultSpread === undefined ? {} : { defaultSpread: seen.defaultSpread }),
    // A replacement does not wait for reserved capacity.
    options: { ...seen.options, reservedCapacity: 'Fallback' },
  };
  const result = schedulePods(problem, meter);
  const pending = new Set([...seen.pendingPods, ...virtual]);
  const homeless = result.unschedulable.filter(({ pod }) => !pending.has(pod));
  if (homeless.length > 0) return { kind: 'fails', blocker: { kind: 'unschedulablePods', pods: homeless } };
  // Pods that wait anyway, or leave with their node, get theirs from the provisioner, which would launch it once more.
  const moved = new Set([...moving, ...virtual]);
  const isForMoving = ({ pods }: NewNode): boolean => pods.some((pod) => moved.has(pod));
  const blocker = uncertainDestination(result.existing, new Set(moving));
  return blocker === undefined
    ? { kind: 'works', newNodes: result.newNodes.filter(isForMoving), existing: realPlacements(result.existing) }
    : { kind: 'fails', blocker };
}

/** Placements without virtual pods, which never arrive at a node. */
const realPlacements = (existing: readonly ExistingPlacement[]): readonly ExistingPlacement[] =>
  existing.map(({ node, pods }) => ({ node, pods: pods.filter(isRealPod) })).filter(({ pods }) => pods.length > 0);

const podsOnNodes = (nodes: readonly NodeState[]): readonly Pod[] => nodes.flatMap(({ pods }) => pods);

/** A pod must not leave a working node for one that may never become ready. */
function uncertainDestination(
  existing: readonly ExistingPlacement[],
  moving: ReadonlySet<Pod>,
): DisruptionBlocker | undefined {
  for (const { node, pods } of existing) {
    const risked = pods.filter((pod) => moving.has(pod));
    if (risked.length > 0 && !isInitialized(node)) {
      return { kind: 'uninitializedDestination', pods: risked, node: nodeNameOf(node) };
    }
  }
  return undefined;
}
