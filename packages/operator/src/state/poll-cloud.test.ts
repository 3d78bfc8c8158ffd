import { instant } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { answersAsAt, pollCloud } from './poll-cloud.ts';
import { pollAtOrAfter } from './poll-times.ts';

const now = instant(1_000);
const clock = { now: () => now };
const cloudUntil = (until: number | undefined) => ({
  version: () => 7,
  steadyUntil: () => (until === undefined ? undefined : instant(until)),
  onChange: () => undefined,
});

for (const { fact, changes, until, result } of [
  {
    fact: 'that tells nothing is polled',
    changes: undefined,
    until: undefined,
    result: { kind: 'recheckAt', at: 1_100 },
  },
  {
    fact: 'that tells nothing is polled early',
    changes: undefined,
    until: 1_050,
    result: { kind: 'recheckAt', at: 1_050 },
  },
  {
    fact: 'that stays as it is lets sleep',
    changes: cloudUntil(undefined),
    until: undefined,
    result: { kind: 'rest' },
  },
  {
    fact: 'wakes at the poll after its change',
    changes: cloudUntil(1_730),
    until: undefined,
    result: { kind: 'rest', until: 1_800 },
  },
  {
    fact: 'wakes when something else is due',
    changes: cloudUntil(1_730),
    until: 1_250,
    result: { kind: 'rest', until: 1_250 },
  },
  {
    fact: 'that cannot tell is polled',
    changes: cloudUntil(1_000),
    until: undefined,
    result: { kind: 'recheckAt', at: 1_100 },
  },
])
  test(`a cloud ${fact}`, () => {
    expect(pollCloud({ clock, changes }, 100, { until: until === undefined ? until : instant(until) })).toMatchObject(
      result,
    );
  });

test('a poll is never now', () => {
  const polls = [900, 1_000, 1_001, 1_100, 1_101].map((at) => pollAtOrAfter(instant(at), { now, everyMs: 100 }));
  expect(polls).toEqual([1_100, 1_100, 1_100, 1_100, 1_200]);
});

test('answers are the same at the same version while the cloud can tell', () => {
  expect(answersAsAt(7, { clock, changes: cloudUntil(undefined) })).toBe(true);
  expect(answersAsAt(6, { clock, changes: cloudUntil(undefined) })).toBe(false);
  expect(answersAsAt(7, { clock, changes: cloudUntil(1_000) })).toBe(false);
  expect(answersAsAt(undefined, { clock })).toBe(false);
});
