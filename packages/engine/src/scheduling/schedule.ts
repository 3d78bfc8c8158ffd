import { wellKnownLabels as knownLabels } from '@nodewright/apis';
import type { Pod } from '@nodewright/apis';
import { isMarkedForDeletion, nodeAllocatableOf } from '../cluster/node-state.ts';
import { podRequests } from '../pods/pod-requests.ts';
import { requirementsOf, requirementsOfLabels } from '../requirements/requirement-set.ts';
import { intersectSets } from '../requirements/intersection.ts';
import { byReadiness, ExistingNode } from './existing-node.ts';
import type { Resources } from './instance-type.ts';
import { finished } from './new-node.ts';
import { byWeight, nodeTemplate } from './node-template.ts';
import { place } from './placement.ts';
import type { Placement } from './placement.ts';
import { PlacementQueue } from './placement-queue.ts';
import { classify } from './pod-class.ts';
import type { ClassifiedPod } from './pod-class.ts';
import { PoolLimits } from './pool-limits.ts';
import type { NewNode, PoolSupply, SchedulingProblem, SchedulingResult, UnschedulablePod } from './problem.ts';
import type { UnschedulableReason } from './reasons.ts';
import { resourceTable } from './resource-rows.ts';
import { countRunning, declareRunning, standingNode } from './running-pods.ts';
import { DomainUniverse } from './topology/domain-universe.ts';
import { Topology } from './topology/topology.ts';

/**
 * Finds a place for every pod of a round, on nodes that are there or on as few and cheap new ones
 * as it can. Pure: equal problems have equal results, whatever order their lists come in.
 *
 * Pods are tried from the largest to the smallest, on existing nodes, then on nodes planned so far,
 * then on a new one of the heaviest NodePool that admits them. Preferences are given up one by one
 * where they stand in the way. Nodes marked for deletion in `nodes` are treated as leaving.
 * @see https://karpenter.sh/docs/concepts/scheduling/
 */
export function schedule(problem: SchedulingProblem): SchedulingResult {
  const { placement, pods } = prepare(problem);
  const reasons = placeAll(pods, placement);
  return resultOf(placement, reasons, problem);
}

/** Tries all pods until a whole cycle brings nothing. @returns why, for each pod left over */
function placeAll(
  pods: readonly ClassifiedPod[],
  placement: Placement,
): ReadonlyMap<ClassifiedPod, readonly UnschedulableReason[]> {
  const queue = new PlacementQueue(pods);
  const reasons = new Map<ClassifiedPod, readonly UnschedulableReason[]>();
  const failedSince = new Map<
    ClassifiedPod['podClass'],
    { readonly placed: number; readonly why: readonly UnschedulableReason[] }
  >();
  let placed = 0;
  for (let next = queue.next(); next !== undefined; next = queue.next()) {
    const before = failedSince.get(next.podClass);
    // Nothing was placed since an equal pod failed, so this one would too.
    const why = before?.placed === placed ? before.why : place(next, placement);
    if (why === undefined) {
      placed += 1;
      reasons.delete(next);
    } else {
      failedSince.set(next.podClass, { placed, why });
      reasons.set(next, why);
      queue.pushBack(next);
    }
  }
  return reasons;
}

function prepare(whole: SchedulingProblem): { readonly placement: Placement; readonly pods: readonly ClassifiedPod[] } {
  const problem = withoutLeaving(whole);
  const wellKnownLabels = problem.options.wellKnownLabels ?? knownLabels;
  const requested = new Map(problem.pods.map((pod) => [pod, podRequests(pod)]));
  const supplies = problem.nodePools.toSorted(byWeight);
  const resources = resourceTable(allResources(problem, requested));
  const templates = supplies.map((supply) =>
    nodeTemplate(supply, { daemonPods: problem.daemonPods, wellKnownLabels, resources }),
  );
  const existing = problem.nodes
    .map((state) => new ExistingNode(state, problem.daemonPods, resources))
    .toSorted(byReadiness);
  const topology = new Topology(new DomainUniverse(supplies.map(domainSource)), problem.namespaces);
  for (const state of problem.nodes) if (state.node !== undefined) topology.addStandingNode(standingNode(state));
  declareRunning(problem, topology);
  const somePreferNoSchedule = templates.some(({ taints }) =>
    taints.some(({ effect }) => effect === 'PreferNoSchedule'),
  );
  const pods = classify(requested, { problem, topology, resources, somePreferNoSchedule });
  for (const node of existing) topology.addHostname(node.hostname);
  countRunning(problem, topology);
  const limits = new PoolLimits(templates, problem.nodes);
  const emptyRow = resources.row({});
  const { options } = problem;
  return {
    placement: { existing, planned: [], templates, limits, topology, emptyRow, wellKnownLabels, options },
    pods,
  };
}

function withoutLeaving(problem: SchedulingProblem): SchedulingProblem {
  const leaving = problem.nodes.filter(isMarkedForDeletion);
  if (leaving.length === 0) return problem;
  return {
    ...problem,
    nodes: problem.nodes.filter((state) => !isMarkedForDeletion(state)),
    leavingNodes: [...(problem.leavingNodes ?? []), ...leaving],
  };
}

function* allResources(problem: SchedulingProblem, requested: ReadonlyMap<Pod, Resources>): Generator<Resources> {
  yield* requested.values();
  for (const daemon of problem.daemonPods) yield podRequests(daemon);
  for (const { instanceTypes } of problem.nodePools) for (const type of instanceTypes) yield type.allocatable;
  for (const state of problem.nodes) yield nodeAllocatableOf(state);
}

const domainSource = ({ nodePool, instanceTypes }: PoolSupply) => {
  const { metadata, spec } = nodePool.spec.template;
  return {
    taints: spec.taints ?? [],
    requirements: intersectSets(requirementsOf(spec.requirements), requirementsOfLabels(metadata?.labels)),
    types: instanceTypes,
  };
};

function resultOf(
  { planned, existing }: Placement,
  reasons: ReadonlyMap<ClassifiedPod, readonly UnschedulableReason[]>,
  { options }: SchedulingProblem,
): SchedulingResult {
  const newNodes: NewNode[] = [];
  const unschedulable: UnschedulablePod[] = [...reasons].map(([{ pod }, why]) => ({ pod, reasons: why }));
  for (const node of planned.toSorted((a, b) => (a.hostname < b.hostname ? -1 : 1))) {
    const outcome = finished(node, options.minValuesPolicy);
    if ('node' in outcome) newNodes.push(outcome.node);
    else {
      const nodePool = node.template.nodePool.metadata.name;
      const why = [
        { kind: 'refused' as const, nodePool, obstacle: { kind: 'minValues' as const, short: outcome.short } },
      ];
      unschedulable.push(...node.pods.map((pod) => ({ pod, reasons: why })));
    }
  }
  return {
    newNodes,
    existing: existing
      .filter(({ pods }) => pods.length > 0)
      .map(({ state, pods }) => ({ node: state, pods: [...pods] })),
    unschedulable,
  };
}
