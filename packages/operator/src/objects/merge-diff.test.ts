import { describe, expect, test } from 'vitest';
import { mergeDiff } from './merge-diff.ts';

describe('the merge patch between two objects', () => {
  for (const { fact, before, after, patch } of [
    {
      fact: 'is nothing when they are equal',
      before: { a: [1, { b: 2 }] },
      after: { a: [1, { b: 2 }] },
      patch: undefined,
    },
    {
      fact: 'names only what changed',
      before: { a: 1, b: { c: 1, d: 2 } },
      after: { a: 1, b: { c: 3, d: 2 } },
      patch: { b: { c: 3 } },
    },
    {
      fact: 'writes null for what is gone',
      before: { a: { b: 1, c: 2 } },
      after: { a: { c: 2 } },
      patch: { a: { b: null } },
    },
    { fact: 'replaces a list whole', before: { a: [1, 2] }, after: { a: [2] }, patch: { a: [2] } },
    { fact: 'treats undefined as absent', before: { a: undefined }, after: {}, patch: undefined },
    { fact: 'takes an empty list for none', before: {}, after: { a: [] }, patch: undefined },
    { fact: 'empties a list', before: { a: [1] }, after: { a: [] }, patch: { a: [] } },
    { fact: 'adds what is new', before: {}, after: { a: { b: 1 } }, patch: { a: { b: 1 } } },
  ] as const) {
    test(fact, () => {
      expect(mergeDiff(before, after)).toEqual(patch);
    });
  }
});
