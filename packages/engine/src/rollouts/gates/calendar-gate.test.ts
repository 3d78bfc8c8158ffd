import { fromTimestamp, toTimestamp } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { readCalendar } from '../calendar/windows.ts';
import { calendarBlockers } from './calendar-gate.ts';

const nights = { schedule: '0 22 * * *', duration: '6h', timeZone: 'UTC' };
const untilNoon = { from: '2026-12-18T00:00:00', to: '2026-12-20T12:00:00', reason: 'release freeze' };
const untilNight = { ...untilNoon, to: '2026-12-20T23:00:00' };
const closed = 'no window of the policy is open';
const frozen = 'a blackout of the policy holds: release freeze';

for (const { fact, at, blackout, told } of [
  {
    fact: 'a window that is closed in a blackout is told beside it: the first opening after the blackout is meant',
    at: '2026-12-20T10:00:00Z',
    blackout: untilNoon,
    told: [
      ['window', closed, '2026-12-20T22:00:00Z'],
      ['blackout', frozen, '2026-12-20T12:00:00Z'],
    ],
  },
  {
    fact: 'an opening that goes on after the blackout is told with its own time',
    at: '2026-12-20T10:00:00Z',
    blackout: untilNight,
    told: [
      ['window', closed, '2026-12-20T22:00:00Z'],
      ['blackout', frozen, '2026-12-20T23:00:00Z'],
    ],
  },
  {
    fact: 'a window that ends in the blackout helps nobody',
    at: '2026-12-19T10:00:00Z',
    blackout: untilNoon,
    told: [
      ['window', closed, '2026-12-20T22:00:00Z'],
      ['blackout', frozen, '2026-12-20T12:00:00Z'],
    ],
  },
  {
    fact: 'in an open window the blackout alone is told',
    at: '2026-12-19T23:00:00Z',
    blackout: untilNoon,
    told: [['blackout', frozen, '2026-12-20T12:00:00Z']],
  },
] as const) {
  test(fact, () => {
    const state = readCalendar({ windows: [nights], blackouts: [blackout] }, fromTimestamp(at));
    const blockers = calendarBlockers(state);
    expect(blockers.map(({ gate, message, until }) => [gate, message, until && toTimestamp(until)])).toEqual(told);
  });
}
