import {
  fromTimestamp,
  type RolloutCheck,
  type RolloutFailure,
  type RolloutWaveStatus,
  toTimestamp,
} from '@nodewright/apis';
import { comparisonNode } from '../comparison-node.ts';
import type { RolloutSettings } from '../settings.ts';
import type { CheckReading, RolloutSnapshot } from '../snapshot.ts';
import type { RolloutView } from '../view.ts';

/**
 * Failures of checks that ask for all new nodes at once, one for each variant that has new nodes: whose fault it is
 * cannot be told. One that a person has forgiven counts again when it has failed as often once more.
 */
export function failuresOfChecks(
  { members, status }: RolloutView,
  { checkFailures }: RolloutSettings,
  { checks, now }: RolloutSnapshot,
): readonly RolloutFailure[] {
  const variants = [...new Set(members.map(({ variant }) => variant))].toSorted();
  const failing = checks.filter(
    ({ check, node, state, inARow }) =>
      node === undefined && state === 'fails' && inARow >= (checkFailures.get(check) ?? 1),
  );
  return failing
    .filter((reading) => !(status.failures ?? []).some((failure) => isFailureOf(failure, reading)))
    .flatMap((reading) =>
      variants.map((variant) => ({
        node: comparisonNode,
        variant,
        signal: 'checks',
        evidence: printFailedCheck(reading),
        at: toTimestamp(now),
      })),
    );
}

/** It was counted before, and was not forgiven, or nothing was asked since. */
const isFailureOf = (failure: RolloutFailure, { check, at }: CheckReading): boolean =>
  failure.signal === 'checks' &&
  failure.node === comparisonNode &&
  failure.evidence.startsWith(`check ${check} `) &&
  (failure.forgiven !== true || (at !== undefined && at <= fromTimestamp(failure.at)));

export const printFailedCheck = ({ check, inARow, detail }: CheckReading): string =>
  `check ${check} failed ${inARow === 1 ? 'once' : `${inARow} times in a row`}: ${detail}`;

export type UnsettledQuestion = {
  readonly checks: readonly RolloutCheck[];
  readonly readings: readonly CheckReading[];
  readonly view: Pick<RolloutView, 'members' | 'status'>;
  readonly wave: Pick<RolloutWaveStatus, 'startedAt'>;
};

/** A check that has to pass before the wave ends, and has not: since the wave began, or on one of its nodes. */
export function findUnsettledCheck({ checks, readings, view, wave }: UnsettledQuestion): string | undefined {
  if (view.members.length === 0) return undefined;
  const since = wave.startedAt === undefined ? 0 : fromTimestamp(wave.startedAt);
  const passes = (check: string, node?: string): boolean =>
    readings.some(
      (reading) =>
        reading.check === check &&
        reading.node === node &&
        reading.state === 'passes' &&
        (node !== undefined || (reading.at ?? since) >= since),
    );
  const failed = new Set((view.status.failures ?? []).map(({ node }) => node));
  const isSettled = ({ name, job }: RolloutCheck): boolean =>
    job === undefined
      ? passes(name)
      : view.members.every((member) => passes(name, member.name) || failed.has(member.name));
  return checks.find((check) => !isSettled(check))?.name;
}
