import { byText, conditionOf, type Instant, type NodeRollout, toTimestamp } from '@nodewright/apis';
import { type CalendarState, hasEnded, readCalendar, type RolloutCalendar } from '@nodewright/engine';
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

/** Whether replacements may begin now, until when that holds, and in which time zones that is written. */
export function readWindowRow(settings: RolloutCalendar, now: Instant): WindowWords {
  const state = readCalendar(settings, now);
  const zones = listZones(state, settings);
  return { ...describeCalendar(state), ...(zones.length === 0 ? {} : { zones: zones.join(', ') }) };
}

type WindowWords = NonNullable<RolloutRow['window']>;

function describeCalendar(calendar: CalendarState): WindowWords {
  switch (calendar.kind) {
    case 'open':
      return withChange('replacements may begin', true, calendar.until);
    case 'outsideWindow':
      return calendar.opensAt === undefined
        ? withChange('no window ever opens', false, undefined)
        : withChange('no window is open', false, calendar.opensAt);
    case 'blackout':
      return calendar.windows === undefined
        ? withChange(`blackout: ${calendar.reason}`, false, calendar.endsAt)
        : withChange(
            `blackout: ${calendar.reason}; after its end at ${toTimestamp(calendar.endsAt)} no window is open`,
            false,
            calendar.windows.opensAt,
          );
    case 'unreadable':
      return withChange(calendar.message, false, undefined);
  }
}

const withChange = (message: string, isOpen: boolean, at: Instant | undefined): WindowWords => ({
  message,
  isOpen,
  ...(at === undefined ? {} : { changesAt: toTimestamp(at) }),
});

/** Those of what is written of the change. */
function listZones({ kind }: CalendarState, { windows, blackouts }: RolloutCalendar): readonly string[] {
  if (kind === 'unreadable') return [];
  const told = kind === 'outsideWindow' ? windows : [...windows, ...blackouts];
  return [...new Set(told.map(({ timeZone = 'UTC' }) => timeZone))].toSorted(byText);
}
