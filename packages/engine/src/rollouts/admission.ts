import {
  type AdmittedNode,
  type BegunReplacement,
  fromTimestamp,
  type Instant,
  type ParkedNode,
  type PausedReason,
  toTimestamp,
} from '@nodewright/apis';
import { printDrainKeeper } from './drain-keeper.ts';
import type { MoveCandidate } from './candidates.ts';
import type { HeldMove, MoveBlocker } from './gates/gate.ts';
import { lastEndpointBlocker } from './gates/last-endpoint.ts';
import { type Beginning, paceBlockers } from './gates/pace.ts';
import { quotaBlockers } from './gates/quota.ts';
import { roomBlockers } from './gates/room.ts';
import { printPause } from '../pauses/find-pause.ts';
import { findPauseOfObject } from './gates/object-pause.ts';
import { forceTimeOf, isRetryDue, retryOf } from './in-flight.ts';
import type { RolloutSettings } from './settings.ts';
import type { RolloutNode, RolloutSnapshot } from './snapshot.ts';

/** The seats of the wave under way. */
export type SeatState = {
  /** Infinity in the last wave. */
  readonly seats: number;
  /** Members, and nodes that are let go whose replacements are still to come. */
  readonly taken: number;
  /** Variants in use that have neither a member nor a node that is let go: each has a seat kept for it. */
  readonly unprovenVariants: ReadonlySet<string>;
  readonly wave: string;
  /** When the wave ends if all goes well. */
  readonly soakedUntil?: Instant;
  /** The managed node group that may enter although it is larger than the wave. */
  readonly canaryGroup: string | undefined;
  /** Managed groups that have moved and are not proven healthy yet: groups go one after the other. */
  readonly unprovenGroups: readonly string[];
};

export type AdmissionQuestion = {
  readonly seen: RolloutSnapshot;
  readonly settings: RolloutSettings;
  readonly admitted: readonly AdmittedNode[];
  readonly parked: readonly ParkedNode[];
  /** Those of them whose pods do not keep them any more: every other gate holds them as before. */
  readonly forceDue: readonly ParkedNode[];
  readonly begun: readonly BegunReplacement[];
  readonly hasFailure: boolean;
  /** The rollout that images move for, and its seats; absent where none is under way. */
  readonly rollout: { readonly name: string; readonly seats: SeatState } | undefined;
  /** What keeps every move for a reason. */
  readonly blockersOf: (candidate: MoveCandidate) => readonly MoveBlocker[];
};

export type AdmissionPlan = {
  readonly admitted: readonly AdmittedNode[];
  readonly begun: readonly BegunReplacement[];
  readonly fresh: readonly AdmittedNode[];
  readonly held: readonly HeldMove[];
};

/** Lets nodes go one after the other, as long as every gate lets them; each one counts for the next. */
export function admitCandidates(candidates: readonly MoveCandidate[], question: AdmissionQuestion): AdmissionPlan {
  const ledger: MoveLedger = {
    admitted: [...question.admitted],
    begun: [...question.begun],
    beginnings: question.begun.map(({ at, object }) => ({ at: fromTimestamp(at), object })),
    taken: question.rollout?.seats.taken ?? 0,
    unproven: new Set(question.rollout?.seats.unprovenVariants ?? []),
    going: goingNodes(question),
  };
  const already = new Set(ledger.admitted.map(({ node }) => node));
  const fresh: AdmittedNode[] = [];
  const held: HeldMove[] = [];
  for (const candidate of candidates) {
    if (already.has(candidate.name)) continue;
    const blockers = blockersOfMove(candidate, ledger, question);
    if (blockers.length > 0) held.push({ node: candidate.name, blockers });
    else fresh.push(takeMove(candidate, ledger, question));
  }
  return { admitted: ledger.admitted, begun: ledger.begun, fresh, held };
}

/** Scratch space of one plan. */
type MoveLedger = {
  readonly admitted: AdmittedNode[];
  readonly begun: BegunReplacement[];
  /** The same, with their times read once: each candidate is held against all of them. */
  readonly beginnings: Beginning[];
  taken: number;
  readonly unproven: Set<string>;
  readonly going: Set<string>;
};

/** Nodes that drain now, or will. */
function goingNodes({ seen, admitted, parked }: AdmissionQuestion): Set<string> {
  const stopped = new Set(parked.map(({ node }) => node));
  const leaving = seen.nodes.filter((node) => node.leaving && !stopped.has(node.name)).map(({ name }) => name);
  return new Set([...leaving, ...admitted.flatMap(({ node, object }) => nodesOfMove(node, object, seen))]);
}

const nodesOfMove = (node: string, object: string, { nodes }: RolloutSnapshot): readonly string[] =>
  node === object ? nodes.filter((each) => each.object === object).map(({ name }) => name) : [node];

const pausedReasons: Readonly<Record<MoveCandidate['reason'], PausedReason>> = {
  Image: 'Drifted',
  Rollback: 'Drifted',
  Drift: 'Drifted',
  Age: 'Expired',
};

/** Everything that keeps a node, in the order of the gates: people read all of it. */
function blockersOfMove(
  candidate: MoveCandidate,
  ledger: MoveLedger,
  question: AdmissionQuestion,
): readonly MoveBlocker[] {
  const { seen, settings, hasFailure } = question;
  const { object, claims, isWhole, nodes } = candidate;
  return [
    ...question.blockersOf(candidate),
    ...pauseBlockers(candidate, seen),
    ...seatBlockers(candidate, ledger, question),
    ...paceBlockers({ object, claims, isWhole }, { ...ledger, hasFailure }, settings.pace, seen.now),
    ...(settings.pace.order === 'TerminateFirst'
      ? []
      : [...roomBlockers(candidate, ledger.admitted, seen), ...quotaBlockers(candidate, ledger.admitted, seen)]),
    ...backOffBlockers(candidate, seen),
    ...parkedBlockers(candidate, question),
    ...(settings.lastEndpoint ? nodes.flatMap(({ name }) => endpointBlockers(name, ledger, seen)) : []),
  ];
}

function pauseBlockers({ object, reason }: MoveCandidate, seen: RolloutSnapshot): readonly MoveBlocker[] {
  const pause = findPauseOfObject(object, seen, pausedReasons[reason]);
  if (pause === undefined) return [];
  const { until } = pause.spec;
  const end = until === undefined ? {} : { until: fromTimestamp(until) };
  return [{ gate: 'pause', message: printPause(pause), ...end }];
}

/** A command is admitted only if all its claims fit into free seats; each variant in use has a seat kept for it. */
function seatBlockers(
  candidate: MoveCandidate,
  ledger: MoveLedger,
  { rollout, seen }: AdmissionQuestion,
): readonly MoveBlocker[] {
  if (rollout === undefined || candidate.reason === 'Drift' || candidate.reason === 'Age') return [];
  const { seats, wave, canaryGroup } = rollout.seats;
  const turn = candidate.isWhole ? turnBlockers(candidate, ledger, rollout.seats, seen) : [];
  if (candidate.isWhole && canaryGroup !== undefined && candidate.object === `NodeGroup/${canaryGroup}`) return turn;
  const keptForGroup =
    canaryGroup === undefined ? 0 : nodesToCome(`NodeGroup/${canaryGroup}`, rollout.name, ledger, seen);
  const keptForOthers = [...ledger.unproven].filter((variant) => variant !== candidate.variant).length + keptForGroup;
  if (candidate.claims === 0 || ledger.taken + candidate.claims + keptForOthers <= seats) return turn;
  const kept = keptForOthers === 0 ? '' : `, ${keptForOthers} kept for other variants or the canary group`;
  return [
    ...turn,
    {
      gate: 'wave',
      message: `wave ${wave} has ${seats} ${seats === 1 ? 'seat' : 'seats'}, ${ledger.taken} taken${kept}; this move takes ${candidate.claims}`,
      ...(rollout.seats.soakedUntil === undefined ? {} : { until: rollout.seats.soakedUntil }),
    },
  ];
}

/** Managed groups go one after the other. */
function turnBlockers(
  { object }: MoveCandidate,
  { admitted }: MoveLedger,
  { unprovenGroups, soakedUntil }: SeatState,
  { objects }: RolloutSnapshot,
): readonly MoveBlocker[] {
  const running = admitted.find((move) => move.node === move.object);
  if (running !== undefined)
    return [{ gate: 'wave', message: `${running.object} is updated first: groups go one after the other` }];
  const updating = objects.find(({ update, id }) => update !== undefined && id !== object);
  if (updating !== undefined) return [{ gate: 'wave', message: `the update of ${updating.id} is not over` }];
  if (unprovenGroups.length === 0) return [];
  const message = `${unprovenGroups.join(', ')} moved before and ${unprovenGroups.length === 1 ? 'is' : 'are'} not proven healthy yet`;
  return [{ gate: 'wave', message, ...(soakedUntil === undefined ? {} : { until: soakedUntil }) }];
}

/** Nodes of the managed canary group that are still to move: its seats are kept for it. */
function nodesToCome(group: string, rollout: string, ledger: MoveLedger, { objects, nodes }: RolloutSnapshot): number {
  const isWhole = objects.some(({ id, moves }) => id === group && moves === 'whole');
  if (!isWhole || ledger.admitted.some(({ node }) => node === group)) return 0;
  return nodes.filter((node) => node.object === group && !node.leaving && node.rollout !== rollout).length;
}

function backOffBlockers(
  { object, isWhole, nodes }: MoveCandidate,
  { objects, now }: RolloutSnapshot,
): readonly MoveBlocker[] {
  const what = isWhole ? `${object} cannot be updated` : `replacements of ${object} cannot be launched`;
  return [
    { backOff: objects.find(({ id }) => id === object)?.backOff, what },
    ...nodes.map(({ backOff }) => ({ backOff, what: 'it cannot be replaced' })),
  ].flatMap(({ backOff, what: failed }) =>
    backOff === undefined || backOff.until <= now
      ? []
      : [{ gate: 'backOff' as const, message: `${failed}: ${backOff.because}`, until: backOff.until }],
  );
}

function parkedBlockers(
  { nodes }: MoveCandidate,
  { parked, forceDue, seen, settings }: AdmissionQuestion,
): readonly MoveBlocker[] {
  return nodes.flatMap((node: RolloutNode) => {
    const entry = parked.find((each) => each.node === node.name);
    if (entry === undefined || forceDue.includes(entry) || isRetryDue(entry, node, seen.now)) return [];
    const forceAt = forceTimeOf(entry, settings);
    const force = forceAt === undefined ? '' : `, and is drained by force from ${toTimestamp(forceAt)} on`;
    const message = `it cannot be drained: ${printDrainKeeper(entry)}${force}`;
    return [{ gate: 'parked' as const, message, until: retryOf(entry) }];
  });
}

function endpointBlockers(name: string, { going }: MoveLedger, { services }: RolloutSnapshot): readonly MoveBlocker[] {
  const blocker = lastEndpointBlocker(name, services, going);
  return blocker === undefined ? [] : [blocker];
}

function takeMove(candidate: MoveCandidate, ledger: MoveLedger, { seen, rollout }: AdmissionQuestion): AdmittedNode {
  const { name, object, variant, reason, claims, isWhole, nodes } = candidate;
  const isOfRollout = reason === 'Image' || reason === 'Rollback';
  const at = toTimestamp(seen.now);
  const entry: AdmittedNode = {
    node: name,
    object,
    variant,
    reason,
    ...(isOfRollout && rollout !== undefined ? { rollout: rollout.name } : {}),
    at,
    claims: isWhole ? 0 : claims,
  };
  ledger.admitted.push(entry);
  ledger.begun.push({ at, object, node: name });
  ledger.beginnings.push({ at: fromTimestamp(at), object });
  if (isOfRollout) ledger.taken += claims;
  ledger.unproven.delete(variant);
  for (const node of nodes) ledger.going.add(node.name);
  return entry;
}
