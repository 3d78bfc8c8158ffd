import {
  type AdmittedNode,
  earliest,
  type ImageRule,
  type Instant,
  type NodeRollout,
  type NodeRolloutPolicyStatus,
  type NodeRolloutSpec,
  type NodeRolloutStatus,
  toTimestamp,
  type VariantImage,
} from '@nodewright/apis';
import type { ImageGate } from '../images/launch-rule.ts';
import { endsOfRules } from '../images/image-rules.ts';
import { admitCandidates, type AdmissionPlan } from './admission.ts';
import { adoptBaseline } from './baseline.ts';
import { readCalendar } from './calendar/windows.ts';
import {
  hardEndOf,
  listImageCandidates,
  listOtherCandidates,
  type MoveCandidate,
  nextAgeChange,
} from './candidates.ts';
import { chooseCourse, currentRollout, hasEnded, type RolloutCourse, settlesAt } from './course.ts';
import { calendarBlockers } from './gates/calendar-gate.ts';
import type { HeldMove, MoveBlocker } from './gates/gate.ts';
import { endsOfPauses } from '../pauses/find-pause.ts';
import { haltRulesOf } from './halt.ts';
import { buildImageGate } from './image-gates.ts';
import { imagesBeyond, type ImageSet, isSameImageSet, mergeImageSets } from './image-set.ts';
import { type InFlight, updateInFlight } from './in-flight.ts';
import { noteMessages } from './messages/due-messages.ts';
import { policyConditions } from './policy-conditions.ts';
import { answerRequests } from './requests.ts';
import { resolveRolloutSettings, type RolloutSettings } from './settings.ts';
import type { GovernedObject, RolloutRequest, RolloutSnapshot } from './snapshot.ts';
import type { RolloutHappening } from './happenings.ts';
import { finishedStatus, type RolloutStep, stepRollout } from './step.ts';
import { judgeUnexpectedDrift } from './unexpected-drift.ts';
import { isRollback, viewRollout } from './view.ts';
import { type HeldImage, resolveWantedSet } from './wanted-set.ts';

export type RolloutAction =
  /** The node may be replaced: its condition Drifted may become True. */
  | { readonly kind: 'admit'; readonly move: AdmittedNode }
  /** A managed node group is updated to the target. */
  | { readonly kind: 'updateGroup'; readonly move: AdmittedNode }
  /** The node gives its slot back: it is made schedulable again. */
  | { readonly kind: 'release'; readonly node: string; readonly because: string }
  /** A claim for the target that is not initialized yet is deleted. */
  | { readonly kind: 'callOff'; readonly claim: string; readonly because: string }
  /** The pods of a node that could not be drained are deleted after their grace period. */
  | { readonly kind: 'force'; readonly node: string }
  /** The node has reached the age at which it goes whatever the policy says. */
  | { readonly kind: 'expire'; readonly node: string }
  | { readonly kind: 'writeRule'; readonly rule: ImageRule }
  | { readonly kind: 'deleteRule'; readonly name: string; readonly because: string }
  | { readonly kind: 'clearRequest'; readonly request: RolloutRequest }
  /** Only the last ten rollouts are kept. */
  | { readonly kind: 'deleteRollout'; readonly name: string };

/** The whole decision about the rollouts of one policy. What is stored comes before what is done. */
export type RolloutPlan = {
  readonly policyStatus: NodeRolloutPolicyStatus;
  readonly created: readonly { readonly name: string; readonly spec: NodeRolloutSpec }[];
  readonly statuses: ReadonlyMap<string, NodeRolloutStatus>;
  readonly actions: readonly RolloutAction[];
  /** Which images launches get, by EC2NodeClass or NodeGroup. */
  readonly gates: ReadonlyMap<string, ImageGate>;
  /** Seats that ordinary launches may take, because no node is left that could. */
  readonly openSeats: number;
  /** Why each node that has to move does not move now. */
  readonly held: readonly HeldMove[];
  readonly heldImages: readonly HeldImage[];
  readonly happenings: readonly RolloutHappening[];
  readonly nextChangeAt?: Instant;
};

const keptRollouts = 10;
const keptBaselines = 5;

/**
 * Plans the rollouts of one policy: which one is under way, how far it is, which nodes go now, which images launches get.
 *
 * Guarantees: it is a function of the snapshot alone, and what it remembers is in the statuses that it returns, so that
 * the plan after a restart is the plan before it. A plan whose statuses are stored and whose actions are done asks for
 * nothing new.
 *
 * Assumptions: statuses are stored before actions are done. A claim names the rollout that it is made for from its
 * creation on.
 */
export function planRollouts(seen: RolloutSnapshot): RolloutPlan {
  const settings = resolveRolloutSettings(seen.policy.spec);
  const baseline = adoptBaseline(seen.policy.status?.baseline, seen);
  const running = currentRollout(seen)?.spec.to ?? [];
  const wanted = resolveWantedSet({ baseline, running, settings, seen });
  const course = chooseCourse({ baseline, wanted: wanted.images, settings, seen });
  const all = course.isNew && course.current !== undefined ? [...seen.rollouts, course.current] : seen.rollouts;
  const now = { ...seen, rollouts: all };
  const inFlight = updateInFlight(now, settings);
  const step =
    course.current === undefined
      ? undefined
      : stepRollout({ rollout: course.current, seen: now, settings, inFlight, held: wanted.held });
  const proven = step?.isComplete === true ? mergeImageSets(baseline, course.current?.spec.to ?? []) : baseline;
  const drift = judgeUnexpectedDrift(seen, settings);
  const context: PlanContext = { seen: now, settings, course, inFlight, step, driftBlocker: drift.blocker };
  const moves = admitMoves(context);
  const isActing = settings.mode !== 'Report';
  const actions = isActing ? actionsOf(context, moves) : [];
  const nextChangeAt = nextChangeOf(context, moves, wanted.changesAt);
  return {
    policyStatus: policyStatusOf(context, { baseline, proven, moves, steadyState: drift.steadyState }),
    created:
      course.isNew && course.current !== undefined
        ? [{ name: course.current.metadata.name, spec: course.current.spec }]
        : [],
    statuses: statusesOf(context, nextChangeAt),
    actions,
    gates: isActing ? gatesOf(context, baseline) : new Map(),
    openSeats: isActing ? (step?.openSeats ?? 0) : 0,
    held: moves.held,
    heldImages: wanted.held,
    happenings: happeningsOf(context),
    ...(nextChangeAt === undefined ? {} : { nextChangeAt }),
  };
}

type PlanContext = {
  readonly seen: RolloutSnapshot;
  readonly settings: RolloutSettings;
  readonly course: RolloutCourse;
  readonly inFlight: InFlight;
  readonly step: RolloutStep | undefined;
  readonly driftBlocker: MoveBlocker | undefined;
};

function admitMoves({ seen, settings, course, inFlight, step, driftBlocker }: PlanContext): AdmissionPlan {
  const { current } = course;
  const view = current === undefined || step === undefined ? undefined : viewRollout(current, seen);
  const reason = current !== undefined && isRollback(current) ? 'Rollback' : 'Image';
  const ofImage =
    view === undefined || step?.isComplete === true
      ? []
      : listImageCandidates(view, seen, { prefer: step?.prefer, reason });
  const calledOff = new Set(step?.released ?? []);
  const calendar = readCalendar(settings, seen.now);
  const blockersOf = (candidate: MoveCandidate): readonly MoveBlocker[] => [
    ...(candidate.reason === 'Image' || candidate.reason === 'Rollback' ? (step?.blockersOf(candidate) ?? []) : []),
    ...(candidate.reason === 'Drift' && driftBlocker !== undefined ? [driftBlocker] : []),
    ...(candidate.reason === 'Rollback' && settings.rollbackWindows === 'Ignore' ? [] : calendarBlockers(calendar)),
  ];
  return admitCandidates([...ofImage, ...listOtherCandidates(view, seen, settings)], {
    seen,
    settings,
    admitted: inFlight.admitted.filter(({ node }) => !calledOff.has(node)),
    parked: inFlight.parked,
    begun: inFlight.begun,
    hasFailure: (step?.status.failures ?? []).some(({ forgiven }) => forgiven !== true),
    rollout:
      current === undefined || step === undefined ? undefined : { name: current.metadata.name, seats: step.seats },
    blockersOf,
  });
}

function policyStatusOf(
  { seen, settings, course, inFlight, step }: PlanContext,
  parts: {
    readonly baseline: ImageSet;
    readonly proven: ImageSet;
    readonly moves: AdmissionPlan;
    readonly steadyState: string | undefined;
  },
): NodeRolloutPolicyStatus {
  const { policy, objects, nodes, now } = seen;
  const { status = {}, metadata } = policy;
  const { baseline, proven, moves, steadyState } = parts;
  const isReport = settings.mode === 'Report';
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
    ...(steadyState === undefined ? {} : { steadyState }),
    conditions: [...policyConditions({ policy, settings, governed: objects.length, remarks: seen.remarks ?? [], now })],
  };
}

function statusesOf(
  { seen, settings, course, step, inFlight }: PlanContext,
  nextChangeAt: Instant | undefined,
): ReadonlyMap<string, NodeRolloutStatus> {
  const statuses = new Map<string, NodeRolloutStatus>();
  const { current, superseded } = course;
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
    if (remembered !== undefined && rollout !== superseded) statuses.set(rollout.metadata.name, remembered);
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

/** A rollout that a person takes back halts with it: its images are kept out, or the next plan would start it again. */
function supersededStatus(
  { current, because = '', isCondemned }: RolloutCourse,
  rollout: NodeRollout,
  seen: RolloutSnapshot,
): NodeRolloutStatus {
  const { log } = answerRequests(viewRollout(rollout, seen), seen);
  const ended = { ...finishedStatus(rollout, { state: 'Superseded', because, now: seen.now }), log };
  if (isCondemned !== true || ended.halted !== undefined || current === undefined) return ended;
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

function actionsOf(context: PlanContext, moves: AdmissionPlan): readonly RolloutAction[] {
  const { seen, settings, inFlight, step } = context;
  const groups = new Set(seen.objects.filter(({ moves: how }) => how === 'whole').map(({ id }) => id));
  const kept = moves.admitted.map((move): RolloutAction =>
    groups.has(move.node) ? { kind: 'updateGroup', move } : { kind: 'admit', move },
  );
  return [
    ...missingRules(context).map((rule): RolloutAction => ({ kind: 'writeRule', rule })),
    ...(step?.liftedRules ?? []).map((name): RolloutAction => ({
      kind: 'deleteRule',
      name,
      because: 'the rollout was resumed',
    })),
    ...(step?.calledOff ?? []).map((claim): RolloutAction => ({
      kind: 'callOff',
      claim: claim.name,
      because: claim.because,
    })),
    ...inFlight.newlyParked.map(({ node, pod = 'a pod' }): RolloutAction => ({
      kind: 'release',
      node,
      because: `${pod} keeps it from being drained`,
    })),
    ...inFlight.released.map(({ node }): RolloutAction => ({
      kind: 'release',
      node,
      because: 'its replacement cannot be launched',
    })),
    ...(step?.released ?? []).map((node): RolloutAction => ({
      kind: 'release',
      node,
      because: 'its rollout has halted or is paused',
    })),
    ...kept,
    ...inFlight.toForce.map(({ node }): RolloutAction => ({ kind: 'force', node })),
    ...seen.nodes
      .filter((node) => !node.leaving && hardEndOf(node, settings) <= seen.now)
      .map(({ name }): RolloutAction => ({ kind: 'expire', node: name })),
    ...requestsToClear(context).map((request): RolloutAction => ({ kind: 'clearRequest', request })),
    ...oldRollouts(seen).map((name): RolloutAction => ({ kind: 'deleteRollout', name })),
  ];
}

/** Recorded requests, and those of rollouts that are not under way: nobody else takes them off. */
function requestsToClear({ seen, course, step }: PlanContext): readonly RolloutRequest[] {
  const names = new Set(seen.rollouts.map(({ metadata }) => metadata.name));
  const others = seen.requests.filter(({ rollout }) => names.has(rollout) && rollout !== course.current?.metadata.name);
  return [...(step?.toClear ?? []), ...others];
}

/** The rules of halts that were not seen yet. One that was seen and is gone was deleted by a person. */
function missingRules(context: PlanContext): readonly ImageRule[] {
  const { seen } = context;
  const statuses = statusesOf(context, undefined);
  const present = new Set(seen.rules.map(({ metadata }) => metadata.name));
  return seen.rollouts.flatMap((rollout) => {
    const halted = (statuses.get(rollout.metadata.name) ?? rollout.status)?.halted;
    if (halted === undefined || halted.areRulesWritten === true || halted.rules.length === 0) return [];
    return haltRulesOf(viewRollout(rollout, seen), halted).filter(({ metadata }) => !present.has(metadata.name));
  });
}

const oldRollouts = ({ rollouts }: RolloutSnapshot): readonly string[] =>
  rollouts
    .toSorted((a, b) => b.spec.number - a.spec.number)
    .slice(keptRollouts)
    .filter(hasEnded)
    .map(({ metadata }) => metadata.name);

/** The gates of all sources. */
function gatesOf({ seen, course, step }: PlanContext, baseline: ImageSet): ReadonlyMap<string, ImageGate> {
  const sources = [...new Set(seen.objects.map(({ source }: GovernedObject) => source))].toSorted();
  const { current } = course;
  const question = {
    baseline,
    current: current === undefined || step === undefined ? undefined : { ...current, status: step.status },
    obstacleOf: ({ image }: VariantImage) => {
      const obstacle = seen.obstacles.get(image);
      return obstacle?.kind === 'withdrawn' ? undefined : obstacle;
    },
  };
  return new Map(sources.map((source) => [source, buildImageGate(source, question)]));
}

function happeningsOf({ course, inFlight, step }: PlanContext): readonly RolloutHappening[] {
  const { current, superseded, because = '' } = course;
  const name = current?.metadata.name ?? '';
  return [
    ...(superseded === undefined
      ? []
      : [{ kind: 'Superseded' as const, rollout: superseded.metadata.name, message: because }]),
    ...(step?.happenings ?? []),
    ...inFlight.toNotify.map(({ node, pod = 'a pod', since }) => ({
      kind: 'Parked' as const,
      rollout: name,
      message: `node ${node} cannot be drained since ${since}: ${pod} keeps it`,
    })),
  ];
}

function nextChangeOf(
  { seen, settings, inFlight, step }: PlanContext,
  moves: AdmissionPlan,
  wantedAt: Instant | undefined,
): Instant | undefined {
  const calendar = readCalendar(settings, seen.now);
  const calendarAt =
    calendar.kind === 'open'
      ? calendar.until
      : calendar.kind === 'outsideWindow'
        ? calendar.opensAt
        : calendar.kind === 'blackout'
          ? calendar.endsAt
          : undefined;
  const all = [
    wantedAt,
    settlesAt(seen),
    calendarAt,
    ...inFlight.changesAt,
    ...(step?.changesAt ?? []),
    ...moves.held.flatMap(({ blockers }) => blockers.map(({ until }) => until)),
    ...endsOfPauses(seen.pauses, seen.now),
    ...endsOfRules(seen.rules, seen.now),
    ...nextAgeChange(seen, settings),
    ...seen.objects.map(({ backOff }) => backOff?.until),
  ];
  return earliest(...all.filter((at) => at !== undefined && at > seen.now));
}
