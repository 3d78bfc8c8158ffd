import { fromTimestamp, toTimestamp } from '@nodewright/apis';
import { describe, expect, test } from 'vitest';
import { checkTimeZone, parseSchedule } from './cron-schedule.ts';

const next = (schedule: string, after: string): string | undefined => {
  const at = parseSchedule(schedule).nextAfter(fromTimestamp(after));
  return at === undefined ? undefined : toTimestamp(at);
};

for (const [schedule, after, hit] of [
  ['0 9 * * *', '2024-03-01T08:59:59Z', '2024-03-01T09:00:00Z'],
  ['0 9 * * *', '2024-03-01T09:00:00Z', '2024-03-02T09:00:00Z'],
  ['0 9 * * mon-fri', '2024-03-01T10:00:00Z', '2024-03-04T09:00:00Z'],
  ['0 9 * * sat-sun', '2024-03-01T10:00:00Z', '2024-03-02T09:00:00Z'],
  ['0 9 * * sat-sun', '2024-03-02T09:00:00Z', '2024-03-03T09:00:00Z'],
  ['0 9 * * sat-sun', '2024-03-03T09:00:00Z', '2024-03-09T09:00:00Z'],
  ['0 9 * * FRI-mon', '2024-03-03T09:00:00Z', '2024-03-04T09:00:00Z'],
  ['0 9 * * sun-sun', '2024-03-01T10:00:00Z', '2024-03-03T09:00:00Z'],
  ['0 9 * * mon', '2024-03-01T10:00:00Z', '2024-03-04T09:00:00Z'],
  ['0 9 31 * *', '2024-03-01T10:00:00Z', '2024-03-31T09:00:00Z'],
  ['*/15 * * * *', '2024-03-01T10:01:00Z', '2024-03-01T10:15:00Z'],
  ['5/20 * * * *', '2024-03-01T10:06:00Z', '2024-03-01T10:25:00Z'],
  ['0 0 ? JAN *', '2024-03-01T00:00:00Z', '2025-01-01T00:00:00Z'],
  ['@daily', '2024-03-01T00:00:00Z', '2024-03-02T00:00:00Z'],
  ['@hourly', '2024-03-01T00:00:00Z', '2024-03-01T01:00:00Z'],
  ['@weekly', '2024-03-01T00:00:00Z', '2024-03-03T00:00:00Z'],
  ['@monthly', '2024-03-01T00:00:00Z', '2024-04-01T00:00:00Z'],
  ['@yearly', '2024-03-01T00:00:00Z', '2025-01-01T00:00:00Z'],
] as const) {
  test(`${schedule} hits next after ${after} at ${hit}`, () => {
    expect(next(schedule, after)).toBe(hit);
  });
}

test('with both days restricted either suffices', () => {
  expect(next('0 0 13 * 5', '2024-03-01T00:00:00Z')).toBe('2024-03-08T00:00:00Z');
  expect(next('0 0 13 * 5', '2024-03-08T00:00:00Z')).toBe('2024-03-13T00:00:00Z');
});

test('a date that never comes has no next hit', () => {
  expect(next('0 0 30 2 *', '2024-03-01T00:00:00Z')).toBeUndefined();
});

test('a date that comes in more than five years of 365 days has no next hit', () => {
  expect(next('0 0 29 2 *', '2099-02-28T00:00:00Z')).toBeUndefined();
  expect(next('0 0 29 2 *', '2099-03-01T00:00:00Z')).toBe('2104-02-29T00:00:00Z');
});

describe('refuses', () => {
  for (const schedule of [
    '',
    '* * * *',
    '0 * * * * *',
    '60 * * * *',
    '* 24 * * *',
    '* * 0 * *',
    '* * 32 * *',
    '* * * 13 *',
    '* * * * 7',
    '1.5 * * * *',
    '1-2-3 * * * *',
    '* * L * *',
    '5-1 * * * *',
    '* * * dec-jan *',
    '* * * * 6-0',
    '* * * * sat-sun/2',
    '*/0 * * * *',
    'TZ=Europe/Berlin 0 9 * * *',
    '@fortnightly',
    '@reboot',
  ]) {
    test(`"${schedule}"`, () => {
      expect(() => parseSchedule(schedule)).toThrow('schedule');
    });
  }
});

test('a time zone that there is not is refused by name, wherever it stands', () => {
  const message = '"Mars/Base" is not a time zone of the IANA database such as Europe/Berlin or UTC';
  expect(() => checkTimeZone('Mars/Base')).toThrow(message);
  expect(() => parseSchedule('0 9 * * *', 'Mars/Base')).toThrow(message);
  expect(checkTimeZone('Europe/Berlin')).toBe('Europe/Berlin');
});
