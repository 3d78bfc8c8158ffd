import * as fc from 'fast-check';
import { someProblem } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { schedule } from './schedule.ts';
import { simpleSchedule } from './testing/simple-schedule.ts';
import { violations } from './testing/violations.ts';

test('no placement violates a constraint', () => {
  fc.assert(
    fc.property(someProblem(), (problem) => {
      expect(violations(problem, schedule(problem))).toEqual([]);
    }),
    { numRuns: 1_000, seed: 7 },
  );
});

test('the answer is that of a solver without any of what makes it fast', () => {
  fc.assert(
    fc.property(someProblem(), (problem) => {
      const { newNodes, unschedulable, deferred } = schedule(problem);
      const nodes = newNodes.map(({ pods, instanceTypes }) => ({
        pods: pods.map(({ metadata }) => metadata.name),
        types: instanceTypes.map(({ name }) => name).toSorted(),
      }));
      const simple = simpleSchedule(problem);
      expect(nodes).toEqual(simple.newNodes);
      expect(unschedulable.map(({ pod }) => pod.metadata.name)).toEqual(simple.unschedulable);
      expect(deferred.map(({ metadata }) => metadata.name)).toEqual(simple.deferred);
    }),
    { numRuns: 1_000, seed: 11 },
  );
});
