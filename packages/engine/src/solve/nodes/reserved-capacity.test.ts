import { aNodePool, anInstanceType, aPod, reservedOffering, somePods } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import { claimFor } from './node-claim.ts';
import type { NewNode, SchedulingProblem } from '../problem.ts';
import { schedulePods } from '../round/schedule.ts';

const capacityType = 'karpenter.sh/capacity-type';
const reservationId = 'karpenter.k8s.aws/capacity-reservation-id';
const zone = 'topology.kubernetes.io/zone';

/** One pod per node, so that nodes are easy to count. */
const single = (...reserved: readonly ReturnType<typeof reservedOffering>[]) =>
  anInstanceType('single', {
    pods: 1,
    offerings: [['zone-a', 'on-demand', 160_000], ['zone-a', 'spot', 60_000], ...reserved],
  });

const round = (more: Partial<SchedulingProblem>): SchedulingProblem => ({
  nodePools: [{ nodePool: aNodePool(), instanceTypes: [single()] }],
  nodes: [],
  pods: [aPod('p')],
  daemonPods: [],
  namespaces: [],
  options: { preferencePolicy: 'Respect', minValuesPolicy: 'Strict' },
  ...more,
});

const valuesOf = ({ requirements }: NewNode, key: string) => [...(requirements.get(key)?.values ?? [])].toSorted();
const capacityTypesOf = (nodes: readonly NewNode[]) =>
  nodes.map((node) => claimFor(node).spec.requirements.find(({ key }) => key === capacityType)?.values);

test('a node that can be bought with a reservation is bought with it and in no other way', () => {
  const nodePools = [{ nodePool: aNodePool(), instanceTypes: [single(reservedOffering('cr-1', 1))] }];
  const { newNodes } = schedulePods(round({ nodePools }));
  expect(newNodes.map((node) => [valuesOf(node, capacityType), valuesOf(node, reservationId)])).toEqual([
    [['reserved'], ['cr-1']],
  ]);
  expect(capacityTypesOf(newNodes)).toEqual([['reserved']]);
});

describe('three pods, a type each way to reserve once', () => {
  const types = [
    anInstanceType('one', { pods: 1, offerings: [['zone-a', 'on-demand', 1_000], reservedOffering('cr-1', 1)] }),
    anInstanceType('two', { pods: 1, offerings: [['zone-a', 'on-demand', 1_000], reservedOffering('cr-2', 1)] }),
  ];
  const pods = somePods(3, 'p');

  test('one node holds both places, and the other pods wait for the next round', () => {
    const { newNodes, deferred, unschedulable } = schedulePods(
      round({ nodePools: [{ nodePool: aNodePool(), instanceTypes: types }], pods }),
    );
    expect(newNodes.map((node) => valuesOf(node, reservationId))).toEqual([['cr-1', 'cr-2']]);
    expect([deferred.length, unschedulable.length]).toEqual([2, 0]);
  });

  test('once the reservations are used up, on-demand is bought', () => {
    const used = types.map((type, index) => ({
      ...type,
      offerings: anInstanceType(type.name, {
        offerings: [['zone-a', 'on-demand', 1_000], reservedOffering(`cr-${index + 1}`, 0)],
      }).offerings,
    }));
    const { newNodes, deferred } = schedulePods(
      round({ nodePools: [{ nodePool: aNodePool(), instanceTypes: used }], pods }),
    );
    expect([newNodes.length, deferred.length]).toEqual([3, 0]);
    expect(capacityTypesOf(newNodes)).toEqual([['on-demand'], ['on-demand'], ['on-demand']]);
  });
});

test('a simulation falls back to what can be bought otherwise', () => {
  const nodePools = [{ nodePool: aNodePool(), instanceTypes: [single(reservedOffering('cr-1', 1))] }];
  const options = { preferencePolicy: 'Respect', minValuesPolicy: 'Strict', reservedCapacity: 'Fallback' } as const;
  const { newNodes, deferred } = schedulePods(round({ nodePools, options, pods: somePods(2, 'p') }));
  expect(capacityTypesOf(newNodes)).toEqual([['reserved'], ['on-demand', 'spot']]);
  expect(deferred).toEqual([]);
});

test('pools that offer the same reservation share it', () => {
  const nodePools = ['a', 'b'].map((name) => ({
    nodePool: aNodePool(name, { labels: { pool: name } }),
    instanceTypes: [single(reservedOffering('cr-1', 1))],
  }));
  const pods = ['a', 'b'].map((pool) => aPod(`for-${pool}`, { nodeSelector: { pool } }));
  const { newNodes, deferred } = schedulePods(round({ nodePools, pods }));
  expect([newNodes.length, deferred.length]).toEqual([1, 1]);
});

test('pools with reservations of their own use both', () => {
  const nodePools = ['a', 'b'].map((name) => ({
    nodePool: aNodePool(name, { labels: { pool: name } }),
    instanceTypes: [single(reservedOffering(`cr-${name}`, 1))],
  }));
  const pods = ['a', 'b'].map((pool) => aPod(`for-${pool}`, { nodeSelector: { pool } }));
  const { newNodes } = schedulePods(round({ nodePools, pods }));
  expect(newNodes.map((node) => valuesOf(node, reservationId))).toEqual([['cr-a'], ['cr-b']]);
});

test('a lighter pool is not taken instead of a reservation that others hold', () => {
  const nodePools = [
    { nodePool: aNodePool('heavy', { weight: 10 }), instanceTypes: [single(reservedOffering('cr-1', 1))] },
    { nodePool: aNodePool('light'), instanceTypes: [single()] },
  ];
  const { newNodes, deferred } = schedulePods(round({ nodePools, pods: somePods(2, 'p') }));
  expect(newNodes.map(({ nodePool }) => nodePool.metadata.name)).toEqual(['heavy']);
  expect(deferred.length).toBe(1);
});

test('no preference is given up instead of a reservation that others hold', () => {
  const types = [
    anInstanceType('single', {
      pods: 1,
      offerings: [
        ['zone-a', 'on-demand', 1_000],
        ['zone-b', 'on-demand', 1_000],
        reservedOffering('cr-1', 1, 'zone-a'),
      ],
    }),
  ];
  const preferring = {
    affinity: {
      nodeAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          {
            weight: 1,
            preference: { matchExpressions: [{ key: zone, operator: 'In' as const, values: ['zone-a'] }] },
          },
        ],
      },
    },
  };
  const { newNodes, deferred } = schedulePods(
    round({ nodePools: [{ nodePool: aNodePool(), instanceTypes: types }], pods: somePods(2, 'p', preferring) }),
  );
  expect([newNodes.length, deferred.length]).toEqual([1, 1]);
});

test('pods fill reserved nodes before others wait', () => {
  const types = [
    anInstanceType('c4', { cpu: 4, offerings: [['zone-a', 'on-demand', 160_000], reservedOffering('cr-1', 2)] }),
  ];
  const pods = somePods(5, 'p', { requests: { cpu: 1 } });
  const { newNodes, deferred } = schedulePods(
    round({ nodePools: [{ nodePool: aNodePool(), instanceTypes: types }], pods }),
  );
  expect(newNodes.map((node) => [valuesOf(node, reservationId), node.pods.length])).toEqual([
    [['cr-1'], 3],
    [['cr-1'], 2],
  ]);
  expect(deferred).toEqual([]);
});

test('a pod that would take the last reserved option of a node away goes elsewhere', () => {
  const types = [
    anInstanceType('small', { cpu: 2, offerings: [['zone-a', 'on-demand', 80_000], reservedOffering('cr-1', 1)] }),
    anInstanceType('large', { cpu: 8, offerings: [['zone-a', 'on-demand', 320_000]] }),
  ];
  const pods = [aPod('first', { requests: { cpu: '1500m' } }), aPod('second', { requests: { cpu: '1400m' } })];
  const { newNodes, deferred } = schedulePods(
    round({ nodePools: [{ nodePool: aNodePool(), instanceTypes: types }], pods }),
  );
  expect(newNodes.map((node) => [valuesOf(node, reservationId), node.pods.length])).toEqual([[['cr-1'], 1]]);
  expect(deferred.map(({ metadata }) => metadata.name)).toEqual(['second']);
});

test('a place that a node gives up on the way is free for the next', () => {
  const types = [
    anInstanceType('flexible', {
      pods: 2,
      offerings: [
        ['zone-a', 'on-demand', 80_000],
        reservedOffering('cr-a', 1, 'zone-a'),
        reservedOffering('cr-b', 1, 'zone-b'),
      ],
    }),
  ];
  const inZone = (name: string, of: string, cpu: number) =>
    aPod(name, { nodeSelector: { [zone]: of }, requests: { cpu } });
  // The first node holds both places until the second pod settles its zone.
  const pods = [
    aPod('anywhere', { requests: { cpu: 2 } }),
    inZone('settling', 'zone-a', 1.9),
    inZone('elsewhere', 'zone-b', 1.8),
  ];
  const { newNodes } = schedulePods(round({ nodePools: [{ nodePool: aNodePool(), instanceTypes: types }], pods }));
  expect(newNodes.map((node) => valuesOf(node, reservationId))).toEqual([['cr-a'], ['cr-b']]);
});
