import { describe, expect, test } from 'vitest';
import { formatDuration, isAge, parseAge, parseDuration, parseDurationOrNever } from './duration.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

describe('a duration', () => {
  for (const [text, ms] of [
    ['0', 0],
    ['30s', 30_000],
    ['1h30m', 90 * minute],
    ['720h', 30 * day],
    ['1.5h', 90 * minute],
    ['300ms', 300],
    ['-1m', -minute],
    ['1m1m', 2 * minute],
  ] as const) {
    test(`${text} is ${ms} ms`, () => {
      expect(parseDuration(text)).toBe(ms);
    });
  }

  test('has no days, no bare numbers and no blanks', () => {
    for (const text of ['1d', '5', '', ' 1s', '1s ', '1h30', 'Never', 'h', '1 h', '.s']) {
      expect(() => parseDuration(text)).toThrow('is not a duration such as 30s, 1h30m or 720h');
    }
  });

  test('may be Never where no end is allowed', () => {
    expect([parseDurationOrNever('Never'), parseDurationOrNever('1m')]).toEqual(['Never', minute]);
    expect(() => parseDurationOrNever('never')).toThrow('is not a duration');
  });

  test('is printed as Go prints it', () => {
    const printed = [720 * hour, 90 * minute, 90_000, 1500, 300, 0.5, 0, -minute].map(formatDuration);
    expect(printed).toEqual(['720h0m0s', '1h30m0s', '1m30s', '1.5s', '300ms', '500µs', '0s', '-1m0s']);
  });
});

describe('an age', () => {
  test('knows days and weeks as well', () => {
    expect(['10d', '2w', '1w3d12h', '0', '36h', '1.5d'].map(parseAge)).toEqual([
      10 * day,
      14 * day,
      10.5 * day,
      0,
      1.5 * day,
      1.5 * day,
    ]);
  });

  test('has no sign, no bare number and no remark', () => {
    expect(['-1d', '+1d', '10', '', '10d  // metav1.Duration', '1y'].filter(isAge)).toEqual([]);
    expect(() => parseAge('10')).toThrow('"10" is not an age such as 10d, 2w or 36h');
  });
});
