import {
  instant,
  toTimestamp,
  type FinishedUpdate,
  type Instant,
  type NodeGroupBlocker,
  type NodeGroupUpdate,
  minutes,
  seconds,
} from '@nodewright/apis';
import {
  beginUpdate,
  cancelUpdateRecord,
  failUpdate,
  isOver,
  planUpdate,
  type Chance,
  type HeldPod,
  type NodesOfUpdate,
  type UpdateLimits,
  type UpdatePlan,
  type UpdateRecord,
} from '@nodewright/nodegroups';
import type { ScalingGroup } from '@nodewright/ports';
import { absenceOf } from './absence.ts';
import { beginningReports } from './beginning-reports.ts';
import { departureLimits } from './departures.ts';
import { parallelFor, updateConfigOfGroup } from './gate.ts';
import type { NodeGroupAction, NodeGroupPlan } from './node-group-plan.ts';
import { observationOf } from './observation.ts';
import { listProtections } from './protections.ts';
import { withFinalizer, isBeingDeleted, withoutFinalizer } from './removal.ts';
import { failureWords } from './failure-words.ts';
import { heldProcesses, listResumptions, processesToKeep, withHeldProcesses } from './held-processes.ts';
import * as reports from './report.ts';
import type { NodeGroupSnapshot, WantedState } from './snapshot.ts';
import { newUpdate, withStanding } from './status.ts';
import { judgeUpdate } from './verdict.ts';
import { goalOfImage } from './goal.ts';
import { nodesOfUpdate } from './nodes-let-go.ts';
import { planWaiting } from './waiting-plan.ts';

/** Who goes through the phases: with which source of chance, and since when. */
export type ScalingHost = { readonly chance: Chance; readonly since: Instant };

/** A plain Auto Scaling group: we go through the phases ourselves, with the state machine that EKS has in the sandbox. */
export function planScaling(seen: NodeGroupSnapshot, now: Instant, host: ScalingHost): NodeGroupPlan {
  const current = seen.nodeGroup.status?.update;
  const { scaling } = seen;
  if (current !== undefined) {
    if (scaling === undefined)
      return finishScalingUpdate(seen, current, withoutGroup(updateRecordOf(current), now), now);
    return continueScalingUpdate({ ...seen, scaling }, current, { now, ...host });
  }
  if (isBeingDeleted(seen.nodeGroup)) return planRemoval(seen, now);
  const verdict = judgeUpdate(seen, now);
  if (verdict.kind !== 'go' || scaling === undefined) {
    return tidied(
      seen,
      planWaiting(seen, verdict.kind === 'go' ? { kind: 'noImage', why: absenceOf(seen.nodeGroup) } : verdict, now),
    );
  }
  const nodes = nodesOfUpdate(seen);
  if (nodes !== undefined) return beginNodes({ ...seen, scaling }, verdict.wanted, nodes, now);
  const update = beginScalingUpdate({ ...seen, scaling }, verdict.wanted, now);
  const reason = `moves to ${update.target}`;
  return {
    after: withFinalizer(withStanding(seen, { phase: 'Updating', reason, update, served: true }, now)),
    actions: [],
    reports: beginningReports(seen, update.target),
    recheckAt: now,
  };
}

/** A request for an update is answered once no node is left that has to be replaced. */
function beginNodes(seen: ScalingGroupSnapshot, wanted: GoalImage, nodes: NodesOfUpdate, now: Instant): NodeGroupPlan {
  const isPointing = nodes.ids.length === 0;
  const target = isPointing ? nodes.rest : wanted.image.id;
  const record = beginUpdate({ ...groupAtBeginning(seen, target), onFailure: 'leave', nodes }, now);
  const update = { ...newUpdate(seen.nodeGroup, target, now), phase: record.phase, record };
  const reason = isPointing ? `launches from ${target}` : `moves ${printMovedNodes(nodes.ids.length)} to ${target}`;
  return {
    after: withFinalizer(withStanding(seen, { phase: 'Updating', reason, update }, now)),
    actions: [],
    reports: isPointing ? [] : [reports.updateStarted(seen.nodeGroup, target)],
    recheckAt: now,
  };
}

const printMovedNodes = (count: number): string => (count === 1 ? '1 node' : `${count} nodes`);

type GoalImage = Extract<WantedState, { kind: 'image' }>;
type ScalingGroupSnapshot = NodeGroupSnapshot & { readonly scaling: ScalingGroup };

/** New instances must neither be balanced away nor scheduled out while both kinds of nodes are there. */
const interfering = ['AZRebalance', 'ScheduledActions'];

function beginScalingUpdate(seen: ScalingGroupSnapshot, wanted: GoalImage, now: Instant): NodeGroupUpdate {
  const record = beginUpdate(groupAtBeginning(seen, wanted.image.id), now);
  return { ...newUpdate(seen.nodeGroup, goalOfImage(wanted), now), phase: record.phase, record };
}

/** What holds for the whole update, and what the group comes back to. */
function groupAtBeginning(seen: ScalingGroupSnapshot, image: string): Parameters<typeof beginUpdate>[0] {
  const { scaling, nodeGroup, rollout } = seen;
  const { force = false, onFailure = 'leave' } = nodeGroup.spec.update ?? {};
  const isMinimal = rollout?.byNode?.terminatesFirst === true;
  return {
    target: { configuration: image, labels: {} },
    strategy: isMinimal ? 'MINIMAL' : (updateConfigOfGroup(seen).strategy ?? 'DEFAULT'),
    parallel: parallelFor(seen),
    before: { max: scaling.max, desired: scaling.desired, configuration: scaling.template?.imageId ?? '' },
    force,
    onFailure,
    terminations: 'shrink',
    suspend: interfering.filter(
      (process) => !scaling.suspended.includes(process) || heldProcesses(seen).includes(process),
    ),
  };
}

type ScalingTurn = ScalingHost & { readonly now: Instant };

function continueScalingUpdate(
  seen: ScalingGroupSnapshot,
  current: NodeGroupUpdate,
  { now, ...host }: ScalingTurn,
): NodeGroupPlan {
  const { scaling } = seen;
  const stored = updateRecordOf(current);
  const record = isBeingDeleted(seen.nodeGroup)
    ? cancelUpdateRecord(stored, 'the NodeGroup was deleted before the update was over', now)
    : stored;
  const limits = departureLimits(seen.nodeGroup);
  const letGo = seen.rollout?.byNode?.nodes;
  const turn = {
    seen: observationOf(seen),
    now,
    limits,
    keptSuspended: processesToKeep(seen),
    ...host,
    ...(letGo === undefined ? {} : { letGo }),
  };
  const plan = withLaunchFailure(seen, record, planUpdate(record, turn));
  if (isOver(plan.record)) return finishScalingUpdate(seen, current, plan.record, now);
  const update = { ...current, phase: plan.record.phase, record: plan.record };
  const blockedBy = plan.held.map((pod) => blockerOfHeldPod(pod, limits));
  return {
    after: withFinalizer(
      withStanding(seen, { phase: 'Updating', reason: withCause(plan.reason, scaling), update, blockedBy }, now),
    ),
    actions: [...plan.actions.map((step) => stepOf(step, plan)), ...listProtections(seen, { protect: true })],
    reports: blockedBy
      .filter(({ since }) => Date.parse(since) + heldPodWorthTellingAfterMs <= now)
      .map((blocker) => reports.evictionBlocked(seen.nodeGroup, blocker)),
    recheckAt: plan.recheckAt ?? now,
  };
}

const withCause = (reason: string, { launchFailure }: ScalingGroup): string =>
  launchFailure === undefined ? reason : `${reason}; Auto Scaling reports: ${launchFailure}`;

/** New nodes that did not join in time may not have been launched at all. */
function withLaunchFailure({ scaling }: ScalingGroupSnapshot, before: UpdateRecord, plan: UpdatePlan): UpdatePlan {
  const { failure } = plan.record;
  if (failure?.code !== 'NodeCreationFailure' || before.failure !== undefined) return plan;
  const told = { ...failure, message: withCause(failure.message, scaling) };
  return { ...plan, record: { ...plan.record, failure: told } };
}

const heldPodWorthTellingAfterMs = minutes(1);

const stepOf = (step: UpdatePlan['actions'][number], { reason }: UpdatePlan): NodeGroupAction => ({
  kind: 'step',
  step,
  because: reason,
});

function blockerOfHeldPod(
  { namespace, pod, node, budget, since }: HeldPod,
  { drainMs }: UpdateLimits,
): NodeGroupBlocker {
  const until = toTimestamp(instant(since + drainMs));
  return {
    reason: 'EvictionBlocked',
    message: `PodDisruptionBudget ${namespace}/${budget} keeps pod ${namespace}/${pod} on ${node}; its time is over at ${until}`,
    since: toTimestamp(since),
    namespace,
    pod,
    node,
    podDisruptionBudget: budget,
  };
}

const updateRecordOf = ({ record }: NodeGroupUpdate): UpdateRecord => record as unknown as UpdateRecord;

/** Nothing is left to tidy up. */
const withoutGroup = (record: UpdateRecord, now: Instant): UpdateRecord => ({
  ...failUpdate(record, { code: 'Unknown', message: 'the Auto Scaling group is gone', resourceIds: [] }, now),
  phase: 'failed',
});

function finishScalingUpdate(
  seen: NodeGroupSnapshot,
  current: NodeGroupUpdate,
  record: UpdateRecord,
  now: Instant,
): NodeGroupPlan {
  const { nodeGroup } = seen;
  if (record.nodes !== undefined && record.phase === 'successful')
    return finishNodeReplacement(seen, { current, record, replaced: record.nodes.ids.length }, now);
  const finished = finishedScalingUpdate(current, record, now);
  const isDone = finished.outcome === 'Successful';
  const reason = isDone ? 'every node is on the target' : failureWords(finished);
  return {
    after: withHeldProcesses(
      withStanding(seen, { phase: isDone ? 'UpToDate' : 'Failed', reason, update: undefined, finished }, now),
      processesLeft(seen, record),
    ),
    actions: listProtections(seen, { protect: false }),
    reports: [isDone ? reports.updateSucceeded(nodeGroup, current.target) : reports.updateFailed(nodeGroup, reason)],
    recheckAt: instant(now + seconds(5)),
  };
}

/** Whether the group is up to date, and if not what it waits for, the next turn finds out. */
function finishNodeReplacement(
  seen: NodeGroupSnapshot,
  {
    current,
    record,
    replaced,
  }: { readonly current: NodeGroupUpdate; readonly record: UpdateRecord; readonly replaced: number },
  now: Instant,
): NodeGroupPlan {
  const isHistory = replaced > 0;
  const reason = isHistory ? `${printMovedNodes(replaced)} moved to ${current.target}` : 'no node had to be replaced';
  const finished = isHistory ? { finished: finishedScalingUpdate(current, record, now) } : {};
  return {
    after: withHeldProcesses(
      withStanding(seen, { phase: 'Outdated', reason, update: undefined, ...finished }, now),
      processesLeft(seen, record),
    ),
    actions: listProtections(seen, { protect: false }),
    reports: isHistory ? [reports.nodesReplaced(seen.nodeGroup, current, replaced)] : [],
    recheckAt: instant(now + seconds(1)),
  };
}

/** What an update has suspended and has not resumed. */
const processesLeft = ({ scaling }: NodeGroupSnapshot, { suspend }: UpdateRecord): readonly string[] =>
  suspend.filter((process) => scaling?.suspended.includes(process) === true);

function finishedScalingUpdate(
  current: NodeGroupUpdate,
  { phase, failure }: UpdateRecord,
  now: Instant,
): FinishedUpdate {
  const { number, target, startedAt } = current;
  return {
    number,
    target,
    outcome: phase === 'successful' ? 'Successful' : 'Failed',
    startedAt,
    endedAt: toTimestamp(now),
    ...(failure === undefined
      ? {}
      : { code: failure.code, message: failure.message, resourceIds: failure.resourceIds }),
  };
}

/** What a process left that died between the end of an update and the tidying up, and what a rollout held that is over. */
function tidied(seen: NodeGroupSnapshot, plan: NodeGroupPlan): NodeGroupPlan {
  const left = [...listProtections(seen, { protect: false }), ...listResumptions(seen)];
  const held = heldProcesses(seen);
  const after = withHeldProcesses(plan.after, held);
  return {
    ...plan,
    after: left.length + held.length === 0 ? withoutFinalizer(after) : after,
    actions: [...plan.actions, ...left],
  };
}

/** Lets a NodeGroup go that has nothing under way; what is left on nodes is taken off first. */
const planRemoval = (seen: NodeGroupSnapshot, now: Instant): NodeGroupPlan =>
  tidied(seen, { after: seen.nodeGroup, actions: [], reports: [], recheckAt: instant(now + seconds(5)) });
