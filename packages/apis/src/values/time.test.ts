import { expect, test } from 'vitest';
import { instant } from '../kubernetes/meta.ts';
import { days, earliest, hours, latest, minutes, seconds } from './time.ts';

test('lengths of time are milliseconds', () => {
  expect([seconds(1.5), minutes(5), hours(2), days(1)]).toEqual([1_500, 300_000, 7_200_000, 86_400_000]);
});

test('the earliest and the latest instant ignore undefined instants', () => {
  const [first, second] = [instant(1), instant(2)];
  expect([earliest(undefined, second, first), latest(first, undefined, second)]).toEqual([first, second]);
  expect([earliest(), earliest(undefined), latest(undefined)]).toEqual([undefined, undefined, undefined]);
});
