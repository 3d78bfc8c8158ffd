import { type RolloutLook, byTextOf } from '@nodewright/apis';
import { tailProbability, type OwnerStratum } from './conditional-test.ts';
import { type ComparedSignal, eventsOfSignal, type ExposedEvents, type OwnerCounters } from '../owner-counters.ts';
import {
  allowedErrorOfLook,
  type ComparisonCount,
  firstLookExposure,
  isFinalLookDue,
  isLookDue,
} from './error-budget.ts';

/** One comparison of members with peers, and what came of it. */
export type PeerComparison = {
  readonly variant: string;
  readonly signal: ComparedSignal;
  readonly members: ExposedEvents;
  readonly peers: ExposedEvents;
  readonly probability: number;
  readonly allowed: number;
  readonly isWorse: boolean;
  /** The look that is stored, so that a restart neither repeats nor forgets it. */
  readonly look: RolloutLook;
};

export type ComparisonQuestion = {
  readonly variant: string;
  readonly signal: ComparedSignal;
  readonly counters: readonly OwnerCounters[];
  readonly last: RolloutLook | undefined;
  readonly count: ComparisonCount;
  /** The wave is about to end: a look is made although exposure has not doubled, if there is something new to see. */
  readonly isFinal: boolean;
};

/** Compares members with peers where a look is due. */
export function compareWithPeers(question: ComparisonQuestion): PeerComparison | undefined {
  const { variant, signal, last, count, isFinal } = question;
  const owners = ownersOf(question);
  const members = sumOfSide(owners, 'members');
  const isDue = isLookDue(members.exposure, last?.starts, firstLookExposure[signal]);
  if (members.exposure === 0 || !(isDue || (isFinal && isFinalLookDue(members, last)))) return undefined;
  const looks = (last?.looks ?? 0) + 1;
  const allowed = allowedErrorOfLook(looks, count);
  const probability = probabilityOf(owners, allowed);
  return {
    variant,
    signal,
    members,
    peers: addEvents(sumOfSide(owners, 'peers'), sumOfSide(owners, 'peersBefore')),
    probability,
    allowed,
    isWorse: probability <= allowed,
    look: { variant, signal, looks, starts: members.exposure, events: members.events },
  };
}

type Side = OwnerCounters['side'];
type OwnerEvents = Readonly<Record<Side, ExposedEvents>>;

const nothing: ExposedEvents = { events: 0, exposure: 0 };

function ownersOf({ variant, signal, counters }: ComparisonQuestion): readonly OwnerEvents[] {
  const owners = new Map<string, Record<Side, ExposedEvents>>();
  for (const each of counters) {
    if (each.variant !== variant) continue;
    const owner = owners.get(each.owner) ?? { members: nothing, peers: nothing, peersBefore: nothing };
    owner[each.side] = addEvents(owner[each.side], eventsOfSignal(each, signal));
    owners.set(each.owner, owner);
  }
  return [...owners].toSorted(byTextOf(([name]) => name)).map(([, owner]) => owner);
}

const addEvents = (a: ExposedEvents, b: ExposedEvents): ExposedEvents => ({
  events: a.events + b.events,
  exposure: a.exposure + b.exposure,
});

const sumOfSide = (owners: readonly OwnerEvents[], side: Side): ExposedEvents =>
  owners.map((owner) => owner[side]).reduce(addEvents, nothing);

/**
 * Peers count with the time of the wave and the seven days before. Where peers themselves do worse in the time of the
 * wave than before, something has happened to everybody, and the days before do not count: at the same error, because
 * leaving them out only makes the probability larger.
 */
function probabilityOf(owners: readonly OwnerEvents[], allowed: number): number {
  const withPast = tailProbability(
    owners.map((owner) => stratumOf(owner.members, addEvents(owner.peers, owner.peersBefore))),
  );
  if (withPast > allowed) return withPast;
  const peersThenAndNow = tailProbability(owners.map((owner) => stratumOf(owner.peers, owner.peersBefore)));
  if (peersThenAndNow > changeOfPeers) return withPast;
  return Math.max(withPast, tailProbability(owners.map((owner) => stratumOf(owner.members, owner.peers))));
}

/** Peers did worse than before if chance would bring that as rarely. */
const changeOfPeers = 0.05;

const stratumOf = (members: ExposedEvents, peers: ExposedEvents): OwnerStratum => ({
  memberEvents: members.events,
  memberExposure: members.exposure,
  peerEvents: peers.events,
  peerExposure: peers.exposure,
});

/** `4 failed container starts in 231 on new nodes; 0 in 1412 on old ones`. */
export function printComparison({ signal, members, peers }: PeerComparison): string {
  const what = comparedWords[signal];
  const amount = ({ exposure }: ExposedEvents): string =>
    signal === 'restarts' ? `${Math.round(exposure / 3600)} pod-hours` : String(exposure);
  return `${members.events} ${what} in ${amount(members)} on new nodes; ${peers.events} in ${amount(peers)} on old ones`;
}

const comparedWords: Readonly<Record<ComparedSignal, string>> = {
  containerStarts: 'failed container starts',
  restarts: 'pods with restarts',
  podsReady: 'pods not Ready in time',
};
