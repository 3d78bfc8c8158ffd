import { instant, minutes, type NodePool } from '@nodewright/apis';
import { aPool } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';
import {
  nextReplacementFailure,
  type ReplacementFailure,
  replacementFailureOn,
  withReplacementFailure,
} from './replacement-failures.ts';

const start = instant(Date.parse('2026-01-01T00:00:00Z'));
const at = (minute: number) => instant(start + minutes(minute));

const failAt = (known: ReplacementFailure | undefined, minute: number, rollout = 'production-1') =>
  nextReplacementFailure(known, { rollout, createdAt: at(minute), because: 'no capacity', now: at(minute) });

test('the pause doubles from a minute up to an hour', () => {
  const pauses: number[] = [];
  let known: ReplacementFailure | undefined;
  for (const minute of [0, 1, 3, 7, 15, 31, 63, 123, 183]) {
    known = failAt(known, minute);
    pauses.push((known.until - known.failedAt) / minutes(1));
  }
  expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
});

test('replacements that were under way together count once', () => {
  const known = failAt(undefined, 5);
  expect(
    nextReplacementFailure(known, {
      rollout: 'production-1',
      createdAt: at(4),
      because: 'quota',
      now: at(6),
    }),
  ).toBe(known);
});

test('replacements of another rollout begin anew', () => {
  expect(failAt(failAt(failAt(undefined, 0), 2), 5, 'production-2').attempts).toBe(1);
});

test('what is stored on a NodePool is read again, and what is not of its form counts as nothing', () => {
  const pool: NodePool = aPool();
  const failure = failAt(undefined, 0);
  const stored = withReplacementFailure(pool, failure);
  expect(replacementFailureOn(stored)).toEqual(failure);
  expect(withReplacementFailure(stored, failure)).toBe(stored);
  expect(replacementFailureOn(withReplacementFailure(stored, undefined))).toBeUndefined();
  const annotations = { 'nodewright.dev/replacement-failures': '{"rollout":1}' };
  expect(replacementFailureOn({ ...pool, metadata: { ...pool.metadata, annotations } })).toBeUndefined();
});
