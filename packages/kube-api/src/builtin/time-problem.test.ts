import { describe, expect, test } from 'vitest';
import { timeProblem } from './time-problem.ts';

/** As kube-apiserver 1.36 answers for `sinceTime` of a log, and for `renewTime` of a Lease. */
describe('a time', () => {
  test.each([
    '2024-01-01T00:00:00Z',
    '2024-02-29T23:59:59Z',
    '2024-12-31T00:00:00Z',
    '2024-01-01T00:00:00.5Z',
    '2024-01-01T00:00:00,5Z',
    '2024-01-01T00:00:00+02:00',
    '2024-01-31T00:00:00-24:60',
  ])('may be %s', (text) => expect(timeProblem(text, false)).toBeUndefined());

  test.each([
    ['2024-00-10T00:00:00Z', 'month'],
    ['2024-13-01T00:00:00Z', 'month'],
    ['2024-01-00T00:00:00Z', 'day'],
    ['2024-01-32T00:00:00Z', 'day'],
    ['2024-02-30T00:00:00Z', 'day'],
    ['2023-02-29T00:00:00Z', 'day'],
    ['2024-01-01T24:00:00Z', 'hour'],
    ['2024-01-01T00:60:00Z', 'minute'],
    ['2024-01-01T00:00:60Z', 'second'],
    ['2024-01-01T00:00:00+25:00', 'time zone offset hour'],
    ['2024-01-01T00:00:00+10:61', 'time zone offset minute'],
  ])('%s has its %s out of range', (text, unit) =>
    expect(timeProblem(text, false)).toBe(`parsing time "${text}": ${unit} out of range`),
  );

  test.each([
    ['yesterday', 'yesterday', '2006'],
    ['', '', '2006'],
    ['2024-1-01T00:00:00Z', '1-01T00:00:00Z', '01'],
    ['2024-01-01', '', 'T'],
    ['2024-01-01t00:00:00Z', 't00:00:00Z', 'T'],
    ['2024-01-01T00:00:00.Z', '.Z', 'Z07:00'],
    ['2024-01-01T00:00:00z', 'z', 'Z07:00'],
    ['2024-01-01T00:00:00-0100', '-0100', 'Z07:00'],
    ['2024-02-30T00:00:00', '', 'Z07:00'],
  ])('%j cannot be parsed from %j on', (text, rest, part) =>
    expect(timeProblem(text, false)).toBe(
      `parsing time "${text}" as "2006-01-02T15:04:05Z07:00": cannot parse "${rest}" as "${part}"`,
    ),
  );

  test('ends with its zone', () => {
    expect(timeProblem('2024-01-99T00:00:00ZZ', false)).toBe('parsing time "2024-01-99T00:00:00ZZ": extra text: "Z"');
  });
});

describe('a time of microseconds', () => {
  const layout = '2006-01-02T15:04:05.000000Z07:00';

  test.each([
    ['2024-01-01T00:00:00.000001Z', undefined],
    ['2024-02-30T00:00:00.000000Z', 'parsing time "2024-02-30T00:00:00.000000Z": day out of range'],
    ['2024-01-01T25:00:00.000000Z', 'parsing time "2024-01-01T25:00:00.000000Z": hour out of range'],
    ['2024-01-01T00:00:00Z', `parsing time "2024-01-01T00:00:00Z" as "${layout}": cannot parse "Z" as ".000000"`],
    [
      '2024-01-01T00:00:00.0000001Z',
      `parsing time "2024-01-01T00:00:00.0000001Z" as "${layout}": cannot parse "1Z" as "Z07:00"`,
    ],
  ])('%s has the problem %s', (text, problem) => expect(timeProblem(text, true)).toBe(problem));
});
