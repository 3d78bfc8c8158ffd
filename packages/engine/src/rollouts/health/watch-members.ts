import {
  type Instant,
  toTimestamp,
  type RolloutEvidence,
  type RolloutFailure,
  type RolloutLook,
} from '@nodewright/apis';
import { imagesBeyond } from '../image-set.ts';
import type { RolloutSettings } from '../settings.ts';
import type { RolloutNode, RolloutSnapshot } from '../snapshot.ts';
import type { RolloutView } from '../view.ts';
import { failuresOfChecks } from '../checks/check-holds.ts';
import { type PeerComparison, compareWithPeers, printComparison } from './compare.ts';
import { type ComparedSignal, comparedSignals } from '../owner-counters.ts';
import { comparisonNode } from '../comparison-node.ts';
import { sumEvidence } from './evidence.ts';
import { readMemberHealth, type SignalReading } from './member-health.ts';

/** What is known of the members of a rollout. */
export type MemberReport = {
  /** Those of before, and each member that failed since. */
  readonly failures: readonly RolloutFailure[];
  /** Comparisons that found members worse than peers. */
  readonly worse: readonly PeerComparison[];
  readonly looks: readonly RolloutLook[];
  readonly evidence: readonly RolloutEvidence[];
  readonly changesAt: readonly Instant[];
};

export type MemberQuestion = {
  readonly view: RolloutView;
  readonly settings: RolloutSettings;
  readonly seen: RolloutSnapshot;
  readonly readings: ReadonlyMap<string, SignalReading>;
  /** The soak of the wave is over: comparisons are made once more. */
  readonly isFinal: boolean;
};

/** What the signals say of every member, by name. */
export const readMembers = (
  question: Omit<MemberQuestion, 'readings' | 'isFinal'>,
): ReadonlyMap<string, SignalReading> =>
  new Map(question.view.members.map((node) => [node.name, readNode(node, question)]));

export function watchMembers(question: MemberQuestion): MemberReport {
  const { view, seen, settings, readings } = question;
  const comparisons = compareVariants(question);
  const worse = comparisons.filter(({ isWorse }) => isWorse);
  return {
    failures: [
      ...(view.status.failures ?? []),
      ...newFailures(view, readings, seen.now),
      ...worse.map((comparison) => failureOf(comparison, seen.now)),
      ...failuresOfChecks(view, settings, seen),
    ],
    worse,
    looks: mergeLooks(view.status.looks ?? [], comparisons),
    evidence: variantsWithMembers(view).map((variant) => sumEvidence(variant, seen, settings)),
    changesAt: [...readings.values()].flatMap((reading) =>
      reading.kind === 'failed' ? [] : (reading.changesAt ?? []),
    ),
  };
}

const readNode = (
  node: RolloutNode,
  { view, settings, seen }: Omit<MemberQuestion, 'readings' | 'isFinal'>,
): SignalReading =>
  readMemberHealth(node, {
    settings: settings.signals,
    peers: view.peersOf(node.variant),
    checks: seen.checks,
    checkFailures: settings.checkFailures,
    now: seen.now,
  });

const variantsWithMembers = ({ members }: RolloutView): readonly string[] =>
  [...new Set(members.map(({ variant }) => variant))].toSorted();

/** A member counts once, whatever else fails on it. */
function newFailures(
  { members, status }: RolloutView,
  readings: ReadonlyMap<string, SignalReading>,
  now: Instant,
): readonly RolloutFailure[] {
  const known = new Set((status.failures ?? []).map(({ node }) => node));
  return members.flatMap(({ name, nodeName, variant }): RolloutFailure[] => {
    const reading = readings.get(name);
    if (reading?.kind !== 'failed' || known.has(name)) return [];
    const { signal, evidence } = reading;
    const who = { node: name, ...(nodeName === undefined ? {} : { nodeName }) };
    return [{ ...who, variant, signal, evidence, at: toTimestamp(now) }];
  });
}

const failureOf = (comparison: PeerComparison, now: Instant): RolloutFailure => ({
  node: comparisonNode,
  variant: comparison.variant,
  signal: comparison.signal,
  evidence: printComparison(comparison),
  at: toTimestamp(now),
});

export const signalsToCompare = ({ signals }: RolloutSettings): readonly ComparedSignal[] =>
  comparedSignals.filter(
    (signal) =>
      (signal === 'containerStarts' && signals.comparesStarts) ||
      (signal === 'restarts' && signals.comparesRestarts) ||
      (signal === 'podsReady' && signals.podsReadyMs !== undefined),
  );

/** The allowed error is divided among the variants whose image moves, with members or not. */
export const comparisonCount = ({ rollout: { spec } }: RolloutView, settings: RolloutSettings) => ({
  signals: signalsToCompare(settings).length,
  variants: new Set(imagesBeyond(spec.from, spec.to).map(({ variant }) => variant)).size,
});

function compareVariants({ view, settings, seen, isFinal }: MemberQuestion): readonly PeerComparison[] {
  const count = comparisonCount(view, settings);
  return variantsWithMembers(view).flatMap((variant) =>
    signalsToCompare(settings).flatMap((signal) => {
      const last = view.status.looks?.find((look) => look.variant === variant && look.signal === signal);
      return compareWithPeers({ variant, signal, counters: seen.counters, last, count, isFinal }) ?? [];
    }),
  );
}

function mergeLooks(looks: readonly RolloutLook[], comparisons: readonly PeerComparison[]): readonly RolloutLook[] {
  const made = comparisons.map(({ look }) => look);
  const isMadeAgain = (look: RolloutLook): boolean =>
    made.some(({ variant, signal }) => variant === look.variant && signal === look.signal);
  return [...looks.filter((look) => !isMadeAgain(look)), ...made];
}
