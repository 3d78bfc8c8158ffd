import { conditionOf, type Instant, type NodeRollout, toTimestamp } from '@nodewright/apis';
import { type CalendarState, hasEnded } from '@nodewright/engine';
import type { RolloutRow } from '../rows/dashboard-rows.ts';

/** What a rollout waits for; one that has ended waits for nothing. */
export function listRolloutWaits(rollout: NodeRollout): RolloutRow['waits'] {
  if (hasEnded(rollout)) return [];
  return ['WaitingForApproval', 'Paused', 'WaitingForWindow', 'Stalled'].flatMap((type) => {
    const condition = conditionOf(rollout, type);
    if (condition?.status !== 'True') return [];
    const { message = type, lastTransitionTime: since } = condition;
    if (message === rollout.status?.halted?.message) return [];
    return [{ message, ...(since === undefined ? {} : { since }) }];
  });
}

/** Whether replacements may begin now, and until when that holds. */
export function describeCalendar(calendar: CalendarState): NonNullable<RolloutRow['window']> {
  const withChange = (message: string, isOpen: boolean, at: Instant | undefined) => ({
    message,
    isOpen,
    ...(at === undefined ? {} : { changesAt: toTimestamp(at) }),
  });
  switch (calendar.kind) {
    case 'open':
      return withChange('replacements may begin', true, calendar.until);
    case 'outsideWindow':
      return withChange('no window is open', false, calendar.opensAt);
    case 'blackout':
      return withChange(`blackout: ${calendar.reason}`, false, calendar.endsAt);
    case 'unreadable':
      return withChange(calendar.message, false, undefined);
  }
}
