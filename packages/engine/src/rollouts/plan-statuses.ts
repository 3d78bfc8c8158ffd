import {
  type Instant,
  type NodeRollout,
  type NodeRolloutPolicyStatus,
  type NodeRolloutStatus,
  toTimestamp,
} from '@nodewright/apis';
import { printLateNodes } from './ages/late-nodes.ts';
import type { AdmissionPlan } from './admission.ts';
import { hasEnded, type RolloutCourse } from './course.ts';
import { listTightQuotas, printFullQuota } from './gates/quota.ts';
import { listTightRoom } from './gates/room.ts';
import { haltRulesOf } from './halt.ts';
import { imagesBeyond, type ImageSet, isSameImageSet } from './image-set.ts';
import { noteMessages } from './messages/due-messages.ts';
import { notePinMessages } from './messages/stale-pins.ts';
import type { PlanContext } from './plan-context.ts';
import { policyConditions } from './policy-conditions.ts';
import { answerRequests } from './requests.ts';
import type { RolloutSnapshot } from './snapshot.ts';
import { finishedStatus } from './step-end.ts';
import { viewRollout } from './view.ts';
import { listUndoneRollouts, parseRollback } from './way-back.ts';
import type { HeldImage } from './wanted-set.ts';

const keptBaselines = 5;

/** The status of the policy after this plan. */
export function planPolicyStatus(
  { seen, settings, course, inFlight, step, lateNodes }: PlanContext,
  parts: {
    readonly baseline: ImageSet;
    readonly proven: ImageSet;
    readonly moves: AdmissionPlan;
    readonly steadyState: string | undefined;
    readonly held: readonly HeldImage[];
  },
): NodeRolloutPolicyStatus {
  const { policy, objects, nodes, now } = seen;
  const { status = {}, metadata } = policy;
  const { baseline, proven, moves, steadyState, held } = parts;
  const isReport = settings.mode === 'Report';
  const room = listTightRoom(moves.held, seen);
  const quotas = listTightQuotas(moves.held, seen);
  const messages = notePinMessages(status, { pins: seen.pins ?? [], receivers: settings.receivers, now });
  const underWay = step?.status.endedAt === undefined ? course.current?.metadata.name : undefined;
  const ended = {
    endedAt: toTimestamp(now),
    images: baseline,
    ...(course.current === undefined ? {} : { rollout: course.current.metadata.name }),
  };
  const history = isSameImageSet(proven, baseline)
    ? status.history
    : [ended, ...(status.history ?? [])].slice(0, keptBaselines);
  const lastNumber = Math.max(status.lastNumber ?? 0, ...seen.rollouts.map(({ spec }) => spec.number));
  return {
    ...(metadata.generation === undefined ? {} : { observedGeneration: metadata.generation }),
    ...(underWay === undefined ? {} : { rollout: underWay }),
    lastNumber,
    governed: {
      nodePools: objects.filter(({ id }) => id.startsWith('NodePool/')).length,
      nodeGroups: objects.filter(({ id }) => id.startsWith('NodeGroup/')).length,
      nodes: nodes.length,
    },
    baseline: [...proven],
    ...(history === undefined ? {} : { history }),
    begun: isReport ? inFlight.begun : moves.begun,
    admitted: isReport ? [] : moves.admitted,
    parked: inFlight.parked,
    ...(messages.length === 0 ? {} : { messages: [...messages] }),
    ...(status.receiverTroubles === undefined ? {} : { receiverTroubles: status.receiverTroubles }),
    ...(held.length === 0 ? {} : { heldImages: held.map(storedHeldImage) }),
    ...(room.length === 0 ? {} : { room }),
    ...(quotas.length === 0 ? {} : { quotas: [...quotas] }),
    ...(steadyState === undefined ? {} : { steadyState }),
    conditions: [
      ...policyConditions({
        policy,
        settings,
        governed: objects.length,
        remarks: seen.remarks ?? [],
        objects,
        lateNodes: printLateNodes(lateNodes, seen),
        fullQuotaOf: (id) =>
          settings.pace.order === 'TerminateFirst' ? undefined : printFullQuota(id, moves.admitted, seen),
        now,
      }),
    ],
  };
}

const longestHeldText = 1_024;

const storedHeldImage = ({ image: { source, variant, image }, kind, because }: HeldImage) => ({
  source,
  variant,
  image,
  reason: kind,
  because: because.slice(0, longestHeldText),
});

/** The statuses of rollouts that change with this plan, by name. */
export function planStatuses(
  { seen, settings, course: chosen, step, inFlight }: PlanContext,
  nextChangeAt: Instant | undefined,
): ReadonlyMap<string, NodeRolloutStatus> {
  const course = withInterruptedRollback(chosen, seen);
  const statuses = new Map<string, NodeRolloutStatus>();
  const { current, superseded } = course;
  // Before the one that a person asked: with its answer the request is done.
  for (const rollout of course.alsoCondemned ?? [])
    statuses.set(rollout.metadata.name, condemnedStatus(rollout.status ?? {}, rollout, course, seen));
  if (superseded !== undefined) statuses.set(superseded.metadata.name, supersededStatus(course, superseded, seen));
  for (const rollout of seen.rollouts) {
    const isStale = rollout !== current && rollout !== superseded && !hasEnded(rollout);
    if (isStale)
      statuses.set(
        rollout.metadata.name,
        finishedStatus(rollout, {
          state: 'Superseded',
          because: 'another rollout of the policy is under way',
          now: seen.now,
        }),
      );
    const remembered = rememberAfterEnd(rollout, seen);
    if (remembered !== undefined && !statuses.has(rollout.metadata.name))
      statuses.set(rollout.metadata.name, remembered);
  }
  if (current !== undefined && step !== undefined) {
    const parked = inFlight.parked.filter(({ rollout }) => rollout === current.metadata.name);
    const status = {
      ...step.status,
      parked,
      ...(nextChangeAt === undefined ? {} : { nextChangeAt: toTimestamp(nextChangeAt) }),
    };
    const { receivers } = settings;
    statuses.set(current.metadata.name, noteMessages({ rollout: current, status, receivers, now: seen.now }));
  }
  return statuses;
}

/**
 * A controller that made a rollback and died has not recorded yet who asked for it: until then the request stands, and what
 * is taken back is not kept out.
 */
function withInterruptedRollback(course: RolloutCourse, seen: RolloutSnapshot): RolloutCourse {
  const { current, superseded } = course;
  const undone = seen.rollouts.find(({ metadata }) => metadata.name === current?.spec.rollbackOf);
  if (superseded !== undefined || undone === undefined) return course;
  const before = withoutRollout(seen, current);
  const { rollback } = answerRequests(viewRollout(undone, before), before);
  if (rollback === undefined) return course;
  const { release, reason } = parseRollback(rollback);
  const earlier = hasEnded(undone) ? listUndoneRollouts(before, release).filter((each) => each !== undone) : [];
  return { ...course, superseded: undone, because: reason, isCondemned: true, alsoCondemned: earlier };
}

const withoutRollout = (seen: RolloutSnapshot, rollout: NodeRollout | undefined): RolloutSnapshot => ({
  ...seen,
  rollouts: seen.rollouts.filter((each) => each !== rollout),
});

/** A rollout that a person takes back halts with it: its images are kept out, or the next plan would start it again. */
function supersededStatus(course: RolloutCourse, rollout: NodeRollout, seen: RolloutSnapshot): NodeRolloutStatus {
  const { current, because = '', isCondemned } = course;
  // The one that takes its place is no reason to refuse what it was made for.
  const before = withoutRollout(seen, current);
  const { log, rollback } = answerRequests(viewRollout(rollout, before), before);
  const ended = { ...finishedStatus(rollout, { state: 'Superseded', because, now: seen.now }), log };
  if (isCondemned !== true) return ended;
  // Until now a rule of others kept the target out.
  const isByOthers = rollback !== undefined && ended.halted?.reason === 'TargetBlocked';
  const { halted: _halted, ...standing } = ended;
  return condemnedStatus(isByOthers ? standing : ended, rollout, course, seen);
}

function condemnedStatus(
  ended: NodeRolloutStatus,
  rollout: NodeRollout,
  { current, because = '' }: RolloutCourse,
  seen: RolloutSnapshot,
): NodeRolloutStatus {
  if (ended.halted !== undefined || current === undefined) return ended;
  const variants = [
    ...new Set(imagesBeyond(current.spec.to, rollout.spec.to).map(({ variant }) => variant)),
  ].toSorted();
  const cause = { reason: 'Requested' as const, message: because, variants };
  const rules = haltRulesOf(viewRollout(rollout, seen), cause).map(({ metadata }) => metadata.name);
  return { ...ended, halted: { at: toTimestamp(seen.now), ...cause, rules } };
}

/** What an ended rollout has still to remember: that its rules were there, and what people ask of it. */
function rememberAfterEnd(rollout: NodeRollout, seen: RolloutSnapshot): NodeRolloutStatus | undefined {
  const remembered = rememberRules(rollout, seen);
  const isAsked = hasEnded(rollout) && seen.requests.some((request) => request.rollout === rollout.metadata.name);
  if (!isAsked) return remembered;
  return { ...(remembered ?? rollout.status), log: answerRequests(viewRollout(rollout, seen), seen).log };
}

/** An ended rollout remembers that its rules were there, too: deleting one gives its image free. */
function rememberRules(rollout: NodeRollout, { rules }: RolloutSnapshot): NodeRolloutStatus | undefined {
  const halted = rollout.status?.halted;
  if (!hasEnded(rollout) || halted === undefined || halted.areRulesWritten === true || halted.rules.length === 0)
    return undefined;
  const names = new Set(rules.map(({ metadata }) => metadata.name));
  return halted.rules.every((name) => names.has(name))
    ? { ...rollout.status, halted: { ...halted, areRulesWritten: true } }
    : undefined;
}
