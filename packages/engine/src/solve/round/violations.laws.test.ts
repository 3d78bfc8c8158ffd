import * as fc from 'fast-check';
import { simpleSchedule, someProblem, violations } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import type { ClassifiedPod } from '../pods/pod-class.ts';
import { solveWithStrategy, schedulePods } from './schedule.ts';
import { firstStrategy, otherStrategies } from './strategies/strategy.ts';

test('no placement violates a constraint', () => {
  fc.assert(
    fc.property(someProblem(), (problem) => {
      expect(violations(problem, schedulePods(problem))).toEqual([]);
    }),
    { numRuns: 1_000, seed: 7 },
  );
});

for (const [index, way] of [firstStrategy, ...otherStrategies].entries()) {
  test(`the answer of strategy ${index} is that of a solver without any of what makes it fast`, () => {
    fc.assert(
      fc.property(someProblem(), (problem) => {
        const { newNodes, left } = solveWithStrategy(way, problem);
        const nodes = newNodes.map(({ pods, instanceTypes }) => ({
          pods: pods.map(({ metadata }) => metadata.name),
          types: instanceTypes.map(({ name }) => name).toSorted(),
        }));
        const simple = simpleSchedule(problem, way);
        expect(nodes).toEqual(simple.newNodes);
        expect(namesOf(left.refused)).toEqual(simple.unschedulable);
        expect(namesOf(left.deferred)).toEqual(simple.deferred);
      }),
      { numRuns: way === firstStrategy ? 1_000 : 40, seed: 11 + index },
    );
  });
}

const namesOf = (pods: readonly ClassifiedPod[]): readonly string[] => pods.map(({ pod }) => pod.metadata.name);
