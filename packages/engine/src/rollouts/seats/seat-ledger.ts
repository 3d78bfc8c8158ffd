import {
  days,
  fromTimestamp,
  instant,
  seconds,
  toTimestamp,
  type Instant,
  type RolloutSeat,
  byNumberOf,
  byTextOf,
  inOrder,
} from '@nodewright/apis';
import type { RolloutNode } from '../snapshot.ts';

/** A member as its seat looks at it. */
export type SeatedMember = {
  readonly node: RolloutNode;
  /** Initialized, and no signal says otherwise. */
  readonly isHealthy: boolean;
  readonly hasFailed: boolean;
};

export type SoakRules = {
  /** A seat of the first wave is proven by one node without interruption; later ones by the sum of their nodes. */
  readonly isFirstWave: boolean;
  readonly soakMsOf: (variant: string) => number;
  readonly withoutEvidence: 'Proceed' | 'Wait';
  readonly now: Instant;
};

/** An empty node is kept for so long; then the wave has no evidence of it. */
const longestEmptyMs = days(1);

export const emptySeats = (count: number): readonly RolloutSeat[] =>
  Array.from({ length: count }, (_, index) => ({ seat: index + 1, variant: '', soakedSeconds: 0 }));

/**
 * Brings the seats up to date: members that left free theirs, new members take free ones, and healthy time with pods is
 * counted. The time is stored as seconds and a since-instant, so that it survives restarts.
 */
export function updateSeats(
  seats: readonly RolloutSeat[],
  members: readonly SeatedMember[],
  rules: SoakRules,
): readonly RolloutSeat[] {
  const byName = new Map(members.map((member) => [member.node.name, member]));
  const kept = seats.map((seat) => freeIfLeft(seat, byName, rules));
  const seated = new Set(kept.flatMap(({ member }) => member ?? []));
  const waiting = members
    .filter(({ node, hasFailed }) => !seated.has(node.name) && !hasFailed)
    .toSorted(
      inOrder(
        byNumberOf(({ node }) => node.createdAt),
        byTextOf(({ node }) => node.name),
      ),
    );
  return kept.map((seat) => {
    const next = seat.member === undefined && seat.result === undefined ? waiting.shift() : undefined;
    const taken = next === undefined ? seat : { ...seat, member: next.node.name, variant: next.node.variant };
    return countSoak(taken, taken.member === undefined ? undefined : byName.get(taken.member), rules);
  });
}

function freeIfLeft(seat: RolloutSeat, members: ReadonlyMap<string, SeatedMember>, rules: SoakRules): RolloutSeat {
  if (seat.member === undefined || seat.result !== undefined || members.has(seat.member)) return seat;
  const { member: _member, emptySince: _emptySince, ...free } = stopCounting(seat, rules.now);
  return rules.isFirstWave ? { ...free, soakedSeconds: 0 } : free;
}

/** Healthy time so far, with that since `since`. */
export const soakedMs = ({ soakedSeconds, since }: RolloutSeat, now: Instant): number =>
  seconds(soakedSeconds) + (since === undefined ? 0 : Math.max(0, now - fromTimestamp(since)));

function stopCounting(seat: RolloutSeat, now: Instant): RolloutSeat {
  const { since: _since, ...stopped } = seat;
  return { ...stopped, soakedSeconds: Math.floor(soakedMs(seat, now) / 1000) };
}

function countSoak(seat: RolloutSeat, member: SeatedMember | undefined, rules: SoakRules): RolloutSeat {
  if (member === undefined || seat.result !== undefined) return seat;
  const { now, isFirstWave } = rules;
  const soakMs = rules.soakMsOf(seat.variant);
  if (member.hasFailed) {
    const stopped = stopCounting(seat, now);
    return isFirstWave ? { ...stopped, soakedSeconds: 0 } : stopped;
  }
  if (!member.isHealthy) return stopCounting(seat, now);
  if (soakMs === 0) return { ...stopCounting(seat, now), result: 'Proven' };
  if (member.node.pods === 0) return waitForPods(stopCounting(seat, now), rules);
  // Pods that are there and not Ready prove nothing, and are no want of evidence either.
  if (member.node.readyPods === 0) return stopCounting(seat, now);
  const { emptySince: _emptySince, ...busy } = seat;
  if (soakedMs(busy, now) >= soakMs) return { ...stopCounting(busy, now), result: 'Proven' };
  return busy.since === undefined ? { ...busy, since: toTimestamp(now) } : busy;
}

function waitForPods(seat: RolloutSeat, { now, withoutEvidence }: SoakRules): RolloutSeat {
  const emptySince = seat.emptySince ?? toTimestamp(now);
  const isOver = now - fromTimestamp(emptySince) >= longestEmptyMs;
  return { ...seat, emptySince, ...(isOver && withoutEvidence === 'Proceed' ? { result: 'Waived' as const } : {}) };
}

/** Whether the seat has had no pods for so long that its wave has no evidence. */
export const hasNoEvidence = ({ emptySince, result }: RolloutSeat, now: Instant): boolean =>
  emptySince !== undefined && result !== 'Proven' && now - fromTimestamp(emptySince) >= longestEmptyMs;

/** When time alone brings the next change of a seat. */
export function nextSeatChange(seat: RolloutSeat, { soakMsOf, now }: SoakRules): Instant | undefined {
  if (seat.result !== undefined || seat.member === undefined) return undefined;
  if (seat.since !== undefined) return instant(now + Math.max(0, soakMsOf(seat.variant) - soakedMs(seat, now)));
  if (seat.emptySince === undefined) return undefined;
  const end = instant(fromTimestamp(seat.emptySince) + longestEmptyMs);
  return end > now ? end : undefined;
}
