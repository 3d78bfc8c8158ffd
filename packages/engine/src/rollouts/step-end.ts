import {
  type Condition,
  fromTimestamp,
  type Instant,
  minutes,
  type NodeRollout,
  type NodeRolloutStatus,
  toTimestamp,
} from '@nodewright/apis';
import type { RolloutSettings } from './settings.ts';
import type { RolloutSnapshot } from './snapshot.ts';
import type { RolloutView } from './view.ts';
import { expectRolloutEnd } from './wave-forecast.ts';

/**
 * The status with when the rollout ends if nothing comes between, by the arithmetic of its waves. While nothing begins, that
 * moves on with the clock: the stored time stays until it is wrong by more than a minute, and by more than a hundredth.
 * No time is given while the rollout has halted or waits for a person, for a node that cannot be drained, or for pods on a
 * new node.
 */
export function withExpectedEnd(
  status: NodeRolloutStatus,
  {
    view,
    settings,
    seen,
    isParking,
  }: {
    readonly view: RolloutView;
    readonly settings: RolloutSettings;
    readonly seen: RolloutSnapshot;
    readonly isParking: boolean;
  },
): NodeRolloutStatus {
  const { expectedEnd: _expectedEnd, ...rest } = status;
  const isWaiting = isParking || isWaitingForPerson(status) || isWaitingForPods(status);
  if (status.endedAt !== undefined || status.halted !== undefined || isWaiting) return rest;
  const end = expectRolloutEnd({ view: { ...view, status }, settings, seen });
  if (end === undefined) return rest;
  const told = view.status.expectedEnd;
  const mayDifferMs = Math.max(minutes(1), (end - seen.now) / 100);
  const isTold = told !== undefined && Math.abs(fromTimestamp(told) - end) <= mayDifferMs;
  return { ...rest, expectedEnd: isTold ? told : toTimestamp(end) };
}

const isWaitingForPerson = ({ conditions = [] }: NodeRolloutStatus): boolean =>
  conditions.some(({ type, status }) => type === 'WaitingForApproval' && status === 'True');

const isWaitingForPods = ({ seats = [] }: NodeRolloutStatus): boolean =>
  seats.some(({ result, emptySince }) => result === undefined && emptySince !== undefined);

/**
 * The status of a rollout that ends because another takes its place. Readers of the kstatus form take a `Stalled` one for
 * one that never becomes Ready, and wait no longer.
 */
export function finishedStatus(
  rollout: NodeRollout,
  { state, because, now }: { readonly state: 'Superseded'; readonly because: string; readonly now: Instant },
): NodeRolloutStatus {
  const { status = {} } = rollout;
  const { nextChangeAt: _nextChangeAt, expectedEnd: _expectedEnd, ...rest } = status;
  const become = (condition: Condition, value: Condition['status']): Condition => ({
    ...condition,
    status: value,
    reason: 'Superseded',
    message: because,
    ...(condition.status === value ? {} : { lastTransitionTime: toTimestamp(now) }),
  });
  return {
    ...rest,
    state,
    endedAt: status.endedAt ?? toTimestamp(now),
    conditions: (status.conditions ?? []).map((condition) => {
      if (keptAfterEnd.has(condition.type)) return condition;
      return become(condition, condition.type === 'Superseded' || condition.type === 'Stalled' ? 'True' : 'False');
    }),
  };
}

/** That it has halted stays true. */
const keptAfterEnd: ReadonlySet<string> = new Set(['Halted']);
