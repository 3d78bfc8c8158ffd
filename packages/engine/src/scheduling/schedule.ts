import { wellKnownLabels as knownLabels } from '@nodewright/apis';
import { isMarkedForDeletion, nodeAllocatableOf } from '../cluster/node-state.ts';
import { podRequests } from '../pods/pod-requests.ts';
import type { MinValuesShortfall } from '../requirements/min-values.ts';
import { byReadiness, ExistingNode } from './existing-node.ts';
import type { Resources } from './instance-type.ts';
import { finisher } from './new-node.ts';
import { byWeight, preparedTemplate } from './node-template.ts';
import { Placement } from './placement.ts';
import type { PlacementOutcome } from './placement.ts';
import { PlacementQueue } from './placement-queue.ts';
import type { PlannedNode } from './planned-node.ts';
import { podBatch } from './pod-batch.ts';
import { classify } from './pod-class.ts';
import type { ClassifiedPod, PodClass } from './pod-class.ts';
import { PoolLimits } from './pool-limits.ts';
import type { ExistingPlacement, NewNode, SchedulingProblem, SchedulingResult, UnschedulablePod } from './problem.ts';
import type { UnschedulableReason } from './reasons.ts';
import { Reservations } from './reservations.ts';
import { resourceTable } from './resource-rows.ts';
import { countRunning, declareRunning, runningPods, standingNode } from './running-pods.ts';
import { DomainUniverse } from './topology/domain-universe.ts';
import { Topology } from './topology/topology.ts';
import { whyNot } from './why-not.ts';

/**
 * Finds a place for every pod of a round, on nodes that are there or on as few and cheap new ones
 * as it can. Pure: equal problems have equal results, whatever order their lists come in.
 *
 * Pods are tried from the largest to the smallest, on existing nodes, then on nodes planned so far,
 * then on a new one of the heaviest NodePool that admits them. Preferences are given up one by one
 * where they stand in the way. Nodes marked for deletion in `nodes` are treated as leaving.
 * @param isTimeUp asked before every pod; once it is, what is placed stays and the others are `unreached`
 * @see https://karpenter.sh/docs/concepts/scheduling/
 */
export function schedule(problem: SchedulingProblem, isTimeUp: () => boolean = never): SchedulingResult {
  const { placement, pods } = prepare(problem);
  const left = placeAll(new PlacementQueue(pods, problem.afterEquals), placement, isTimeUp);
  return resultOf(placement, left, problem);
}

const never = (): boolean => false;

/** Pods without a place, in the order of their last try; whether those not tried since could have one is not known when time was up. */
type Left = {
  readonly refused: readonly ClassifiedPod[];
  readonly deferred: readonly ClassifiedPod[];
  readonly unreached: readonly ClassifiedPod[];
};

/** How the last try of a class ended, and how many pods had been placed by then. */
type Failure = { readonly placed: number; readonly outcome: PlacementOutcome };

/** Tries all pods until a whole cycle brings nothing, or time is up. */
function placeAll(queue: PlacementQueue, placement: Placement, isTimeUp: () => boolean): Left {
  const failures = new Map<PodClass, Failure>();
  let placed = 0;
  for (let next = queue.next(); next !== undefined; next = queue.next()) {
    if (isTimeUp()) return { refused: [], deferred: [], unreached: [next, ...queue.left] };
    const failure = failures.get(next.podClass);
    // Nothing was placed since an equal pod failed, so this one would too.
    const outcome = failure?.placed === placed ? failure.outcome : placement.place(next);
    if (outcome === 'placed') {
      placed += 1;
    } else {
      failures.set(next.podClass, { placed, outcome });
      queue.pushBack(next);
    }
  }
  const isDeferred = ({ podClass }: ClassifiedPod) => failures.get(podClass)?.outcome === 'deferred';
  return {
    refused: queue.left.filter((pod) => !isDeferred(pod)),
    deferred: queue.left.filter(isDeferred),
    unreached: [],
  };
}

/** What a problem has to place pods on, with nothing placed yet, and the pods in their classes. */
export function prepare(whole: SchedulingProblem): {
  readonly placement: Placement;
  readonly pods: readonly ClassifiedPod[];
} {
  const problem = withoutLeaving(whole);
  const wellKnownLabels = problem.options.wellKnownLabels ?? knownLabels;
  const batch = podBatch(problem);
  const supplies = problem.nodePools.toSorted(byWeight);
  const resources = resourceTable(allResources(problem, batch.requests));
  const templates = supplies.map((supply) =>
    preparedTemplate(supply, { daemonPods: problem.daemonPods, wellKnownLabels, resources }),
  );
  const existing = problem.nodes
    .map((state) => new ExistingNode(state, { ...problem, resources }))
    .toSorted(byReadiness);
  const topology = new Topology(new DomainUniverse(templates.map(({ domains }) => domains)), problem.namespaces);
  for (const state of problem.nodes) if (state.node !== undefined) topology.addStandingNode(standingNode(state));
  const running = runningPods(problem);
  declareRunning(running, topology);
  const somePreferNoSchedule = templates.some(({ taints }) =>
    taints.some(({ effect }) => effect === 'PreferNoSchedule'),
  );
  const pods = classify(batch.kinds, { problem, topology, resources, somePreferNoSchedule });
  countRunning(running, topology);
  const limits = new PoolLimits(templates, problem.nodes);
  const reservations = new Reservations(
    templates.flatMap(({ table }) => table.reserved.map(({ offering }) => offering)),
  );
  const emptyRow = resources.row({});
  const { options } = problem;
  const { names } = resources;
  return {
    placement: new Placement({
      existing,
      templates,
      limits,
      reservations,
      topology,
      emptyRow,
      names,
      wellKnownLabels,
      options,
    }),
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

function* allResources(problem: SchedulingProblem, requested: Iterable<Resources>): Generator<Resources> {
  yield* requested;
  for (const daemon of problem.daemonPods) yield podRequests(daemon);
  for (const { instanceTypes } of problem.nodePools) for (const type of instanceTypes) yield type.allocatable;
  for (const state of problem.nodes) yield nodeAllocatableOf(state);
}

function resultOf(
  placement: Placement,
  { refused, deferred, unreached }: Left,
  { options }: SchedulingProblem,
): SchedulingResult {
  const newNodes: NewNode[] = [];
  const unschedulable: UnschedulablePod[] = [...explained(refused, placement)];
  const finish = finisher(options.minValuesPolicy, placement.ground.names);
  for (const node of placement.planned) {
    const outcome = finish(node);
    if ('node' in outcome) newNodes.push(outcome.node);
    else unschedulable.push(...undone(node, outcome.short));
  }
  return {
    newNodes,
    existing: existingPlacements(placement),
    unschedulable,
    deferred: deferred.map(({ pod }) => pod),
    unreached: unreached.map(({ pod }) => pod),
  };
}

function* explained(left: readonly ClassifiedPod[], placement: Placement): Generator<UnschedulablePod> {
  const byClass = new Map<PodClass, readonly UnschedulableReason[]>();
  for (const { pod, podClass } of left) {
    const reasons = byClass.get(podClass) ?? whyNot(podClass, placement);
    byClass.set(podClass, reasons);
    yield { pod, reasons };
  }
}

/** The pods of a node whose cheapest types alone do not meet its minimum counts. */
function undone({ template, pods }: PlannedNode, short: readonly MinValuesShortfall[]): readonly UnschedulablePod[] {
  const nodePool = template.nodePool.metadata.name;
  const reasons = [{ kind: 'refused' as const, nodePool, obstacle: { kind: 'minValues' as const, short } }];
  return pods.map((pod) => ({ pod, reasons }));
}

const existingPlacements = ({ ground }: Placement): readonly ExistingPlacement[] =>
  ground.existing.filter(({ pods }) => pods.length > 0).map(({ state, pods }) => ({ node: state, pods: [...pods] }));
