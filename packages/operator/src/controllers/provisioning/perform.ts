import { instant, isConditionTrue, type NodeClaim, type NodePool, type Pod } from '@nodewright/apis';
import { exceededLimit, isRealPod, nodePoolNameOf, type NewNode } from '@nodewright/engine';
import type { Clock } from '@nodewright/runtime';
import type { Publisher } from '../../reporting/publisher.ts';
import { machineIdOf, type ClusterState } from '../../state/cluster-state.ts';
import { launchRecordOf } from '../../state/launch-record.ts';
import type { Objects } from '../../state/objects.ts';
import { type OpenSeats, seatClaim } from '../../state/open-seats.ts';
import type { PodTimes } from '../../state/pod-times.ts';
import type { PriceBook } from '../../state/price-book.ts';
import { launchableClaim } from '../node-claim/adoption.ts';
import type { BatchWindow } from './batch-window.ts';
import { tellBuffers } from './buffers.ts';
import { noteShortages } from './note-shortages.ts';
import type { RoundSnapshot } from './observe.ts';
import type { PlannedClaim, RoundPlan } from './plan.ts';
import { reportClaimCreation, reportFirstDecisions, reportNominations, reportUnreached } from './report.ts';
import { storeFutileLaunches } from './store-futile-launches.ts';
import { someAtATime } from './some-at-a-time.ts';

export type RoundDeps = {
  readonly objects: Objects;
  readonly state: ClusterState;
  readonly clock: Clock;
  readonly publish: Publisher;
  readonly podTimes: PodTimes;
  readonly prices: PriceBook;
  readonly window: BatchWindow;
  readonly openSeats: OpenSeats;
  /** How long a node that got pods is kept from disruption. */
  readonly nominationMs: number;
};

/** An API server answers others meanwhile: a thousand claims one after another would take as many times its answer. */
const claimsAtATime = 5;

/** @throws the first failure of a claim, when the others have been created */
export async function performRound(
  deps: RoundDeps,
  { supplies }: Pick<RoundSnapshot, 'supplies'>,
  plan: RoundPlan,
  signal: AbortSignal,
): Promise<void> {
  await noteShortages(deps, supplies);
  for (const { nodePool, instanceTypes } of supplies) deps.prices.learn(nodePool.metadata.name, instanceTypes);
  if (plan.hasPools) await noteFindings(deps, plan);
  await tellBuffers(deps, plan.units.outcomes);
  await someAtATime(plan.create, { atATime: claimsAtATime, signal }, (planned) => createClaim(deps, planned));
  if (plan.unreached > 0) triggerNextRound(deps, plan.unreached);
}

/** What later decisions rest on: which pods were decided on, which nodes pods are on their way to. */
async function noteFindings(deps: RoundDeps, plan: RoundPlan): Promise<void> {
  deps.publish(reportFirstDecisions(noteDecisions(deps, plan)));
  await storeFutileLaunches(deps, plan.futile);
  deps.state.reserve(plan.units.onNodes);
  const until = instant(deps.clock.now() + deps.nominationMs);
  for (const { node } of [...plan.nominate, ...plan.waiting]) deps.state.nominate(machineIdOf(node), until);
}

/**
 * When pods were first decided on, and since when there is a place for them that is known to become a node.
 * @returns how long each pod waited that was decided on for the first time
 */
function noteDecisions({ podTimes, clock, objects }: RoundDeps, plan: RoundPlan): readonly number[] {
  const now = clock.now();
  const waits: number[] = [];
  const note = (pod: Pod, found: Parameters<PodTimes['decide']>[1]): void => {
    const waitedMs = podTimes.decide(pod, found, now);
    if (waitedMs !== undefined) waits.push(waitedMs);
  };
  const placeIn = (pool: NodePool | undefined) =>
    pool === undefined || isConditionTrue(pool, 'NodeRegistrationHealthy') ? 'place' : 'doubtfulPlace';
  for (const { newNode } of plan.create)
    for (const pod of newNode.pods.filter(isRealPod)) note(pod, placeIn(newNode.nodePool));
  for (const { node, pods } of plan.nominate)
    for (const pod of pods) note(pod, placeIn(objects.nodePools.get(nodePoolNameOf(node) ?? '')));
  for (const { pod } of plan.unschedulable) note(pod, 'nothing');
  return waits;
}

async function createClaim(deps: RoundDeps, { claim, newNode }: PlannedClaim): Promise<void> {
  const created = await createChecked(deps, seatClaim(deps, claim), newNode);
  deps.publish(reportNominations(newNode.pods.filter(isRealPod), `nodeclaim/${created.metadata.name}`));
}

type CreationDeps = Pick<RoundDeps, 'objects' | 'state' | 'publish'>;

/**
 * Creates a claim unless its pool is gone or has used up a limit since the decision.
 * @param create how it is written
 * @throws when it has
 */
export async function createChecked(
  { objects, state, publish }: CreationDeps,
  claim: NodeClaim,
  newNode: NewNode,
  reason = 'provisioned',
  create = (asked: NodeClaim) => objects.nodeClaims.create(asked),
): Promise<NodeClaim> {
  const { name } = newNode.nodePool.metadata;
  const nodePool = objects.nodePools.get(name);
  if (nodePool === undefined) throw new Error(`NodePool ${name} is gone`);
  // A round may create thousands of claims: where there is no limit, nodes are not counted.
  const exceeded = nodePool.spec.limits === undefined ? undefined : exceededLimit(nodePool, state.nodes());
  if (exceeded !== undefined) throw new Error(`NodePool ${name} has used up its limit on ${exceeded}`);
  const created = await create(launchableClaim(claim));
  if (launchRecordOf(created) === undefined) state.launches.noteWithoutPods(created);
  publish(reportClaimCreation({ ...newNode, claim: created }, reason));
  return created;
}

/** The pods that were not reached get their round at once, beside the nodes that this one has launched. */
function triggerNextRound({ publish, window }: Pick<RoundDeps, 'publish' | 'window'>, unreached: number): void {
  publish(reportUnreached(unreached));
  window.trigger('pods were not reached in time');
}
