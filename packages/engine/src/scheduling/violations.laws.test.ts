import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { schedule } from './schedule.ts';
import { someProblem } from '@nodewright/testkit';
import { violations } from './testing/violations.ts';

test('no placement violates a constraint', () => {
  fc.assert(
    fc.property(someProblem(), (problem) => {
      expect(violations(problem, schedule(problem))).toEqual([]);
    }),
    { numRuns: 1_000, seed: 7 },
  );
});
