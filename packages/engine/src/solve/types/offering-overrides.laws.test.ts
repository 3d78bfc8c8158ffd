import * as fc from 'fast-check';
import type { Pod } from '@nodewright/apis';
import { anInstanceType, simpleSchedule, someProblem, violations, withOverrides } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { podRequests } from '../../pods/pod-requests.ts';
import { requirementsIntersect } from '@nodewright/requirements';
import { resourcesThrough } from '../../instance-types/offering-overrides.ts';
import type { NewNode, SchedulingProblem } from '../problem.ts';
import { sumOfResources } from '../../instance-types/resources.ts';
import { solveWithStrategy, schedulePods } from '../round/schedule.ts';
import { firstStrategy } from '../round/strategies/strategy.ts';

const device = 'example.com/device';

const overriding = [
  withOverrides(anInstanceType('o4', { cpu: 4 }), ({ zone }) => zone === 'zone-b', { capacity: { [device]: 2 } }),
  withOverrides(anInstanceType('o8', { cpu: 8 }), ({ capacityType }) => capacityType === 'spot', {
    capacity: { [device]: 3, cpu: 6_000 },
  }),
  withOverrides(
    anInstanceType('o6', { cpu: 6 }),
    ({ zone, capacityType }) => (zone === 'zone-a') === (capacityType === 'spot'),
    { capacity: { [device]: 5 }, overhead: { cpu: 2_000 } },
  ),
];

const asking = (pod: Pod): Pod => ({
  ...pod,
  spec: {
    ...pod.spec,
    containers: pod.spec.containers.map((each) => ({
      ...each,
      resources: { ...each.resources, requests: { ...each.resources?.requests, [device]: '1' } },
    })),
  },
});

/** Of one app all pods ask for a device or none, so that they stay equal. */
const problems = (): fc.Arbitrary<SchedulingProblem> =>
  fc.record({ problem: someProblem(), apps: fc.subarray(['app0', 'app1', 'app2']) }).map(({ problem, apps }) => ({
    ...problem,
    nodePools: problem.nodePools.map((supply) => ({
      ...supply,
      instanceTypes: [...supply.instanceTypes, ...overriding],
    })),
    pods: problem.pods.map((pod) => (apps.includes(pod.metadata.labels?.['app'] ?? '') ? asking(pod) : pod)),
  }));

/** Names of types with a way to be bought within the claim's requirements on which the pods do not fit. */
const tooSmall = ({ instanceTypes, requirements, pods }: NewNode, all: SchedulingProblem): readonly string[] => {
  const total = sumOfResources(pods.map(podRequests));
  const whole = all.nodePools.flatMap((supply) => supply.instanceTypes);
  return instanceTypes.flatMap(({ name }) => {
    const type = whole.find((each) => each.name === name);
    const ways =
      type?.offerings.filter((each) => each.available && requirementsIntersect(requirements, each.requirements)) ?? [];
    const fit = ways.every((way) => {
      const { allocatable } = resourcesThrough(type ?? { capacity: {}, allocatable: {} }, way);
      return Object.entries(total).every(([resource, amount]) => amount <= (allocatable[resource] ?? 0));
    });
    return ways.length > 0 && fit ? [] : [name];
  });
};

test('SCH-29: on every offering that a claim admits its pods fit, and the simple solver places the same', () => {
  let withDevice = 0;
  fc.assert(
    fc.property(problems(), (problem) => {
      const result = schedulePods(problem);
      expect(violations(problem, result)).toEqual([]);
      expect(result.newNodes.flatMap((node) => tooSmall(node, problem))).toEqual([]);
      const first = solveWithStrategy(firstStrategy, problem);
      const simple = simpleSchedule(problem);
      expect(first.newNodes.map(({ pods }) => pods.map(({ metadata }) => metadata.name))).toEqual(
        simple.newNodes.map(({ pods }) => pods),
      );
      expect(first.left.refused.map(({ pod }) => pod.metadata.name)).toEqual(simple.unschedulable);
      withDevice += result.newNodes.filter(({ requests }) => (requests[device] ?? 0) > 0).length;
    }),
    { numRuns: 120, seed: 29 },
  );
  expect(withDevice).toBeGreaterThan(50);
});
