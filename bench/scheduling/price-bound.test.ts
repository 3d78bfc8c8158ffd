import { schedulePods, type InstanceType, type SchedulingProblem } from '@nodewright/engine';
import type { Pod } from '@nodewright/apis';
import { aNodePool, anInstanceType, aPod } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import { lowestPrice } from './price-bound.ts';

/** An instance type with one offering. All its processors are allocatable. */
const aType = (name: string, { cpu, memoryGib = 1_000, dollars, zone = 'zone-a' }: TypeTraits): InstanceType => {
  const type = anInstanceType(name, { cpu, memoryGib, offerings: [[zone, 'on-demand', dollars * 1_000_000]] });
  return { ...type, allocatable: { ...type.allocatable, cpu: cpu * 1_000 } };
};

type TypeTraits = {
  readonly cpu: number;
  readonly memoryGib?: number;
  readonly dollars: number;
  readonly zone?: string;
};

const problemOf = (instanceTypes: readonly InstanceType[], pods: readonly Pod[]): SchedulingProblem => ({
  nodePools: [{ nodePool: aNodePool(), instanceTypes }],
  nodes: [],
  pods,
  daemonPods: [],
  namespaces: [],
  options: { minValuesPolicy: 'Strict', preferencePolicy: 'Respect', reservedCapacity: 'Fallback' },
});

const podsOf = (count: number, traits: Parameters<typeof aPod>[1]): readonly Pod[] =>
  Array.from({ length: count }, (_, index) => aPod(`pod-${JSON.stringify(traits).length}-${index}`, traits));

const boundOf = (types: readonly InstanceType[], pods: readonly Pod[]): Promise<number> =>
  lowestPrice(problemOf(types, pods), pods);

const four = aType('four', { cpu: 4, dollars: 1 });
const highCpu = aType('high-cpu', { cpu: 8, memoryGib: 8, dollars: 1 });
const highMemory = aType('high-memory', { cpu: 1, memoryGib: 64, dollars: 1 });

const oneCpu = { requests: { cpu: '1' } };
const apart = {
  labels: { app: 'web' },
  requests: { cpu: '100m' },
  affinity: {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'web' } } },
      ],
    },
  },
};

describe('the bound of the price', () => {
  for (const { fact, types, pods, dollars } of [
    { fact: 'is nothing without pods', types: [four], pods: [], dollars: 0 },
    { fact: 'is the share of a node that one pod takes', types: [four], pods: podsOf(1, oneCpu), dollars: 0.25 },
    { fact: 'is that of whole nodes where pods fill them', types: [four], pods: podsOf(8, oneCpu), dollars: 2 },
    { fact: 'counts the pods of a node', types: [four], pods: podsOf(55, {}), dollars: 0.5 },
    {
      fact: 'takes the type with the cheaper processors',
      types: [four, aType('eight', { cpu: 8, dollars: 1.6 })],
      pods: podsOf(8, oneCpu),
      dollars: 1.6,
    },
    {
      fact: 'takes the resource that is scarce',
      types: [aType('even', { cpu: 4, memoryGib: 8, dollars: 1 })],
      pods: podsOf(8, { requests: { cpu: '1', memory: '4Gi' } }),
      dollars: 4,
    },
    {
      fact: 'is a whole node for each pod that keeps away from its like',
      types: [four],
      pods: podsOf(3, apart),
      dollars: 3,
    },
    {
      fact: 'takes the offering that a node selector leaves',
      types: [four, aType('elsewhere', { cpu: 4, dollars: 3, zone: 'zone-b' })],
      pods: podsOf(4, { ...oneCpu, nodeSelector: { 'topology.kubernetes.io/zone': 'zone-b' } }),
      dollars: 3,
    },
    {
      // x nodes of the first type and y of the second: 8x + y >= 8 processors and 8x + 64y >= 64 Gi, so x = y = 8/9.
      fact: 'mixes types and shares their nodes among different pods',
      types: [highCpu, highMemory],
      pods: [...podsOf(8, { requests: { cpu: '1' } }), ...podsOf(8, { requests: { memory: '8Gi' } })],
      dollars: 16 / 9,
    },
    {
      fact: 'leaves out pods that fit on no type',
      types: [four],
      pods: [...podsOf(4, oneCpu), ...podsOf(1, { requests: { cpu: '5' } })],
      dollars: 1,
    },
  ])
    test(fact, async () => {
      expect(await boundOf(types, pods)).toBeCloseTo(dollars, 6);
    });

  test('is at most what an answer costs', async () => {
    for (let seed = 1; seed <= 30; seed += 1) {
      const pods = [1, 2, 3].flatMap((size) =>
        podsOf((seed * size) % 11, { requests: { cpu: `${(seed * size * 370) % 3_900}m`, memory: `${size}Gi` } }),
      );
      const problem = problemOf([four, highCpu, highMemory], pods);
      const { newNodes, unschedulable } = schedulePods(problem);
      const cost = newNodes.reduce((sum, { instanceTypes: [type] }) => sum + cheapestPrice(type), 0);
      expect(unschedulable).toEqual([]);
      expect(await lowestPrice(problem, pods)).toBeLessThanOrEqual(cost + 1e-9);
    }
  });
});

const cheapestPrice = (type: InstanceType | undefined): number =>
  Math.min(...(type?.offerings ?? []).map(({ priceMicroUsdPerHour }) => priceMicroUsdPerHour)) / 1e6;
