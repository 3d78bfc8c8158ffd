import {
  byText,
  fromTimestamp,
  instant,
  type Instant,
  type LabelSelector,
  type NodeRollout,
  type NodeRolloutStatus,
  type RolloutWaveStatus,
  toTimestamp,
} from '@nodewright/apis';
import type { GateStage } from '../images/launch-rule.ts';
import type { SeatState } from './admission.ts';
import type { MoveCandidate } from './candidates.ts';
import { findUnsettledCheck } from './checks/check-holds.ts';
import { findMissingEvidence } from './evidence-hold.ts';
import type { MoveBlocker } from './gates/gate.ts';
import { findPauseOfNodes, findPauseOfObject } from './gates/object-pause.ts';
import { judgeHalt, variantsOfRollout } from './halt.ts';
import { listHappenings, type RolloutHappening } from './happenings.ts';
import { printRolloutTarget } from './image-set.ts';
import { keepSteadyEvidence } from './health/evidence.ts';
import { holdOfChecks } from './health/member-health.ts';
import { readMembers, watchMembers } from './health/watch-members.ts';
import { type InFlight, isDrainHeld, isRetryDue } from './in-flight.ts';
import { findNeighbourHold } from './neighbours.ts';
import { findPersonWait, type StepHolds } from './person-wait.ts';
import { answerRequests, type AnsweredRequests } from './requests.ts';
import { rolloutConditions, stateOfRollout, type RolloutStanding } from './rollout-conditions.ts';
import type { RolloutSettings } from './settings.ts';
import type { RolloutRequest, RolloutSnapshot } from './snapshot.ts';
import { isRollback, type RolloutView, viewRollout } from './view.ts';
import { withExpectedEnd } from './step-end.ts';
import { advanceWave, endWave, outcomeOfWave, type WaveProgress } from './wave-progress.ts';
import type { HeldImage } from './wanted-set.ts';

export type StepQuestion = {
  readonly rollout: NodeRollout;
  readonly seen: RolloutSnapshot;
  readonly settings: RolloutSettings;
  readonly inFlight: InFlight;
  readonly held: readonly HeldImage[];
};

/** How far a rollout is after this plan, and what follows from it. */
export type RolloutStep = {
  readonly status: NodeRolloutStatus;
  readonly stage: GateStage;
  readonly seats: SeatState;
  readonly openSeats: number;
  readonly isComplete: boolean;
  readonly prefer: LabelSelector | undefined;
  /** New nodes of the wave have to run pods for some time. */
  readonly soaks: boolean;
  readonly blockersOf: (candidate: MoveCandidate) => readonly MoveBlocker[];
  /** Claims for the target that are deleted, and nodes that were let go and stay. */
  readonly calledOff: readonly { readonly name: string; readonly because: string }[];
  readonly released: readonly string[];
  readonly liftedRules: readonly string[];
  readonly toClear: readonly RolloutRequest[];
  readonly happenings: readonly RolloutHappening[];
  readonly changesAt: readonly Instant[];
};

/** One step of a rollout: requests, health, halt, seats, wave, in this order. */
export function stepRollout(question: StepQuestion): RolloutStep {
  const { seen, settings, held } = question;
  const before = viewRollout(question.rollout, seen);
  const answered = answerRequests(before, seen);
  const view = withoutHalted({ ...before, status: resumedStatus(before.status, answered, seen) });
  const readings = readMembers({ view, settings, seen });
  const outstanding = outstandingClaims(view, question);
  const wave = advanceWave({ view, settings, seen, answered, readings, outstanding });
  const report = watchMembers({ view, settings, seen, readings, isFinal: wave.isSoaked });
  const halted = judgeHalt({ view, report, settings, seen, requested: answered.halt, held });
  const missing = wave.settings.soakMs > 0 && wave.isSoaked ? findMissingEvidence(view, settings, seen) : [];
  const holds: StepHolds = {
    check: wave.isSoakSkipped
      ? undefined
      : holdOfChecks({ checks: seen.checks, checkFailures: settings.checkFailures }),
    unsettled: wave.isSoakSkipped
      ? undefined
      : findUnsettledCheck({ checks: settings.checks, readings: seen.checks, view, wave: wave.status }),
    neighbour: isRollback(view.rollout)
      ? undefined
      : findNeighbourHold({
          promotion: settings.promotion,
          upstream: seen.upstream,
          now: seen.now,
          rollout: view.rollout.metadata.name,
          wave: wave.status,
          announced: seen.announced,
        }),
    missing,
  };
  const isHaltedWhole =
    halted !== undefined && variantsOfRollout(view).every((variant) => halted.variants.includes(variant));
  const isEnding = !isHaltedWhole && mayWaveEnd({ wave, holds, settings });
  const isComplete =
    isEnding && halted === undefined && wave.isLast && view.toMove.length + view.moving.length + outstanding === 0;
  const isWaveOver = isEnding && (!wave.isLast || isComplete);
  const outcome = outcomeOfWave(wave, missing.length === 0);
  const counts = countNodes(before, report.failures);
  const status: NodeRolloutStatus = {
    ...view.status,
    ...(view.rollout.metadata.generation === undefined ? {} : { observedGeneration: view.rollout.metadata.generation }),
    startedAt: view.status.startedAt ?? toTimestamp(seen.now),
    target: printRolloutTarget(view.rollout.spec),
    wave: wave.status.name,
    waves: isHaltedWhole ? wave.waves.map(withoutSoakEnd) : [...wave.waves],
    seats: [...wave.seats],
    ...(isWaveOver ? endWave(wave, outcome, seen.now) : {}),
    ...counts,
    failures: report.failures.slice(0, 100),
    evidence: [...keepSteadyEvidence(view.status.evidence, report.evidence)],
    looks: [...report.looks],
    log: [...answered.log],
    ...(halted === undefined ? {} : { halted }),
    ...(isComplete ? { endedAt: toTimestamp(seen.now) } : {}),
  };
  const standing: RolloutStanding = {
    rollout: view.rollout,
    status,
    wave,
    isComplete,
    settings,
    now: seen.now,
    waitsFor: findPersonWait(wave, holds, settings),
    calendar: settings,
    pause: findPauseOfNodes(view.toMove, seen),
    updates: seen.objects.flatMap(({ id, update }) => (update === undefined ? [] : [id])),
    isMoving: question.inFlight.admitted.some(({ rollout }) => rollout === view.rollout.metadata.name),
  };
  const complete: NodeRolloutStatus = {
    ...status,
    state: stateOfRollout(standing),
    conditions: [...rolloutConditions(standing)],
  };
  return {
    status: withExpectedEnd(complete, {
      view,
      settings,
      seen,
      isParking: isDrainHeld(question.inFlight, question.rollout.metadata.name, seen),
    }),
    stage: wave.isLast && wave.isBegun ? 'lastWave' : 'waves',
    seats: seatStateOf({ view, wave, settings, readings, question, isHaltedWhole }),
    openSeats: openSeatsOf({ view, wave, halted: halted !== undefined, question }),
    isComplete,
    prefer: wave.settings.prefer,
    soaks: wave.settings.soakMs > 0 && !wave.isSoakSkipped,
    blockersOf: (candidate) => stepBlockers(candidate, { wave, status, holds }),
    ...withdrawals(question, view, halted?.variants ?? []),
    liftedRules: view.status.lifted ?? [],
    toClear: answered.toClear,
    happenings: listHappenings({
      before,
      after: complete,
      wave,
      isWaveOver,
      isComplete,
      answered,
      name: view.rollout.metadata.name,
      outcome,
    }),
    changesAt: [...wave.changesAt, ...report.changesAt, stallsAt(complete, settings), ...endOfHold(holds)],
  };
}

/** After a halt no wave begins when a soak is over. Seats soak on, in case the rollout is resumed. */
const withoutSoakEnd = ({ soakedUntil: _soakedUntil, ...wave }: RolloutWaveStatus): RolloutWaveStatus => wave;

/** A resumed rollout forgets its halt, forgives the failures that led to it, and remembers which rules it takes away. */
function resumedStatus(
  status: NodeRolloutStatus,
  { resume }: AnsweredRequests,
  { rules }: RolloutSnapshot,
): NodeRolloutStatus {
  const present = new Set(rules.map(({ metadata }) => metadata.name));
  const { halted, lifted = [], ...going } = status;
  if (resume === undefined) {
    const left = lifted.filter((name) => present.has(name) && halted?.rules.includes(name) !== true);
    return { ...going, ...(halted === undefined ? {} : { halted }), ...(left.length === 0 ? {} : { lifted: left }) };
  }
  const failures = (status.failures ?? []).map((failure) => ({ ...failure, forgiven: true }));
  return { ...going, failures, lifted: [...new Set([...lifted, ...(halted?.rules ?? [])])] };
}

/** Variants that have halted by themselves are out of the waves: the others go on. */
function withoutHalted(view: RolloutView): RolloutView {
  const halted = new Set(view.status.halted?.variants ?? []);
  const isGoing = ({ variant }: { readonly variant: string }): boolean => !halted.has(variant);
  return { ...view, toMove: view.toMove.filter(isGoing), moving: view.moving.filter(isGoing) };
}

/**
 * New nodes of nodes that were let go for the rollout, as far as they are still to come. Replacements come before their
 * node begins to leave: one that leaves without them gives its seat back.
 */
function outstandingClaims(view: RolloutView, { inFlight, seen, rollout }: StepQuestion): number {
  return inFlight.admitted
    .filter((move) => move.rollout === rollout.metadata.name)
    .reduce((sum, move) => {
      if (move.node === move.object) return sum + view.toMove.filter(({ object }) => object === move.object).length;
      if (view.moving.some(({ name }) => name === move.node)) return sum;
      const made = seen.nodes.filter((node) => node.replaces === move.node && node.rollout === move.rollout).length;
      return sum + Math.max(0, move.claims - made);
    }, 0);
}

const countNodes = (view: RolloutView, failures: NonNullable<NodeRolloutStatus['failures']>) => ({
  total: view.updated.length + view.toMove.length + view.moving.length,
  updated: view.updated.length,
  ready: view.updated.filter(({ ready, initializedAt }) => ready && initializedAt !== undefined).length,
  failed: failures.length,
  remaining: view.toMove.length + view.moving.length,
});

function mayWaveEnd({
  wave,
  holds,
  settings,
}: {
  readonly wave: WaveProgress;
  readonly holds: StepHolds;
  readonly settings: RolloutSettings;
}): boolean {
  if (!wave.isSoaked || holds.check !== undefined || holds.unsettled !== undefined) return false;
  return wave.isSoakSkipped || holds.missing.length === 0 || settings.withoutEvidence === 'Proceed';
}

function stepBlockers(
  candidate: MoveCandidate,
  {
    wave,
    status,
    holds,
  }: { readonly wave: WaveProgress; readonly status: NodeRolloutStatus; readonly holds: StepHolds },
): readonly MoveBlocker[] {
  const blockers: MoveBlocker[] = [];
  if (status.halted?.variants.includes(candidate.variant) === true)
    blockers.push({ gate: 'halt', message: `the rollout has halted: ${status.halted.message}` });
  if (!wave.isBegun) blockers.push({ gate: 'approval', message: `wave ${wave.status.name} needs an approval` });
  if (holds.check !== undefined)
    blockers.push({ gate: 'check', message: `check ${holds.check.check} cannot be asked: ${holds.check.detail}` });
  if (holds.neighbour !== undefined)
    blockers.push({
      gate: 'neighbour',
      message: `not together with ${holds.neighbour.cluster}: ${holds.neighbour.because}`,
    });
  return blockers;
}

function seatStateOf({
  view,
  wave,
  settings,
  readings,
  question,
  isHaltedWhole,
}: {
  readonly view: RolloutView;
  readonly wave: WaveProgress;
  readonly settings: RolloutSettings;
  readonly readings: ReturnType<typeof readMembers>;
  readonly question: StepQuestion;
  readonly isHaltedWhole: boolean;
}): SeatState {
  const name = view.rollout.metadata.name;
  const begun = new Set([
    ...view.members.map(({ variant }) => variant),
    ...question.inFlight.admitted.filter((move) => move.rollout === name).map(({ variant }) => variant),
  ]);
  const whole = new Set(question.seen.objects.filter(({ moves }) => moves === 'whole').map(({ id }) => id));
  const grouped = view.members.filter(({ object }) => whole.has(object));
  return {
    // A wave that has not begun has no seats yet: only the reason that keeps it from beginning is reported.
    seats: wave.isLast || !wave.isBegun ? Infinity : wave.status.seats,
    taken: wave.taken,
    unprovenVariants: new Set(
      movableNodes(view, question)
        .map(({ variant }) => variant)
        .filter((variant) => !begun.has(variant)),
    ),
    wave: wave.status.name,
    ...(wave.status.soakedUntil === undefined || isHaltedWhole
      ? {}
      : { soakedUntil: fromTimestamp(wave.status.soakedUntil) }),
    canaryGroup: wave.index === 0 ? settings.canaryGroup : undefined,
    unprovenGroups: [
      ...new Set(
        grouped
          .filter(({ name: member }) => readings.get(member)?.kind !== 'ok' || !isSeatProven(member, wave))
          .map(({ object }) => object),
      ),
    ].toSorted(byText),
  };
}

/** A member without a seat in this wave was proven in an earlier one. */
const isSeatProven = (member: string, { seats }: WaveProgress): boolean =>
  seats.every((seat) => seat.member !== member || seat.result !== undefined);

const movableNodes = (view: RolloutView, { inFlight, seen }: StepQuestion) =>
  view.toMove.filter((node) => {
    const entry = inFlight.parked.find((parked) => parked.node === node.name);
    return entry === undefined || isRetryDue(entry, node, seen.now);
  });

/**
 * Free seats that an ordinary launch may take: those that no node is left to take, and one for each node that leaves
 * without a replacement, because its pods may need a new node later.
 */
function openSeatsOf({
  view,
  wave,
  halted,
  question,
}: {
  readonly view: RolloutView;
  readonly wave: WaveProgress;
  readonly halted: boolean;
  readonly question: StepQuestion;
}): number {
  if (halted || wave.isLast || !wave.isBegun) return 0;
  const free = Math.max(0, wave.status.seats - wave.taken);
  const withoutTakers = free - movableNodes(view, question).length;
  return Math.min(free, Math.max(withoutTakers, countUnreplaced(view, question)));
}

/** Nodes that the rollout let go, and that leave without a replacement. */
const countUnreplaced = ({ moving }: RolloutView, { inFlight, seen, rollout }: StepQuestion): number =>
  inFlight.admitted.filter(
    ({ node, rollout: name }) =>
      name === rollout.metadata.name &&
      moving.some((each) => each.name === node) &&
      !seen.nodes.some(({ replaces }) => replaces === node),
  ).length;

/** What a halt or a pause takes back: claims that are not initialized, and nodes that are not drained yet. */
function withdrawals(
  { seen, inFlight, rollout }: StepQuestion,
  view: RolloutView,
  haltedVariants: readonly string[],
): Pick<RolloutStep, 'calledOff' | 'released'> {
  const name = rollout.metadata.name;
  const stopOf = (object: string, variant: string): string | undefined => {
    if (haltedVariants.includes(variant)) return 'the rollout has halted';
    return isReverted(object, seen) ? 'a DisruptionPause reverts what has begun' : undefined;
  };
  const whole = new Set(seen.objects.filter(({ moves }) => moves === 'whole').map(({ id }) => id));
  const leaving = new Set(seen.nodes.filter((node) => node.leaving).map((node) => node.name));
  return {
    calledOff: view.members
      .filter(({ initializedAt, object }) => initializedAt === undefined && !whole.has(object))
      .flatMap(({ name: claim, object, variant }) => {
        const because = stopOf(object, variant);
        return because === undefined ? [] : [{ name: claim, because }];
      }),
    released: inFlight.admitted
      .filter((move) => move.rollout === name && !leaving.has(move.node) && move.node !== move.object)
      .filter(({ object, variant }) => stopOf(object, variant) !== undefined)
      .map(({ node }) => node),
  };
}

const isReverted = (object: string, seen: RolloutSnapshot): boolean =>
  findPauseOfObject(
    object,
    { ...seen, pauses: seen.pauses.filter(({ spec }) => spec.inFlight === 'Revert') },
    'Drifted',
  ) !== undefined;

const endOfHold = ({ neighbour }: StepHolds): readonly Instant[] => [neighbour?.until ?? []].flat();

const stallsAt = ({ startedAt = '' }: NodeRolloutStatus, { finishWithinMs }: RolloutSettings): Instant =>
  instant(fromTimestamp(startedAt) + finishWithinMs);
