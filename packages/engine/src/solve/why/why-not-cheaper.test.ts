import { aNodePool, anInstanceType, aPod } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { schedulePods } from '../round/schedule.ts';
import { whyNotCheaper } from './why-not-cheaper.ts';

test('of every cheaper type the constraint that keeps it away is told, with who asks for it', () => {
  const onDemandOnly = [{ key: 'karpenter.sh/capacity-type', operator: 'In' as const, values: ['on-demand'] }];
  const instanceTypes = [
    anInstanceType('c1', { cpu: 1 }),
    anInstanceType('c2', { cpu: 2 }),
    anInstanceType('c8', { cpu: 8 }),
    anInstanceType('c16', { cpu: 16 }),
    anInstanceType('g8', { cpu: 8, arch: 'arm64', offerings: [['zone-a', 'on-demand', 100_000]] }),
  ];
  const pod = aPod('p', { requests: { cpu: 4 }, nodeSelector: { 'kubernetes.io/arch': 'amd64' } });
  const { newNodes } = schedulePods({
    nodePools: [{ nodePool: aNodePool('default', { requirements: onDemandOnly }), instanceTypes }],
    nodes: [],
    pods: [pod],
    daemonPods: [],
    namespaces: [],
    options: { preferencePolicy: 'Respect', minValuesPolicy: 'Strict' },
  });
  expect(newNodes.map((node) => whyNotCheaper(node, instanceTypes))).toEqual([
    [
      { constraint: 'cpu 4', of: 'pods', types: 2, cheapest: 'c1', priceMicroUsdPerHour: 14_000 },
      {
        constraint: 'kubernetes.io/arch In [amd64]',
        of: 'pods',
        types: 1,
        cheapest: 'g8',
        priceMicroUsdPerHour: 100_000,
      },
      {
        constraint: 'karpenter.sh/capacity-type In [on-demand]',
        of: 'NodePool',
        types: 2,
        cheapest: 'c8',
        priceMicroUsdPerHour: 112_000,
      },
    ],
  ]);
});
