import { formatDuration, instant, isConditionTrue, type NodeClaim, type NodePool, type Pod } from '@nodewright/apis';
import {
  exceededLimit,
  isRealPod,
  nodeNameOf,
  nodePoolNameOf,
  podName,
  toResourceList,
  type NewNode,
} from '@nodewright/engine';
import type { Clock, Logger } from '@nodewright/runtime';
import type { Counters } from '../../reporting/counters.ts';
import * as reports from '../../reporting/pod-reports.ts';
import type { Reporter } from '../../reporting/report.ts';
import { printSomeNames } from '../../reporting/some-of.ts';
import { machineIdOf, type ClusterState } from '../../state/cluster-state.ts';
import { launchRecordOf } from '../../state/launch-record.ts';
import type { Objects } from '../../state/objects.ts';
import type { PodTimes } from '../../state/pod-times.ts';
import { launchableClaim } from '../node-claim/adoption.ts';
import { tellBuffers } from './buffers.ts';
import type { IgnoredPod } from './pending-pods.ts';
import type { PlannedClaim, RoundPlan, UnplacedPod } from './plan.ts';
import { storeFutileLaunches } from './store-futile-launches.ts';
import { someAtATime } from './some-at-a-time.ts';

export type RoundDeps = {
  readonly objects: Objects;
  readonly state: ClusterState;
  readonly clock: Clock;
  readonly log: Logger;
  readonly report: Reporter;
  readonly counters: Counters;
  readonly podTimes: PodTimes;
  /** How long a node that got pods is kept from disruption. */
  readonly nominationMs: number;
};

/** Pods that ask for what no node can be; those that ask for other people's nodes are nobody's business. */
export function tellOfIgnored({ log, report, counters }: RoundDeps, ignored: readonly IgnoredPod[]): void {
  counters.podsIgnored(ignored.length);
  for (const { pod, complaint } of ignored) {
    if (complaint.kind === 'notOurs') continue;
    log.debug('ignoring pod', { Pod: podReference(pod), error: complaint.message });
    report(reports.failedScheduling(pod, { reasons: [complaint.message], signature: complaint.message }));
  }
}

/** How logs name an object with a namespace. */
const podReference = ({ metadata }: Pod) => ({ namespace: metadata.namespace ?? 'default', name: metadata.name });

/** An API server answers others meanwhile: a thousand claims one after another would take as many times its answer. */
const claimsAtATime = 5;

/**
 * What is known of pods is told before claims are created, so that it is told even when one cannot be.
 * @throws the first failure of a claim, when the others have been created
 */
export async function performRound(
  deps: RoundDeps,
  plan: RoundPlan,
  tookMs: number,
  signal: AbortSignal,
): Promise<void> {
  noteDecisions(deps, plan);
  await storeFutileLaunches(deps, plan.futile);
  deps.state.reserve(plan.units.onNodes);
  tellOfPods(deps, plan, tookMs);
  await tellBuffers(deps, plan.units.outcomes);
  await someAtATime(plan.create, { atATime: claimsAtATime, signal }, (planned) => createClaim(deps, planned));
}

function tellOfPods(deps: RoundDeps, plan: RoundPlan, tookMs: number): void {
  const { counters, log } = deps;
  if (plan.create.length > 0) tellWhatWasFound(deps, plan, tookMs);
  for (const { node, pods } of [...plan.nominate, ...plan.waiting]) nominate(deps, node, pods);
  counters.roundSolved('provisioner', tookMs);
  counters.podsPendingByZone('provisioner', plan.zones);
  counters.podsUnschedulable('provisioner', plan.unschedulable.length);
  for (const pod of plan.deferred)
    log.debug('deferring pod until reserved capacity is known', { Pod: podReference(pod) });
  tellOfUnplaced(deps, plan.unschedulable);
}

/** Every pod without a place hears why, in the words of the log. The log has one line for pods that lack the same. */
export function tellOfUnplaced({ log, report }: RoundDeps, unplaced: readonly UnplacedPod[]): void {
  for (const { pod, because: _, ...refusal } of unplaced) report(reports.failedScheduling(pod, refusal));
  for (const [error, pods] of podsByReason(unplaced)) {
    const [first] = pods;
    if (first === undefined) continue;
    log.error('could not schedule pod', {
      Pod: podReference(first),
      error,
      ...(pods.length > 1 && { pods: pods.length }),
    });
  }
}

/** Sorted by name, so that the first one is the same in every round. */
function podsByReason(unplaced: readonly UnplacedPod[]): ReadonlyMap<string, readonly Pod[]> {
  const byReason = new Map<string, Pod[]>();
  const sorted = unplaced.toSorted((a, b) => (podName(a.pod) < podName(b.pod) ? -1 : 1));
  for (const { pod, because } of sorted) {
    const pods = byReason.get(because);
    if (pods === undefined) byReason.set(because, [pod]);
    else pods.push(pod);
  }
  return byReason;
}

/** When pods were first decided on, and since when there is a place for them that will become a node as far as anybody knows. */
function noteDecisions({ podTimes, counters, clock, objects }: RoundDeps, plan: RoundPlan): void {
  const now = clock.now();
  const note = (pod: Pod, found: Parameters<PodTimes['decide']>[1]): void => {
    const waitedMs = podTimes.decide(pod, found, now);
    if (waitedMs !== undefined) counters.podDecided(waitedMs);
  };
  const placeIn = (pool: NodePool | undefined) =>
    pool === undefined || isConditionTrue(pool, 'NodeRegistrationHealthy') ? 'place' : 'doubtfulPlace';
  for (const { newNode } of plan.create)
    for (const pod of newNode.pods.filter(isRealPod)) note(pod, placeIn(newNode.nodePool));
  for (const { node, pods } of plan.nominate)
    for (const pod of pods) note(pod, placeIn(objects.nodePools.get(nodePoolNameOf(node) ?? '')));
  for (const { pod } of plan.unschedulable) note(pod, 'nothing');
}

function tellWhatWasFound({ log }: RoundDeps, { create, nominate, pods }: RoundPlan, tookMs: number): void {
  const placed = create.flatMap(({ newNode }) => newNode.pods);
  log.info('found provisionable pod(s)', {
    Pods: printSomeNames(placed.map(podName).toSorted()),
    duration: formatDuration(tookMs),
  });
  log.info('computed new nodeclaim(s) to fit pod(s)', { nodeclaims: create.length, pods: placed.length });
  if (nominate.length === 0) return;
  log.info('computed unready node(s) will fit pod(s)', { nodes: nominate.length, pods: pods - placed.length });
}

async function createClaim(deps: RoundDeps, { claim, newNode }: PlannedClaim): Promise<void> {
  const created = await createChecked(deps, claim, newNode);
  for (const pod of newNode.pods.filter(isRealPod))
    deps.report(reports.reportNominated(pod, `nodeclaim/${created.metadata.name}`));
}

type CreationDeps = Pick<RoundDeps, 'objects' | 'state' | 'log' | 'counters'>;

/**
 * Creates a claim unless its pool is gone or has used up a limit since the decision.
 * @param create how it is written
 * @throws when it has
 */
export async function createChecked(
  { objects, state, log, counters }: CreationDeps,
  claim: NodeClaim,
  newNode: NewNode,
  reason = 'provisioned',
  create = (asked: NodeClaim) => objects.nodeClaims.create(asked),
): Promise<NodeClaim> {
  const { name } = newNode.nodePool.metadata;
  const nodePool = objects.nodePools.get(name);
  if (nodePool === undefined) throw new Error(`NodePool ${name} is gone`);
  // A round may create thousands of claims: nobody counts where there is no limit.
  const exceeded = nodePool.spec.limits === undefined ? undefined : exceededLimit(nodePool, state.nodes());
  if (exceeded !== undefined) throw new Error(`NodePool ${name} has used up its limit on ${exceeded}`);
  const created = await create(launchableClaim(claim));
  if (launchRecordOf(created) === undefined) state.launches.noteWithoutPods(created);
  log.info('created nodeclaim', {
    NodePool: { name },
    NodeClaim: { name: created.metadata.name },
    requests: toResourceList(newNode.requests),
    'instance-types': printSomeNames(newNode.instanceTypes.map((type) => type.name)),
  });
  counters.claimCreated(created, reason);
  return created;
}

function nominate(deps: RoundDeps, node: RoundPlan['nominate'][number]['node'], pods: readonly Pod[]): void {
  deps.state.nominate(machineIdOf(node), instant(deps.clock.now() + deps.nominationMs));
  const claim = node.nodeClaim?.metadata.name;
  const target = [
    ...(claim === undefined ? [] : [`nodeclaim/${claim}`]),
    ...(node.node === undefined ? [] : [`node/${nodeNameOf(node)}`]),
  ].join(', ');
  for (const pod of pods) deps.report(reports.reportNominated(pod, target));
}
