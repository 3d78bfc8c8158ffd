import * as fc from 'fast-check';
import { anInstanceType, aNodePool, aPod, aProblem, somePods, someProblem } from '@nodewright/testkit';
import type { Pod } from '@nodewright/apis';
import { expect, test } from 'vitest';
import type { InstanceType } from '../../../instance-types/instance-type.ts';
import type { SchedulingProblem } from '../../problem.ts';
import { solveWithStrategy, bestAnswer } from '../schedule.ts';
import { cheapestPrice } from '../../types/type-table.ts';
import { countPodsLeft, isBetterAnswer, type RoundAnswer } from './answer.ts';
import { WorkMeter } from '../../work-meter.ts';
import { firstStrategy, otherStrategies, strategiesWorthTrying } from './strategy.ts';

const round = (pods: readonly Pod[], instanceTypes: readonly InstanceType[]): SchedulingProblem =>
  aProblem(pods, instanceTypes);

const priceOf = ({ newNodes }: RoundAnswer): number =>
  newNodes.reduce(
    (sum, { instanceTypes: [first], requirements }) => sum + cheapestPrice(first ?? { offerings: [] }, requirements),
    0,
  );

const anywhere = (price: number) =>
  (['zone-a', 'zone-b', 'zone-c'] as const).map((zone) => [zone, 'on-demand', price] as const);

const cheap = anInstanceType('cheap', { cpu: 4, offerings: anywhere(100_000) });
const dear = anInstanceType('dear', { cpu: 32, offerings: anywhere(2_000_000) });

test('pods that need a dear type share one where each would have made another node dear', () => {
  const apart = somePods(3, 'apart', {
    labels: { app: 'apart' },
    requests: { cpu: 2 },
    affinity: {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'apart' } } },
        ],
      },
    },
  });
  const choosy = somePods(3, 'choosy', {
    requests: { cpu: 1 },
    nodeSelector: { 'node.kubernetes.io/instance-type': 'dear' },
  });
  const problem = round([...apart, ...choosy], [cheap, dear]);
  expect(priceOf(solveWithStrategy(firstStrategy, problem))).toBe(6_000_000);
  expect(priceOf(bestAnswer(problem))).toBe(2_200_000);
});

test('pods that want to be together begin where the node for all of them is cheapest', () => {
  const small = anInstanceType('small', {
    cpu: 2,
    offerings: [
      ['zone-a', 'on-demand', 10_000],
      ['zone-b', 'on-demand', 90_000],
    ],
  });
  const large = anInstanceType('large', {
    cpu: 16,
    offerings: [
      ['zone-a', 'on-demand', 900_000],
      ['zone-b', 'on-demand', 800_000],
    ],
  });
  const together = somePods(4, 'together', {
    labels: { app: 'together' },
    requests: { cpu: 3 },
    affinity: {
      podAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { topologyKey: 'topology.kubernetes.io/zone', labelSelector: { matchLabels: { app: 'together' } } },
        ],
      },
    },
  });
  const problem = round(together, [small, large]);
  expect(priceOf(solveWithStrategy(firstStrategy, problem))).toBe(900_000);
  expect(priceOf(bestAnswer(problem))).toBe(800_000);
});

test('a price is no reason to leave out a pod that matters more', () => {
  const only = aNodePool('default', { limits: { cpu: '4' } });
  const important = aPod('important', { requests: { cpu: '3500m' }, priority: 1_000 });
  const problem = {
    ...round([important, ...somePods(3, 'small', { requests: { cpu: 1 } })], [cheap]),
    nodePools: [{ nodePool: only, instanceTypes: [cheap] }],
  };
  const { newNodes } = bestAnswer(problem);
  expect(newNodes.map(({ pods }) => pods.map(({ metadata }) => metadata.name))).toEqual([['important']]);
});

test('equal pods and a round without new nodes are decided in one way, a large round also with the one that asks few nodes', () => {
  const tried = (problem: SchedulingProblem) =>
    strategiesWorthTrying(otherStrategies, solveWithStrategy(firstStrategy, problem)).length;
  const unequal = (count: number) =>
    Array.from({ length: count }, (_, index) => aPod(`p${index}`, { requests: { cpu: `${2_000 + index}m` } }));
  expect(tried(round(somePods(8, 'p', { requests: { cpu: 3 } }), [cheap]))).toBe(0);
  expect(tried(round([], [cheap]))).toBe(0);
  expect(tried(round(unequal(400), [cheap]))).toBe(1);
  expect(tried(round(unequal(10), [cheap]))).toBeGreaterThan(5);
});

/** What ranks before any price: preferences given up by class, and how many pods are not on the heaviest pools. */
const forgone = ({ placement, newNodes, classes }: RoundAnswer) => {
  const weights = newNodes.flatMap(({ nodePool, pods: own }) => own.map(() => nodePool.spec.weight ?? 0));
  return {
    preferences: classes.map(({ podClass }) => placement.givenUp.get(podClass) ?? 0),
    lighter: [100, 50, 10, 1].map((weight) => weights.filter((each) => each < weight).length),
    new: weights.length,
  };
};

const expectAtMost = (amounts: readonly number[], others: readonly number[]) =>
  expect(amounts.every((amount, index) => amount <= (others[index] ?? 0))).toBe(true);

test('no answer is worse than that of the first way: in pods left behind, then in preferences and pools, nodes and price', () => {
  let better = 0;
  fc.assert(
    fc.property(someProblem(), (problem) => {
      const [first, best] = [solveWithStrategy(firstStrategy, problem), bestAnswer(problem)];
      expect(countPodsLeft(best)).toBeLessThanOrEqual(countPodsLeft(first));
      if (countPodsLeft(best) < countPodsLeft(first)) return;
      expect(best.newNodes.length).toBeLessThanOrEqual(first.newNodes.length);
      expect(priceOf(best)).toBeLessThanOrEqual(priceOf(first));
      const [more, less] = [forgone(first), forgone(best)];
      expectAtMost(less.preferences, more.preferences);
      expectAtMost([...less.lighter, less.new], [...more.lighter, more.new]);
      better += Number(priceOf(best) < priceOf(first));
    }),
    { numRuns: 60, seed: 13 },
  );
  expect(better).toBeGreaterThan(5);
});

test('a strategy that cannot be better any more is given up, and the answer is that of trying them all to the end', () => {
  let saved = 0;
  fc.assert(
    fc.property(someProblem(), (problem) => {
      const [whole, meter] = [new WorkMeter(), new WorkMeter()];
      let best = solveWithStrategy(firstStrategy, problem, whole);
      for (const way of strategiesWorthTrying(otherStrategies, best)) {
        const answer = solveWithStrategy(way, problem, whole);
        if (isBetterAnswer(answer, best)) best = answer;
      }
      const answer = bestAnswer(problem, meter);
      expect(answer.newNodes).toEqual(best.newNodes);
      expect(countPodsLeft(answer)).toBe(countPodsLeft(best));
      saved += Number(meter.spent < whole.spent);
    }),
    { numRuns: 60, seed: 16 },
  );
  expect(saved).toBeGreaterThan(5);
});
