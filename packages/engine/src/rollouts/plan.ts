import {
  earliest,
  type Instant,
  type NodeRolloutPolicyStatus,
  type NodeRolloutSpec,
  type NodeRolloutStatus,
  type VariantImage,
} from '@nodewright/apis';
import type { ImageGate } from '../images/launch-rule.ts';
import { endsOfRules } from '../images/image-rules.ts';
import { admitCandidates, type AdmissionPlan } from './admission.ts';
import { type LateNode, listLateNodes } from './ages/late-nodes.ts';
import { nextAgeChange } from './ages/node-ages.ts';
import { printDrainKeeper } from './drain-keeper.ts';
import { printMovedNode } from './comparison-node.ts';
import { adoptBaseline } from './baseline.ts';
import { readCalendar } from './calendar/windows.ts';
import { listImageCandidates, listOtherCandidates, type MoveCandidate } from './candidates.ts';
import { chooseCourse, currentRollout, settlesAt } from './course.ts';
import { calendarBlockers } from './gates/calendar-gate.ts';
import type { HeldMove, MoveBlocker } from './gates/gate.ts';
import { endsOfPauses } from '../pauses/find-pause.ts';
import { buildImageGate } from './image-gates.ts';
import { imagesBeyond, type ImageSet, mergeImageSets } from './image-set.ts';
import { updateInFlight } from './in-flight.ts';
import { nextPinMessage } from './messages/stale-pins.ts';
import { listRolloutActions, type RolloutAction } from './plan-actions.ts';
import type { PlanContext } from './plan-context.ts';
import { planPolicyStatus, planStatuses } from './plan-statuses.ts';
import { resolveRolloutSettings } from './settings.ts';
import type { GovernedObject, RolloutSnapshot } from './snapshot.ts';
import type { RolloutHappening } from './happenings.ts';
import { stepRollout } from './step.ts';
import { judgeUnexpectedDrift } from './unexpected-drift.ts';
import { isRollback, type RolloutView, viewRollout } from './view.ts';
import { type HeldImage, resolveWantedSet } from './wanted-set.ts';

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
  /** Nodes that go by force for their age before pace and windows let them go. */
  readonly lateNodes: readonly LateNode[];
  readonly happenings: readonly RolloutHappening[];
  readonly nextChangeAt?: Instant;
};

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
  const lateNodes = listLateNodes(seen, settings);
  const context: PlanContext = { seen: now, settings, course, inFlight, step, driftBlocker: drift.blocker, lateNodes };
  const moves = admitMoves(context);
  const isActing = settings.mode !== 'Report';
  const actions = isActing ? listRolloutActions(context, moves) : [];
  const isAhead = imagesBeyond(course.current?.spec.to ?? baseline, wanted.images).length > 0;
  const settles = isAhead ? settlesAt(seen) : undefined;
  const nextChangeAt = nextChangeOf(context, moves, earliest(wanted.changesAt, settles));
  return {
    policyStatus: planPolicyStatus(context, {
      baseline,
      proven,
      moves,
      steadyState: drift.steadyState,
      held: wanted.held,
    }),
    created:
      course.isNew && course.current !== undefined
        ? [{ name: course.current.metadata.name, spec: course.current.spec }]
        : [],
    statuses: planStatuses(context, nextChangeAt),
    actions,
    gates: isActing ? gatesOf(context, baseline) : new Map(),
    openSeats: isActing ? (step?.openSeats ?? 0) : 0,
    held: moves.held,
    heldImages: wanted.held,
    lateNodes,
    happenings: happeningsOf(context),
    ...(nextChangeAt === undefined ? {} : { nextChangeAt }),
  };
}

function admitMoves({ seen, settings, course, inFlight, step, driftBlocker }: PlanContext): AdmissionPlan {
  const { current } = course;
  const view = current === undefined || step === undefined ? undefined : viewRollout(current, seen);
  const reason = current !== undefined && isRollback(current) ? 'Rollback' : 'Image';
  const others = listOtherCandidates(
    view && withoutVariants(view, step?.status.halted?.variants ?? []),
    seen,
    settings,
  );
  const namesOfOthers = new Set(others.map(({ name }) => name));
  const ofImage =
    view === undefined || step?.isComplete === true
      ? []
      : listImageCandidates(view, seen, { prefer: step?.prefer, reason, soaks: step?.soaks ?? false }).filter(
          ({ name }) => !namesOfOthers.has(name),
        );
  const calledOff = new Set(step?.released ?? []);
  const calendar = readCalendar(settings, seen.now);
  const blockersOf = (candidate: MoveCandidate): readonly MoveBlocker[] => [
    ...(candidate.reason === 'Image' || candidate.reason === 'Rollback' ? (step?.blockersOf(candidate) ?? []) : []),
    ...(candidate.reason === 'Drift' && driftBlocker !== undefined ? [driftBlocker] : []),
    ...(candidate.reason === 'Rollback' && settings.rollbackWindows === 'Ignore' ? [] : calendarBlockers(calendar)),
  ];
  return admitCandidates([...ofImage, ...others], {
    seen,
    settings,
    admitted: inFlight.admitted.filter(({ node }) => !calledOff.has(node)),
    parked: inFlight.parked,
    forceDue: inFlight.forceDue,
    begun: inFlight.begun,
    hasFailure: (step?.status.failures ?? []).some(({ forgiven }) => forgiven !== true),
    rollout:
      current === undefined || step === undefined ? undefined : { name: current.metadata.name, seats: step.seats },
    blockersOf,
  });
}

/** A halt keeps nodes from an image, and from nothing else: what else moves them, moves them on the proven one. */
const withoutVariants = (view: RolloutView, variants: readonly string[]): RolloutView =>
  variants.length === 0 ? view : { ...view, toMove: view.toMove.filter(({ variant }) => !variants.includes(variant)) };

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
    ...inFlight.toNotify.map((entry) => ({
      kind: 'Parked' as const,
      rollout: name,
      message: `node ${printMovedNode(entry)} cannot be drained since ${entry.firstAt}: ${printDrainKeeper(entry)}`,
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
    calendarAt,
    ...inFlight.changesAt,
    ...(step?.changesAt ?? []),
    ...moves.held.flatMap(({ blockers }) => blockers.map(({ until }) => until)),
    ...endsOfPauses(seen.pauses, seen.now),
    ...endsOfRules(seen.rules, seen.now),
    ...nextAgeChange(seen, settings),
    nextPinMessage(seen.pins ?? [], seen.now),
    ...seen.objects.map(({ backOff }) => backOff?.until),
  ];
  return earliest(...all.filter((at) => at !== undefined && at > seen.now));
}
