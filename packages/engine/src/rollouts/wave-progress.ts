import {
  fromTimestamp,
  instant,
  type Instant,
  type NodeRolloutStatus,
  type RolloutSeat,
  type RolloutWaveStatus,
  toTimestamp,
} from '@nodewright/apis';
import type { SignalReading } from './health/member-health.ts';
import type { AnsweredRequests } from './requests.ts';
import {
  emptySeats,
  hasNoEvidence,
  nextSeatChange,
  type SeatedMember,
  type SoakRules,
  updateSeats,
} from './seats/seat-ledger.ts';
import { countSeats } from './seats/wave-seats.ts';
import { isExpeditedImage } from './course.ts';
import type { RolloutSettings, WaveSettings } from './settings.ts';
import type { RolloutNode, RolloutSnapshot } from './snapshot.ts';
import { isRollback, type RolloutView } from './view.ts';

/** The wave under way, its seats, and how far they are. */
export type WaveProgress = {
  readonly waves: readonly RolloutWaveStatus[];
  readonly seats: readonly RolloutSeat[];
  readonly index: number;
  readonly settings: WaveSettings;
  readonly status: RolloutWaveStatus;
  readonly isBegun: boolean;
  readonly isLast: boolean;
  /** Members, and nodes that are let go whose replacements are still to come. */
  readonly taken: number;
  /** No node is left that could take a seat. */
  readonly isFull: boolean;
  /** All seats are proven or waived. */
  readonly isSoaked: boolean;
  /** Only node groups are left, and none fits into it. */
  readonly isWithoutMembers: boolean;
  /** Seats whose nodes had no pods for too long. */
  readonly seatsWithoutEvidence: number;
  readonly isSoakSkipped: boolean;
  readonly changesAt: readonly Instant[];
};

export type WaveQuestion = {
  readonly view: RolloutView;
  readonly settings: RolloutSettings;
  readonly seen: RolloutSnapshot;
  readonly answered: AnsweredRequests;
  readonly readings: ReadonlyMap<string, SignalReading>;
  /** New nodes of nodes that were let go that are still to come. */
  readonly outstanding: number;
};

const rollbackWave: WaveSettings = {
  name: 'rollback',
  nodes: { kind: 'percent', amount: 100 },
  soakMs: 0,
  needsApproval: false,
};

/** A rollback is one wave of all: its target is proven. */
export const wavesOfRollout = ({ rollout }: RolloutView, { waves }: RolloutSettings): readonly WaveSettings[] =>
  isRollback(rollout) ? [rollbackWave] : waves;

export function advanceWave(question: WaveQuestion): WaveProgress {
  const { view, settings, seen, answered } = question;
  const all = wavesOfRollout(view, settings);
  const waves = approveWaves(alignWaves(all, view.status.waves), answered.approvedWaves, seen.now);
  const open = waves.findIndex(({ endedAt }) => endedAt === undefined);
  const index = open === -1 ? waves.length - 1 : open;
  const [wave, before] = [waves[index], waves[index - 1]];
  const own = all[index];
  if (wave === undefined || own === undefined) throw new Error('a rollout has at least one wave');
  const isLast = index === all.length - 1;
  const mayBegin = !own.needsApproval || wave.approvedAt !== undefined;
  const begun = wave.startedAt !== undefined || !mayBegin ? wave : beginWave(wave, own, before, question);
  const isBegun = begun.startedAt !== undefined;
  const isFirst = wave.startedAt === undefined && isBegun;
  const rules = soakRules(question, own, index);
  const soaks = own.soakMs > 0;
  const isSoakSkipped = answered.skippedSoaks.includes(own.name) || wave.outcome === 'Skipped';
  const members = seatedMembers(question, waves);
  const stored = isFirst ? emptySeats(begun.seats - (before?.seats ?? 0)) : (view.status.seats ?? []);
  const seats =
    isBegun && soaks ? waived(updateSeats(withSeatsFor(stored, members), members, rules), isSoakSkipped) : [];
  const taken = view.members.length + question.outstanding;
  const isFull = isWaveFull(question, { seats: begun.seats, isLast });
  const isWithoutMembers = isBegun && isFull && soaks && isPassedOver(question, isLast);
  const mayPass = !isWithoutMembers || isSoakSkipped || settings.withoutEvidence === 'Proceed';
  const isSoaked =
    isBegun &&
    isFull &&
    mayPass &&
    (soaks ? seats.every((seat) => isSettled(seat, question)) : areMembersSettled(question));
  const failed = (view.status.failures ?? []).filter(({ node }) =>
    view.members.some(({ name }) => name === node),
  ).length;
  const { soakedUntil: _soakedUntil, ...current } = begun;
  const status: RolloutWaveStatus = {
    ...current,
    taken,
    failed,
    healthy: view.members.filter(({ name }) => question.readings.get(name)?.kind === 'ok').length,
    ...soakEnd(seats, rules),
    ...(isSoakSkipped ? { outcome: 'Skipped' as const } : {}),
  };
  return {
    waves: waves.map((each, place) => (place === index ? status : each)),
    seats,
    index,
    settings: own,
    status,
    isBegun,
    isLast,
    taken,
    isFull,
    isSoaked,
    isWithoutMembers,
    seatsWithoutEvidence: seats.filter((seat) => hasNoEvidence(seat, seen.now)).length,
    isSoakSkipped,
    changesAt: seats.flatMap((seat) => nextSeatChange(seat, rules) ?? []),
  };
}

/** The waves of the policy with what is known of each, by name: a policy may change while a rollout is under way. */
function alignWaves(
  waves: readonly WaveSettings[],
  known: readonly RolloutWaveStatus[] = [],
): readonly RolloutWaveStatus[] {
  return waves.map(
    ({ name }) => known.find((wave) => wave.name === name) ?? { name, seats: 0, taken: 0, healthy: 0, failed: 0 },
  );
}

const approveWaves = (
  waves: readonly RolloutWaveStatus[],
  approved: readonly string[],
  now: Instant,
): readonly RolloutWaveStatus[] =>
  waves.map((wave) => (approved.includes(wave.name) ? { ...wave, approvedAt: toTimestamp(now) } : wave));

function beginWave(
  wave: RolloutWaveStatus,
  settings: WaveSettings,
  before: RolloutWaveStatus | undefined,
  { view, seen, settings: { canaryGroup } }: WaveQuestion,
): RolloutWaveStatus {
  const present = seen.nodes.filter(({ leaving }) => !leaving);
  const group = seen.objects.find(({ id, moves }) => id === `NodeGroup/${canaryGroup}` && moves === 'whole');
  const canaryNodes = before === undefined ? present.filter(({ object }) => object === group?.id).length : 0;
  const fleet = {
    nodes: present.length,
    variants: new Set(view.toMove.map(({ variant }) => variant)).size,
    canaryGroupNodes: canaryNodes,
  };
  return { ...wave, seats: countSeats(settings, fleet, before?.seats ?? 0), startedAt: toTimestamp(seen.now) };
}

const soakRules = ({ view, settings, seen }: WaveQuestion, wave: WaveSettings, index: number): SoakRules => {
  const expedited = new Set(
    view.rollout.spec.to.filter((image) => isExpeditedImage(image, seen)).map(({ variant }) => variant),
  );
  return {
    isFirstWave: index === 0,
    soakMsOf: (variant) => (expedited.has(variant) ? 0 : wave.soakMs),
    withoutEvidence: settings.withoutEvidence,
    now: seen.now,
  };
};

/**
 * Members that came since the wave before ended: those of earlier waves have soaked, and take no seat. The beginning of the
 * wave is no bound. It is stored after the first nodes are let go: after a crash in between their replacements are found there.
 */
function seatedMembers({ view, readings }: WaveQuestion, waves: readonly RolloutWaveStatus[]): readonly SeatedMember[] {
  const failed = new Set((view.status.failures ?? []).map(({ node }) => node));
  const since = Math.max(...waves.map(({ endedAt }) => (endedAt === undefined ? -Infinity : fromTimestamp(endedAt))));
  return view.members
    .filter(({ createdAt }) => createdAt >= since)
    .map((node) => ({
      node,
      isHealthy: node.initializedAt !== undefined && readings.get(node.name)?.kind === 'ok',
      hasFailed: readings.get(node.name)?.kind === 'failed' || failed.has(node.name),
    }));
}

/** Every member of the wave has a seat, also one that came for a member of an earlier wave that has left. */
function withSeatsFor(seats: readonly RolloutSeat[], members: readonly SeatedMember[]): readonly RolloutSeat[] {
  const names = new Set(members.map(({ node }) => node.name));
  const isOpen = ({ member, result }: RolloutSeat): boolean =>
    member === undefined ? result === undefined : names.has(member) || result === undefined;
  const missing = Math.max(0, members.length - seats.filter(isOpen).length);
  const added = emptySeats(missing).map((seat) => ({ ...seat, seat: seats.length + seat.seat }));
  return missing === 0 ? seats : [...seats, ...added];
}

const waived = (seats: readonly RolloutSeat[], isSkipped: boolean): readonly RolloutSeat[] =>
  isSkipped ? seats.map((seat) => (seat.result === undefined ? { ...seat, result: 'Waived' } : seat)) : seats;

/**
 * All seats are taken by members, or no node is left that could take one. Parked nodes are waited for, but not by the last
 * wave: while one could still take a seat, what is to prove it is not there.
 */
function isWaveFull(
  { view, seen, outstanding }: WaveQuestion,
  { seats, isLast }: { readonly seats: number; readonly isLast: boolean },
): boolean {
  if (isLast) {
    const parked = new Set((seen.policy.status?.parked ?? []).map(({ node }) => node));
    return view.toMove.every(({ name }) => parked.has(name)) && view.moving.length + outstanding === 0;
  }
  if (view.members.length >= seats) return true;
  const free = seats - view.members.length - outstanding;
  const isAnyone = view.members.length + view.updated.length + view.toMove.length > 0;
  return withoutTooLarge(view.toMove, seen, free).length === 0 && outstanding === 0 && isAnyone;
}

/** Nodes that could enter now: a managed group enters a wave that holds all its nodes, or none. */
function withoutTooLarge(nodes: readonly RolloutNode[], seen: RolloutSnapshot, free: number): readonly RolloutNode[] {
  const whole = new Set(seen.objects.filter(({ moves }) => moves === 'whole').map(({ id }) => id));
  const sizes = new Map<string, number>();
  for (const { object } of nodes) sizes.set(object, (sizes.get(object) ?? 0) + 1);
  return nodes.filter(({ object }) => !whole.has(object) || (sizes.get(object) ?? 0) <= free);
}

/** Node groups alone are left, and none fits into the wave: nothing is proven by it. */
const isPassedOver = ({ view, outstanding }: WaveQuestion, isLast: boolean): boolean =>
  !isLast && view.members.length + outstanding === 0 && view.toMove.length > 0;

/** A seat that stays free is settled by the wave being full; one whose node failed counts in the failure budget. */
function isSettled({ result, member }: RolloutSeat, { view, readings }: WaveQuestion): boolean {
  if (result !== undefined || member === undefined) return true;
  return readings.get(member)?.kind === 'failed' || (view.status.failures ?? []).some(({ node }) => node === member);
}

/** Without a soak it is enough that every member is known to be healthy, or counted as failed. */
const areMembersSettled = ({ view, readings }: WaveQuestion): boolean =>
  view.members.every(({ name }) => readings.get(name)?.kind !== 'unknown');

function soakEnd(seats: readonly RolloutSeat[], rules: SoakRules): Pick<RolloutWaveStatus, 'soakedUntil'> {
  const open = seats.filter(({ result, member }) => result === undefined && member !== undefined);
  const ends = open.map((seat) => (seat.since === undefined ? undefined : nextSeatChange(seat, rules)));
  const known = ends.filter((end) => end !== undefined);
  return known.length === 0 || known.length < ends.length
    ? {}
    : { soakedUntil: toTimestamp(instant(Math.max(...known))) };
}

/** The outcome of a wave whose seats are all proven or waived. */
export function outcomeOfWave(
  { seats, isSoakSkipped, settings, seatsWithoutEvidence, isWithoutMembers }: WaveProgress,
  hasSufficientEvidence: boolean,
): NonNullable<RolloutWaveStatus['outcome']> {
  if (isSoakSkipped) return 'Skipped';
  if (settings.soakMs === 0) return 'Proven';
  if (isWithoutMembers || seatsWithoutEvidence > 0 || seats.some(({ result }) => result === 'Waived'))
    return 'NoEvidence';
  return hasSufficientEvidence ? 'Proven' : 'InsufficientEvidence';
}

/** The status of a rollout whose wave ends now. */
export const endWave = (
  { waves, index }: WaveProgress,
  outcome: NonNullable<RolloutWaveStatus['outcome']>,
  now: Instant,
): Pick<NodeRolloutStatus, 'waves' | 'seats'> => ({
  waves: waves.map((wave, place) => (place === index ? { ...wave, outcome, endedAt: toTimestamp(now) } : wave)),
  seats: [],
});
