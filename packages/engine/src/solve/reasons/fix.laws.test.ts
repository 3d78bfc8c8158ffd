import * as fc from 'fast-check';
import { aNodePool, aPod, someProblem, applyFix } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import type { SchedulingProblem } from '../problem.ts';
import { schedulePods } from '../round/schedule.ts';
import type { Fix } from './fix.ts';
import { fixOf, printedReason } from '../why/printed-reasons.ts';
import type { PlacementObstacle } from './obstacles.ts';
import type { UnschedulableReason } from './reasons.ts';

type Refused = Extract<UnschedulableReason, { readonly kind: 'refused' }>;

const refusals = (reasons: readonly UnschedulableReason[] = []): readonly Refused[] =>
  reasons.filter((reason) => reason.kind === 'refused');

/** Whether another obstacle stands in the way now, or the same one further on. */
function isFurther(before: PlacementObstacle, after: PlacementObstacle, fix: Fix): boolean {
  if (before.kind === 'limits' && after.kind === 'limits') return usedOf(after) > usedOf(before);
  if (before.kind === 'minValues' && after.kind === 'minValues') return after.short[0]?.wanted === foundOf(before);
  return JSON.stringify(constraintOf(fixOf(after))) !== JSON.stringify(constraintOf(fix));
}

const usedOf = ({ exceeded }: Extract<PlacementObstacle, { kind: 'limits' }>): number =>
  exceeded.reduce((sum, { used }) => sum + used, 0);

const foundOf = ({ short }: Extract<PlacementObstacle, { kind: 'minValues' }>): number | undefined => short[0]?.found;

/** What a fix is about, without amounts. */
function constraintOf(fix: Fix | undefined): unknown {
  if (fix === undefined) return undefined;
  const {
    most: _,
    least: _least,
    until: _until,
    atLeast: _atLeast,
    ...constraint
  } = { most: 0, least: 0, until: 0, atLeast: 0, ...fix };
  return constraint;
}

/** Fixes for one pod of each app after which the NodePool still says what it said. */
function untrueFixes(problem: SchedulingProblem): readonly string[] {
  const apps = new Set<string | undefined>();
  return schedulePods(problem).unschedulable.flatMap(({ pod, reasons }) => {
    const app = pod.metadata.labels?.['app'];
    if (apps.has(app)) return [];
    apps.add(app);
    return refusals(reasons)
      .filter((reason) => !isTrue(problem, pod, reason))
      .map((reason) => `${pod.metadata.name}: ${printedReason(reason)}`);
  });
}

function isTrue(
  problem: SchedulingProblem,
  pod: SchedulingProblem['pods'][number],
  { nodePool, obstacle }: Refused,
): boolean {
  const fix = fixOf(obstacle);
  const changed = fix === undefined ? undefined : applyFix(problem, fix, { pod, nodePool });
  if (fix === undefined || changed === undefined) return true;
  const again = schedulePods(changed).unschedulable.find((each) => each.pod.metadata.name === pod.metadata.name);
  const still = refusals(again?.reasons).find((each) => each.nodePool === nodePool);
  return again === undefined || still === undefined || isFurther(obstacle, still.obstacle, fix);
}

/** The problem with demands that only few nodes meet. */
const demanding = (problem: SchedulingProblem): fc.Arbitrary<SchedulingProblem> =>
  fc
    .record({
      cpu: fc.constantFrom(0, 7, 20),
      memory: fc.constantFrom('1Gi', '100Gi'),
      gpu: fc.boolean(),
      hostPort: fc.constantFrom(9100, 9200),
      selector: fc.constantFrom(
        {},
        { 'kubernetes.io/arch': 'arm64' },
        { 'topology.kubernetes.io/zone': 'zone-q' },
        { 'topology.kubernetes.io/zone': 'zone-c', 'karpenter.sh/capacity-type': 'spot' },
      ),
      limits: fc.constantFrom(undefined, { cpu: '9' }, { memory: '10Gi', nodes: '1' }),
      minValues: fc.constantFrom(undefined, 3, 9),
    })
    .map(({ cpu, memory, gpu, hostPort, selector, limits, minValues }) => ({
      ...problem,
      daemonPods: [aPod('agent', { requests: { cpu: '1' }, hostPort: 9100, ownerKind: 'DaemonSet' })],
      nodePools: [
        ...problem.nodePools,
        {
          instanceTypes: problem.nodePools[0]?.instanceTypes ?? [],
          nodePool: aNodePool('narrow', {
            ...(limits === undefined ? {} : { limits }),
            requirements: [
              {
                key: 'node.kubernetes.io/instance-type',
                operator: 'Exists',
                ...(minValues === undefined ? {} : { minValues }),
              },
            ],
          }),
        },
      ],
      pods: [
        ...problem.pods,
        aPod('demanding', {
          labels: { app: 'demanding' },
          nodeSelector: selector,
          hostPort,
          requests: { cpu, memory, ...(gpu ? { 'nvidia.com/gpu': 1 } : {}) },
        }),
      ],
    }));

test('what a reason says would help brings the pod onto a node, or further', () => {
  fc.assert(
    fc.property(someProblem().chain(demanding), (problem) => {
      expect(untrueFixes(problem)).toEqual([]);
    }),
    { numRuns: 80, seed: 5 },
  );
});
