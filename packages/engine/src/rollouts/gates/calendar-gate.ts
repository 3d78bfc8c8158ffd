import type { CalendarState } from '../calendar/windows.ts';
import type { MoveBlocker } from './gate.ts';

/** What the calendar keeps from beginning. */
export function calendarBlockers(state: CalendarState): readonly MoveBlocker[] {
  switch (state.kind) {
    case 'open':
      return [];
    case 'outsideWindow':
      return [
        {
          gate: 'window',
          message:
            state.opensAt === undefined ? 'no window of the policy ever opens' : 'no window of the policy is open',
          ...(state.opensAt === undefined ? {} : { until: state.opensAt }),
        },
      ];
    case 'blackout':
      return [
        ...(state.windows === undefined ? [] : calendarBlockers(state.windows)),
        { gate: 'blackout', message: `a blackout of the policy holds: ${state.reason}`, until: state.endsAt },
      ];
    case 'unreadable':
      return [{ gate: 'policy', message: state.message }];
  }
}
