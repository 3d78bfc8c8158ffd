import {
  type Condition,
  type DisruptionPause,
  fromTimestamp,
  type Instant,
  type NodeRollout,
  type NodeRolloutStatus,
} from '@nodewright/apis';
import { readCalendar, type RolloutCalendar } from './calendar/windows.ts';
import { type ConditionReading, stampConditions } from './conditions.ts';
import { calendarBlockers } from './gates/calendar-gate.ts';
import { printMoveBlocker } from './gates/gate.ts';
import { printPause } from '../pauses/find-pause.ts';
import type { PersonWait } from './person-wait.ts';
import { approvalNeeded, soakSkipNeeded } from './wait-reasons.ts';
import type { RolloutSettings } from './settings.ts';
import { isRollback } from './view.ts';
import type { WaveProgress } from './wave-progress.ts';

/** Where a rollout stands, as conditions and the state are made from it. */
export type RolloutStanding = {
  readonly rollout: NodeRollout;
  readonly status: NodeRolloutStatus;
  readonly wave: WaveProgress;
  readonly isComplete: boolean;
  readonly settings: RolloutSettings;
  readonly now: Instant;
  /** What a person has to do, if anything. */
  readonly waitsFor: PersonWait | undefined;
  readonly calendar: RolloutCalendar;
  /** What holds all nodes that are left to move. */
  readonly pause: DisruptionPause | undefined;
  /** Managed node groups whose update is under way. */
  readonly updates: readonly string[];
  /** Nodes that were let go are not gone yet. */
  readonly isMoving: boolean;
};

type RolloutState = NonNullable<NodeRolloutStatus['state']>;

/** The state in one word: what a person has to know first. */
export function stateOfRollout(standing: RolloutStanding): RolloutState {
  const { status, isComplete, waitsFor, isMoving } = standing;
  if (isComplete) return 'Complete';
  if (status.halted !== undefined) return 'Halted';
  if (hasStalled(standing)) return 'Stalled';
  if (waitsFor !== undefined) return 'WaitingForApproval';
  if (isSoaking(standing)) return 'Soaking';
  if (!isMoving && standing.pause !== undefined) return 'Paused';
  if (!isMoving && calendarMessage(standing) !== undefined) return 'WaitingForWindow';
  return 'Progressing';
}

/** While its new nodes are still to join, a wave has nothing that soaks. */
const isSoaking = ({ wave }: RolloutStanding): boolean =>
  wave.isBegun &&
  wave.settings.soakMs > 0 &&
  wave.isFull &&
  !wave.isSoaked &&
  wave.seats.some(
    ({ since, emptySince, soakedSeconds }) => since !== undefined || emptySince !== undefined || soakedSeconds > 0,
  );

const hasStalled = ({ status, settings, now }: RolloutStanding): boolean =>
  status.startedAt !== undefined && now - fromTimestamp(status.startedAt) >= settings.finishWithinMs;

function calendarMessage({ rollout, settings, calendar, now }: RolloutStanding): string | undefined {
  if (isRollback(rollout) && settings.rollbackWindows === 'Ignore') return undefined;
  const [blocker] = calendarBlockers(readCalendar(calendar, now));
  return blocker === undefined ? undefined : printMoveBlocker(blocker);
}

const describePause = (pause: DisruptionPause): string =>
  `${printPause(pause)}, until ${pause.spec.until ?? 'it is resumed'}`;

/** Readers offer the request that leads on: the other one would be accepted and change nothing. */
const reasonsOfWait = { approve: approvalNeeded, 'skip-soak': soakSkipNeeded } as const;

/** An update of a managed group cannot be stopped. */
const haltMessage = ({ status: { halted }, updates }: RolloutStanding): string =>
  halted === undefined
    ? ''
    : [halted.message, ...updates.map((group) => `the update of ${group} cannot be stopped and goes on`)].join('; ');

/**
 * The conditions of a rollout. `kubectl wait --for=condition=Complete` works, and so do readers of the kstatus form:
 * Reconciling while it goes on, Stalled when it does not, Ready when it is complete. Of the others none is True for
 * trouble but Halted.
 */
export function rolloutConditions(standing: RolloutStanding): readonly Condition[] {
  const { status, wave, isComplete, waitsFor, rollout, now, isMoving, pause } = standing;
  const state = stateOfRollout(standing);
  const { halted } = status;
  const isGoing = !isComplete && halted === undefined && state !== 'Stalled';
  const summary = `${status.updated ?? 0} of ${status.total ?? 0} nodes run the target, wave ${wave.status.name}`;
  const whether = (type: string, isTrue: boolean, reason: string, message = summary): ConditionReading => ({
    type,
    status: isTrue ? 'True' : 'False',
    reason,
    message,
  });
  const window = calendarMessage(standing);
  const trouble = halted?.message ?? `${status.remaining ?? 0} nodes remain after finishWithin`;
  return stampConditions(
    [
      whether('Complete', isComplete, state),
      whether('Halted', halted !== undefined, halted?.reason ?? state, haltMessage(standing)),
      whether('Paused', isGoing && pause !== undefined, state, pause === undefined ? '' : describePause(pause)),
      whether('Progressing', isGoing && isMoving, state),
      whether('Ready', isComplete, state),
      whether('Reconciling', isGoing, state),
      whether('Soaking', isGoing && isSoaking(standing), state),
      whether(
        'Stalled',
        halted !== undefined || state === 'Stalled',
        halted === undefined ? state : 'Halted',
        isGoing || isComplete ? '' : trouble,
      ),
      whether('Superseded', false, state, ''),
      whether(
        'WaitingForApproval',
        isGoing && waitsFor !== undefined,
        waitsFor === undefined ? state : reasonsOfWait[waitsFor.request],
        waitsFor?.message ?? '',
      ),
      whether('WaitingForWindow', isGoing && window !== undefined, state, window ?? ''),
    ],
    status.conditions,
    { generation: rollout.metadata.generation, now },
  );
}
