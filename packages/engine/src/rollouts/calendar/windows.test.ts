import { fromTimestamp, instant, toTimestamp, type RolloutWindow } from '@nodewright/apis';
import { describe, expect, test } from 'vitest';
import { instantOfWallTime } from './wall-time.ts';
import { calendarComplaint, readCalendar } from './windows.ts';

const nights: RolloutWindow = { schedule: '0 22 * * 1-4', duration: '6h', timeZone: 'Europe/Berlin' };
const yearEnd = {
  from: '2026-12-18T00:00:00',
  to: '2027-01-04T06:00:00',
  timeZone: 'Europe/Berlin',
  reason: 'year end',
};

const stateAt = (at: string, windows: readonly RolloutWindow[] = [], blackouts: readonly (typeof yearEnd)[] = []) => {
  const state = readCalendar({ windows, blackouts }, fromTimestamp(at));
  return Object.fromEntries(
    Object.entries(state).map(([key, value]) => [key, typeof value === 'number' ? toTimestamp(value) : value]),
  );
};

test('without windows it is always open', () => {
  expect(stateAt('2026-11-01T00:00:00Z')).toEqual({ kind: 'open' });
});

describe('a window', () => {
  for (const { fact, at, state } of [
    {
      fact: 'opens in its own time zone',
      at: '2026-11-02T21:00:00Z',
      state: { kind: 'open', until: '2026-11-03T03:00:00Z' },
    },
    {
      fact: 'is closed a second before',
      at: '2026-11-02T20:59:59Z',
      state: { kind: 'outsideWindow', opensAt: '2026-11-02T21:00:00Z' },
    },
    {
      fact: 'opens an hour earlier in summer',
      at: '2026-07-06T20:00:00Z',
      state: { kind: 'open', until: '2026-07-07T02:00:00Z' },
    },
    {
      fact: 'waits over the weekend',
      at: '2026-11-06T12:00:00Z',
      state: { kind: 'outsideWindow', opensAt: '2026-11-09T21:00:00Z' },
    },
  ]) {
    test(fact, () => expect(stateAt(at, [nights])).toEqual(state));
  }
  const early: RolloutWindow = { schedule: '30 2 * * *', duration: '1h', timeZone: 'Europe/Berlin' };
  test('whose beginning daylight saving skips opens after the gap', () => {
    expect(stateAt('2026-03-29T00:59:59Z', [early])).toEqual({
      kind: 'outsideWindow',
      opensAt: '2026-03-29T01:00:00Z',
    });
    expect(stateAt('2026-03-29T01:00:00Z', [early])).toEqual({ kind: 'open', until: '2026-03-29T02:00:00Z' });
  });
  test('whose beginning comes twice opens once', () => {
    expect(stateAt('2026-10-25T00:30:00Z', [early])).toEqual({ kind: 'open', until: '2026-10-25T01:30:00Z' });
    expect(stateAt('2026-10-25T01:30:00Z', [early])).toEqual({
      kind: 'outsideWindow',
      opensAt: '2026-10-26T01:30:00Z',
    });
  });
  test('that is prolonged by its next hit stays open', () => {
    const hourly: RolloutWindow = { schedule: '0 * * * *', duration: '90m' };
    expect(stateAt('2026-11-02T21:10:00Z', [hourly])['kind']).toBe('open');
  });
  test('that never comes does not open', () => {
    expect(stateAt('2026-11-02T21:00:00Z', [{ schedule: '0 0 30 2 *', duration: '1h' }])).toEqual({
      kind: 'outsideWindow',
    });
  });
});

describe('where clocks change', () => {
  for (const { fact, window, opens, closes } of [
    {
      fact: 'six hours over the change to winter are six hours',
      window: { schedule: '0 22 * * *', duration: '6h', timeZone: 'Europe/Berlin' },
      opens: '2026-10-24T20:00:00Z',
      closes: '2026-10-25T02:00:00Z',
    },
    {
      fact: 'six hours over the change to summer are six hours',
      window: { schedule: '0 22 * * *', duration: '6h', timeZone: 'Europe/Berlin' },
      opens: '2026-03-28T21:00:00Z',
      closes: '2026-03-29T03:00:00Z',
    },
    {
      fact: 'a window in the missing hour opens after it',
      window: { schedule: '30 2 * * *', duration: '1h', timeZone: 'America/New_York' },
      opens: '2026-03-08T07:00:00Z',
      closes: '2026-03-08T08:00:00Z',
    },
    {
      fact: 'a window in the doubled hour opens the first time',
      window: { schedule: '30 1 * * *', duration: '30m', timeZone: 'America/New_York' },
      opens: '2026-11-01T05:30:00Z',
      closes: '2026-11-01T06:00:00Z',
    },
    {
      fact: 'every quarter of the doubled hour comes twice',
      window: { schedule: '*/15 2 * * *', duration: '15m', timeZone: 'Europe/Berlin' },
      opens: '2026-10-25T00:00:00Z',
      closes: '2026-10-25T02:00:00Z',
    },
    {
      fact: 'a change by half an hour, back',
      window: { schedule: '45 1 * * *', duration: '30m', timeZone: 'Australia/Lord_Howe' },
      opens: '2026-04-04T14:45:00Z',
      closes: '2026-04-04T15:15:00Z',
    },
    {
      fact: 'a change by half an hour, forward',
      window: { schedule: '15 2 * * *', duration: '30m', timeZone: 'Australia/Lord_Howe' },
      opens: '2026-10-03T15:30:00Z',
      closes: '2026-10-03T16:00:00Z',
    },
  ] satisfies readonly { fact: string; window: RolloutWindow; opens: string; closes: string }[])
    test(fact, () => {
      const kindAt = (at: string, plusMs = 0) =>
        readCalendar({ windows: [window], blackouts: [] }, instant(fromTimestamp(at) + plusMs)).kind;
      expect([kindAt(opens, -1), kindAt(opens), kindAt(closes, -1), kindAt(closes)]).toEqual([
        'outsideWindow',
        'open',
        'open',
        'outsideWindow',
      ]);
    });

  test('quarters of the missing hour do not come', () => {
    const quarters = { schedule: '*/15 2 * * *', duration: '15m', timeZone: 'Europe/Berlin' };
    expect(stateAt('2026-03-28T12:00:00Z', [quarters])['opensAt']).toBe('2026-03-30T00:00:00Z');
  });
});

describe('a blackout', () => {
  test('closes whatever windows there are, to the second', () => {
    expect(stateAt('2026-12-17T22:59:59Z', [nights], [yearEnd])).toEqual({
      kind: 'open',
      until: '2026-12-17T23:00:00Z',
    });
    expect(stateAt('2026-12-17T23:00:00Z', [nights], [yearEnd])).toEqual({
      kind: 'blackout',
      reason: 'year end',
      endsAt: '2027-01-04T05:00:00Z',
    });
    expect(stateAt('2027-01-04T05:00:00Z', [], [yearEnd])).toEqual({ kind: 'open' });
  });
});

describe('a time on the wall', () => {
  for (const { fact, text, zone, first, last = first } of [
    { fact: 'in winter', text: '2026-12-18T00:00:00', zone: 'Europe/Berlin', first: '2026-12-17T23:00:00Z' },
    { fact: 'in a gap is its end', text: '2026-03-29T02:30:00', zone: 'Europe/Berlin', first: '2026-03-29T01:00:00Z' },
    {
      fact: 'that comes twice has two readings',
      text: '2026-10-25T02:30:00',
      zone: 'Europe/Berlin',
      first: '2026-10-25T00:30:00Z',
      last: '2026-10-25T01:30:00Z',
    },
    {
      fact: 'far east of Greenwich',
      text: '2026-06-01T00:00:00',
      zone: 'Pacific/Kiritimati',
      first: '2026-05-31T10:00:00Z',
    },
    {
      fact: 'with an offset of 45 minutes',
      text: '2026-06-01T00:00:00',
      zone: 'Asia/Kathmandu',
      first: '2026-05-31T18:15:00Z',
    },
    {
      fact: 'where clocks change by half an hour',
      text: '2026-04-05T01:45:00',
      zone: 'Australia/Lord_Howe',
      first: '2026-04-04T14:45:00Z',
      last: '2026-04-04T15:15:00Z',
    },
  ]) {
    test(fact, () => {
      expect(toTimestamp(instantOfWallTime(text, zone, 'first'))).toBe(first);
      expect(toTimestamp(instantOfWallTime(text, zone, 'last'))).toBe(last);
    });
  }
});

test('what cannot be read is named with what would be right, and keeps everything closed', () => {
  const windows = [nights, { ...nights, timeZone: 'Europe/Nowhere' }];
  const message =
    'spec.windows[1]: "Europe/Nowhere" is not a time zone of the IANA database such as Europe/Berlin or UTC';
  expect(calendarComplaint({ windows, blackouts: [] })).toBe(message);
  expect(readCalendar({ windows, blackouts: [] }, fromTimestamp('2026-11-02T21:00:00Z'))).toEqual({
    kind: 'unreadable',
    message,
  });
});
