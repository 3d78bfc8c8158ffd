import { wellKnownLabels as knownLabels } from '@nodewright/apis';
import { nodeCapacityOf, nodePoolNameOf } from '../../cluster/node-state.ts';
import { podRequests } from '../../pods/pod-requests.ts';
import type { MinValuesShortfall } from '@nodewright/requirements';
import { ExistingNodes } from '../nodes/existing/existing-nodes.ts';
import type { Resources } from '../../instance-types/instance-type.ts';
import { nodeFinisher } from '../nodes/new-node.ts';
import { byWeight, namesOfTypes, preparedTemplate, prepareDomains } from '../nodes/node-template.ts';
import { RoundPlacement, type RoundTotals, type PlacementOutcome } from '../placement/placement.ts';
import { PlacementQueue } from '../pods/placement-queue.ts';
import type { PlannedNode } from '../nodes/planned-node.ts';
import { podBatch, type PodBatch } from '../pods/pod-batch.ts';
import { classifyPods, type ClassifiedPod, type ClassifiedPods, type PodClass } from '../pods/pod-class.ts';
import { PoolLimits } from '../nodes/pool-limits.ts';
import type {
  ExistingPlacement,
  NewNode,
  PassedOver,
  SchedulingProblem,
  SchedulingResult,
  UnschedulablePod,
} from '../problem.ts';
import type { UnschedulableReason } from '../reasons/reasons.ts';
import { whyNot } from '../why/why-not.ts';
import { placePromisedPods } from '../placement/promised-pods.ts';
import { Reservations } from '../nodes/reservations.ts';
import { resourceTable, type ResourceTable } from '../../instance-types/resource-rows.ts';
import { subtractResources } from '../../instance-types/resources.ts';
import { ExistingCluster, existingCluster } from '../nodes/existing/existing-cluster.ts';
import { ExistingPods } from '../nodes/existing/existing-pods.ts';
import { prefersNoSchedule } from '../../pods/tolerations.ts';
import { DomainUniverse } from '../topology/domain-universe.ts';
import { Topology } from '../topology/topology.ts';
import type { UnforeseenDomain } from '../topology/unforeseen-domains.ts';
import {
  countPodsLeft,
  isBetterAnswer,
  anyTotals,
  totalsToBeat,
  type RoundAnswer,
  type PodsLeft,
} from './strategies/answer.ts';
import { firstStrategy, otherStrategies, strategiesWorthTrying, type SolveStrategy } from './strategies/strategy.ts';
import { withoutUnplaceable } from './unplaceable-pods.ts';
import { WorkMeter, workOf } from '../work-meter.ts';

/**
 * Finds a place for every pod of a round, on existing nodes or on as few and cheap new nodes
 * as possible. Pure: equal problems have equal results, whatever the order of their lists.
 *
 * Pods are tried from the largest to the smallest, on existing nodes, then on nodes planned so far,
 * then on a new one of the heaviest NodePool that admits them. Preferences are given up one by one
 * while they prevent a placement. A small round is decided with several strategies, and the best answer is taken.
 * Nodes marked for deletion in `nodes` are treated as leaving.
 * Once `workLimit` is spent, placed pods stay and the others are `unreached`.
 * @param meter counts the work beside that of other rounds; a meter of its own unless given
 * @see https://karpenter.sh/docs/concepts/scheduling/
 */
export function schedulePods(problem: SchedulingProblem, meter = new WorkMeter(problem.workLimit)): SchedulingResult {
  const { problem: placeable, refused } = withoutUnplaceable(problem);
  const result = roundResult(bestAnswer(placeable, meter), placeable.passedOver);
  return refused.length === 0 ? result : { ...result, unschedulable: [...result.unschedulable, ...refused] };
}

/** How often a round starts again, each time with the domains that the earlier starts found. */
const mostRestarts = 4;

/**
 * The best answer of several strategies, the first of equally good ones. Other strategies are tried while
 * a better answer is possible and the round is small.
 */
export function bestAnswer(problem: SchedulingProblem, meter = new WorkMeter(problem.workLimit)): RoundAnswer {
  const batch = podBatch(problem);
  let best = tryStrategy(firstStrategy, problem, { batch, meter, toBeat: anyTotals }) as RoundAnswer;
  for (const way of strategiesWorthTrying(otherStrategies, best)) {
    if (meter.isUsedUp) break;
    const answer = tryStrategy(way, problem, { batch, meter, toBeat: totalsToBeat(best) });
    if (answer !== undefined && isBetterAnswer(answer, best)) best = answer;
  }
  return best;
}

/**
 * Decides the round with one strategy. When a node was not planned because of an unforeseen domain, the round starts
 * again and spreads know this domain from the start. The result is the first answer with the fewest pods left.
 */
export const solveWithStrategy = (
  way: SolveStrategy,
  problem: SchedulingProblem,
  meter = new WorkMeter(problem.workLimit),
): RoundAnswer => tryStrategy(way, problem, { batch: podBatch(problem), meter, toBeat: anyTotals }) as RoundAnswer;

/** The same, given up as soon as it cannot be better than what it has to beat. */
function tryStrategy(
  way: SolveStrategy,
  problem: SchedulingProblem,
  { batch, meter, toBeat }: { readonly batch: PodBatch; readonly meter: WorkMeter; readonly toBeat: RoundTotals },
): RoundAnswer | undefined {
  const opened: UnforeseenDomain[] = [];
  let best: RoundAnswer | undefined;
  for (let beginnings = 0; beginnings < mostRestarts; beginnings++) {
    const { placement, pods: classes } = prepareRound(problem, way, { opened, meter, batch });
    const { others, waiting } = placePromisedPods(classes, problem.promised, placement);
    const queue = new PlacementQueue(others, problem.afterEquals, way.podOrder(others, placement));
    const left = placeAll(queue, placement, { meter, toBeat });
    const answer = left === undefined ? undefined : { classes, placement, left, waiting, ...finishNodes(placement) };
    if (answer !== undefined && (best === undefined || countPodsLeft(answer) < countPodsLeft(best))) best = answer;
    if (placement.unforeseen.refused.length === 0 || meter.isUsedUp) break;
    opened.push(...placement.unforeseen.refused);
  }
  return best;
}

/** How the last try of a class ended, and how many pods had been placed by then. */
type LastFailure = { readonly placed: number; readonly outcome: PlacementOutcome };

/** Tries all pods until a whole cycle brings nothing, or the work limit is spent; `undefined` once the nodes exceed what is to beat. */
function placeAll(
  queue: PlacementQueue,
  placement: RoundPlacement,
  { meter, toBeat }: { readonly meter: WorkMeter; readonly toBeat: RoundTotals },
): PodsLeft | undefined {
  const failures = new Map<PodClass, LastFailure>();
  let placed = 0;
  for (let next = queue.next(); next !== undefined; next = queue.next()) {
    if (meter.isUsedUp) return { refused: [], deferred: [], unreached: [next, ...queue.left] };
    const failure = failures.get(next.podClass);
    // Nothing was placed since an equal pod failed, so this pod fails, too.
    const outcome = failure?.placed === placed ? failure.outcome : placement.place(next);
    if (outcome === 'placed') {
      if (placement.exceeds(toBeat)) return undefined;
      placed += 1;
      if (queue.comesNext(next.podClass)) placed += placement.placeMore(next.podClass, queue);
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

/**
 * The nodes, pools and rules of a problem with nothing placed yet, and the pods in their classes.
 * @param way decides which planned node takes a pod, and which domain comes first
 * @param round.opened domains that spreads count beside those of pools and nodes
 * @param round.batch its pods, which are the same for all strategies
 */
export function prepareRound(
  problem: SchedulingProblem,
  way: SolveStrategy = firstStrategy,
  {
    opened = [],
    meter = new WorkMeter(),
    batch = podBatch(problem),
  }: { readonly opened?: readonly UnforeseenDomain[]; readonly meter?: WorkMeter; readonly batch?: PodBatch } = {},
): {
  readonly placement: RoundPlacement;
  readonly pods: readonly ClassifiedPods[];
} {
  const { namespaces, options } = problem;
  const wellKnownLabels = options.wellKnownLabels ?? knownLabels;
  meter.add(workOf.listing * (problem.nodes.length + problem.pods.length));
  const { cluster, gone, existingPods } = existingPartsOf(problem);
  const ofTypes = resourcesOfTypes(problem);
  const resources = resourceTable([cluster.resources, ...batch.requests], ofTypes.names);
  const templates = templatesOf(problem, ofTypes);
  const universe = new DomainUniverse(
    templates.map(({ domains }) => domains),
    opened,
    way.firstDomain,
  );
  const topology = new Topology(universe, namespaces, existingPods);
  existingPods.declareKeepingAway(topology);
  const somePreferNoSchedule =
    cluster.somePreferNoSchedule || templates.some(({ taints }) => prefersNoSchedule(taints));
  const pods = classifyPods(batch.kinds, { problem, topology, resources, somePreferNoSchedule });
  const placement = new RoundPlacement({
    existing: new ExistingNodes(cluster, { gone, closed: cluster.numbersOf(problem.keptOff?.nodes) }, resources),
    templates,
    limits: new PoolLimits(templates, (nodePool) => usedBy(nodePool, cluster, gone)),
    reservations: new Reservations(templates.flatMap(({ table }) => table.reserved.map(({ offering }) => offering))),
    topology,
    emptyRow: resources.row({}),
    names: resources.names,
    wellKnownLabels,
    options,
    nodeChoice: way.nodeChoice,
    meter,
  });
  return { placement, pods };
}

type ExistingParts = {
  readonly cluster: ExistingCluster;
  /** Numbers of its nodes that are leaving. */
  readonly gone: readonly number[];
  readonly existingPods: ExistingPods;
};

/** The existing nodes of the problem, some of which may be leaving, and leaving nodes that the problem lists apart. */
function existingPartsOf(problem: SchedulingProblem): ExistingParts {
  const cluster = existingCluster(problem.nodes, problem);
  const leaving = problem.leavingNodes ?? [];
  const listed = leaving.flatMap((state) => cluster.numberOf(state) ?? []);
  const gone = listed.length === 0 ? cluster.leaving : [...new Set([...cluster.leaving, ...listed])];
  const elsewhere = leaving.filter((state) => cluster.numberOf(state) === undefined);
  const parts = [{ podCounts: cluster.podCounts, gone }];
  if (elsewhere.length > 0) {
    const { podCounts } = new ExistingCluster(elsewhere, problem);
    parts.push({ podCounts, gone: podCounts.nodes.map((_, number) => number) });
  }
  return { cluster, gone, existingPods: new ExistingPods(parts, problem.pods) };
}

const usedBy = (nodePool: string, cluster: ExistingCluster, gone: readonly number[]): Resources =>
  gone
    .flatMap((number) => cluster.nodes[number]?.state ?? [])
    .filter((state) => nodePoolNameOf(state) === nodePool)
    .reduce((used, state) => subtractResources(used, nodeCapacityOf(state)), cluster.capacityOf(nodePool));

/**
 * Prepares what every round over the same NodePools, instance types and daemons needs from
 * them. Rounds find it by the identity of these objects.
 */
export function prepareTypes(problem: SchedulingProblem): void {
  for (const template of templatesOf(problem, resourcesOfTypes(problem))) prepareDomains(template);
}

/** What a new node of each pool starts from, in the order in which pools are tried. */
function templatesOf({ nodePools, daemonPods, options }: SchedulingProblem, resources: ResourceTable) {
  const wellKnownLabels = options.wellKnownLabels ?? knownLabels;
  return nodePools
    .toSorted(byWeight)
    .map((supply) => preparedTemplate(supply, { daemonPods, wellKnownLabels, resources }));
}

const resourcesOfTypes = ({ nodePools, daemonPods }: SchedulingProblem): ResourceTable =>
  resourceTable([...daemonPods.map(podRequests), ...nodePools.map(({ instanceTypes }) => namesOfTypes(instanceTypes))]);

/** The planned nodes as they will be launched, and the pods of nodes that cannot be launched. */
function finishNodes({ ground, planned }: RoundPlacement): Pick<RoundAnswer, 'newNodes' | 'undone'> {
  const newNodes: NewNode[] = [];
  const undone: UnschedulablePod[] = [];
  const finish = nodeFinisher(ground.options.minValuesPolicy, ground.names);
  for (const node of planned) {
    const outcome = finish(node);
    if ('node' in outcome) newNodes.push(outcome.node);
    else undone.push(...podsOfUnfinishedNode(node, outcome.short));
  }
  return { newNodes, undone };
}

const roundResult = (
  { placement, left, waiting, newNodes, undone }: RoundAnswer,
  passedOver: readonly PassedOver[] = [],
): SchedulingResult => ({
  newNodes,
  existing: existingPlacements(placement),
  waiting,
  unschedulable: [...explainRefusals(left.refused, placement, passedOver), ...undone],
  deferred: left.deferred.map(({ pod }) => pod),
  unreached: left.unreached.map(({ pod }) => pod),
});

function* explainRefusals(
  left: readonly ClassifiedPod[],
  placement: RoundPlacement,
  passedOver: readonly PassedOver[],
): Generator<UnschedulablePod> {
  const others: readonly UnschedulableReason[] =
    placement.ground.templates.length + passedOver.length === 0
      ? [{ kind: 'noNodePool' }]
      : passedOver.map((each) => ({ kind: 'passedOver', ...each }));
  const byClass = new Map<PodClass, readonly UnschedulableReason[]>();
  for (const { pod, podClass } of left) {
    const reasons = byClass.get(podClass) ?? [...whyNot(podClass, placement), ...others];
    byClass.set(podClass, reasons);
    yield { pod, reasons };
  }
}

/** The pods of a node whose cheapest types alone do not meet its minimum counts. */
function podsOfUnfinishedNode(
  { template, pods }: PlannedNode,
  short: readonly MinValuesShortfall[],
): readonly UnschedulablePod[] {
  const nodePool = template.nodePool.metadata.name;
  const reasons = [{ kind: 'refused' as const, nodePool, obstacle: { kind: 'minValues' as const, short } }];
  return pods.map((pod) => ({ pod, reasons }));
}

const existingPlacements = ({ ground }: RoundPlacement): readonly ExistingPlacement[] =>
  ground.existing.taken.map(({ state, pods }) => ({ node: state, pods: [...pods] }));
