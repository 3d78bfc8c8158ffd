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
import * as reports from './report.ts';
import type { NodeGroupSnapshot, WantedState } from './snapshot.ts';
import { newUpdate, withStanding } from './status.ts';
import { judgeUpdate } from './verdict.ts';
import { goalOfImage } from './goal.ts';
import { planWaiting } from './waiting-plan.ts';

/** Who goes through the phases: with which source of chance, and since when. */
export type ScalingHost = { readonly chance: Chance; readonly since: Instant };

/** A plain Auto Scaling group: we go through the phases ourselves, with the state machine that EKS has in the sandbox. */
export function planScaling(seen: NodeGroupSnapshot, now: Instant, host: ScalingHost): NodeGroupPlan {
  const current = seen.nodeGroup.status?.update;
  const { scaling } = seen;
  if (current !== undefined) {
    if (scaling === undefined) return finishScalingUpdate(seen, current, withoutGroup(recordOf(current), now), now);
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
  const update = beginScalingUpdate({ ...seen, scaling }, verdict.wanted, now);
  const reason = `moves to ${update.target}`;
  return {
    after: withFinalizer(withStanding(seen, { phase: 'Updating', reason, update, served: true }, now)),
    actions: [],
    reports: beginningReports(seen, update.target),
    recheckAt: now,
  };
}

type ScalingGroupSnapshot = NodeGroupSnapshot & { readonly scaling: ScalingGroup };

/** New instances must neither be balanced away nor scheduled out while both kinds of nodes are there. */
const interfering = ['AZRebalance', 'ScheduledActions'];

function beginScalingUpdate(
  seen: ScalingGroupSnapshot,
  wanted: Extract<WantedState, { kind: 'image' }>,
  now: Instant,
): NodeGroupUpdate {
  const { scaling, nodeGroup } = seen;
  const { force = false, onFailure = 'leave' } = nodeGroup.spec.update ?? {};
  const record = beginUpdate(
    {
      target: { configuration: wanted.image.id, labels: {} },
      strategy: updateConfigOfGroup(seen).strategy ?? 'DEFAULT',
      parallel: parallelFor(seen),
      before: { max: scaling.max, desired: scaling.desired, configuration: scaling.template?.imageId ?? '' },
      force,
      onFailure,
      terminations: 'shrink',
      suspend: interfering.filter((process) => !scaling.suspended.includes(process)),
    },
    now,
  );
  return { ...newUpdate(nodeGroup, goalOfImage(wanted), now), phase: record.phase, record };
}

type ScalingTurn = ScalingHost & { readonly now: Instant };

function continueScalingUpdate(
  seen: ScalingGroupSnapshot,
  current: NodeGroupUpdate,
  { now, ...host }: ScalingTurn,
): NodeGroupPlan {
  const { scaling } = seen;
  const stored = recordOf(current);
  const record = isBeingDeleted(seen.nodeGroup)
    ? cancelUpdateRecord(stored, 'the NodeGroup was deleted before the update was over', now)
    : stored;
  const limits = departureLimits(seen.nodeGroup);
  const plan = withLaunchFailure(seen, record, planUpdate(record, { seen: observationOf(seen), now, limits, ...host }));
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

const recordOf = ({ record }: NodeGroupUpdate): UpdateRecord => record as unknown as UpdateRecord;

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
  const finished = finishedScalingUpdate(current, record, now);
  const isDone = finished.outcome === 'Successful';
  const reason = isDone ? 'every node is on the target' : failureWords(finished);
  return {
    after: withStanding(seen, { phase: isDone ? 'UpToDate' : 'Failed', reason, update: undefined, finished }, now),
    actions: listProtections(seen, { protect: false }),
    reports: [isDone ? reports.updateSucceeded(nodeGroup, current.target) : reports.updateFailed(nodeGroup, reason)],
    recheckAt: instant(now + seconds(5)),
  };
}

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

/** What a process left that died between the end of an update and the tidying up. */
function tidied(seen: NodeGroupSnapshot, plan: NodeGroupPlan): NodeGroupPlan {
  const left = listProtections(seen, { protect: false });
  return {
    ...plan,
    after: left.length === 0 ? withoutFinalizer(plan.after) : plan.after,
    actions: [...plan.actions, ...left],
  };
}

/** Lets a NodeGroup go that has nothing under way; what is left on nodes is taken off first. */
const planRemoval = (seen: NodeGroupSnapshot, now: Instant): NodeGroupPlan =>
  tidied(seen, { after: seen.nodeGroup, actions: [], reports: [], recheckAt: instant(now + seconds(5)) });
