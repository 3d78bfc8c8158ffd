import { fromTimestamp, karpenterLabels, type NodeClaim, type NodePool } from '@nodewright/apis';
import type { NodeState } from '@nodewright/engine';
import { createMetrics, virtualTime, type KubernetesClient } from '@nodewright/runtime';
import { aNode, aNodePool, anInstanceType } from '@nodewright/testkit';
import { aClaim, printSeries } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';
import { ClusterState } from '../../state/cluster-state.ts';
import { createObjects } from '../../state/objects.ts';
import { PriceBook } from '../../state/price-book.ts';
import { poolGauges } from './pool-gauges.ts';

const sunday = fromTimestamp('2024-01-28T16:00:00Z');

/** A launched c4 on demand in zone-a. */
const aMachine = (name: string, more: NodeClaim['status'] = {}): NodeClaim => ({
  ...aClaim(name),
  status: { providerID: `aws:///zone-a/i-${name}`, capacity: { cpu: '4', memory: '8Gi' }, ...more },
});
const spotClaim = aMachine('spot');
const ofSpot: NodeClaim = {
  ...spotClaim,
  metadata: { ...spotClaim.metadata, labels: { ...spotClaim.metadata.labels, [karpenterLabels.capacityType]: 'spot' } },
};

type Cluster = {
  readonly pools?: readonly NodePool[];
  readonly claims?: readonly NodeClaim[];
  readonly nodes?: readonly NodeState[];
  readonly prices?: 'unknown';
};

/** Series without the beginning that all of them share. */
async function readPoolGauges({ pools = [aNodePool()], claims = [], nodes = [], prices: known }: Cluster) {
  const [metrics, objects, prices] = [createMetrics(), createObjects({} as KubernetesClient), new PriceBook()];
  for (const pool of pools) objects.nodePools.cache.seen(pool);
  const state = new ClusterState(objects);
  for (const claim of claims) objects.nodeClaims.cache.seen(claim);
  for (const { node, nodeClaim } of nodes) {
    if (node !== undefined) objects.nodes.cache.seen(node);
    if (nodeClaim !== undefined) objects.nodeClaims.cache.seen(nodeClaim);
  }
  if (known !== 'unknown') prices.learn('default', [anInstanceType('c4')]);
  const gauges = poolGauges({ metrics, objects, state, prices, clock: virtualTime(sunday).clock });
  const read = async (...names: readonly string[]): Promise<readonly string[]> => {
    gauges.refresh();
    const lines = await printSeries(metrics, ...names.map((name) => `karpenter_nodepools_${name}{`));
    return lines.map((line) => line.replace('karpenter_nodepools_', ''));
  };
  return { read };
}

test('a limit and the usage are in the units of Karpenter: cores, bytes', async () => {
  const pools = [aNodePool('default', { limits: { cpu: '1500m', memory: '1Ki', 'nvidia.com/gpu': '2' } })];
  const { read } = await readPoolGauges({ pools, claims: [aMachine('a'), aMachine('b')] });
  expect(await read('limit')).toEqual([
    'limit{resource_type="cpu",nodepool="default"} 1.5',
    'limit{resource_type="memory",nodepool="default"} 1024',
    'limit{resource_type="nvidia.com/gpu",nodepool="default"} 2',
  ]);
  expect(await read('usage')).toEqual([
    'usage{resource_type="cpu",nodepool="default"} 8',
    'usage{resource_type="memory",nodepool="default"} 17179869184',
    'usage{resource_type="nodes",nodepool="default"} 2',
  ]);
});

test('a pool without limits and nodes has no limit, and costs nothing', async () => {
  const { read } = await readPoolGauges({});
  expect(await read('limit', 'usage')).toEqual([]);
  expect(await read('cost_total', 'cost_tracker_errors_total')).toEqual(['cost_total{nodepool="default"} 0']);
});

test('a pool costs what its launched machines cost in an hour', async () => {
  const launching = aClaim('launching');
  const { read } = await readPoolGauges({ claims: [aMachine('a'), ofSpot, launching] });
  expect(await read('cost_total', 'cost_tracker_errors_total')).toEqual(['cost_total{nodepool="default"} 0.216']);
});

test('machines without a known price are counted, and cost nothing', async () => {
  const { read } = await readPoolGauges({ claims: [aMachine('a'), aMachine('b')], prices: 'unknown' });
  expect(await read('cost_total', 'cost_tracker_errors_total')).toEqual([
    'cost_total{nodepool="default"} 0',
    'cost_tracker_errors_total{nodepool="default"} 2',
  ]);
});

test('the machines of another pool cost that pool', async () => {
  const { read } = await readPoolGauges({ pools: [aNodePool('a'), aNodePool()], claims: [aMachine('x')] });
  expect(await read('cost_total')).toEqual(['cost_total{nodepool="a"} 0', 'cost_total{nodepool="default"} 0.16']);
});

const someNodes = (count: number): readonly NodeState[] =>
  Array.from({ length: count }, (_, index) => aNode(`n${index}`));

const allowances = (drifted: number, empty: number, underutilized: number): readonly string[] => [
  `allowed_disruptions{nodepool="default",reason="Drifted"} ${drifted}`,
  `allowed_disruptions{nodepool="default",reason="Empty"} ${empty}`,
  `allowed_disruptions{nodepool="default",reason="Underutilized"} ${underutilized}`,
];

test.each<readonly [string, NonNullable<NodePool['spec']['disruption']>['budgets'], readonly string[]]>([
  ['a tenth without budgets, rounded up', undefined, allowances(2, 2, 2)],
  ['the tightest budget', [{ nodes: '50%' }, { nodes: '3' }], allowances(3, 3, 3)],
  ['a budget for some reasons', [{ nodes: '4' }, { nodes: '0', reasons: ['Drifted'] }], allowances(0, 4, 4)],
  ['an open window', [{ nodes: '5' }, { nodes: '0', schedule: '0 15 * * *', duration: '2h' }], allowances(0, 0, 0)],
  [
    'not a window that is over',
    [{ nodes: '5' }, { nodes: '0', schedule: '0 13 * * *', duration: '2h' }],
    allowances(5, 5, 5),
  ],
])('the allowed disruptions of eleven nodes show %s', async (_, budgets, lines) => {
  const pools = [
    aNodePool('default', {
      disruption: { consolidateAfter: '0s', ...(budgets === undefined ? {} : { budgets }) },
    }),
  ];
  const { read } = await readPoolGauges({ pools, nodes: someNodes(11) });
  expect(await read('allowed_disruptions')).toEqual(lines);
});

const going = (state: NodeState): NodeState => ({
  ...state,
  ...(state.nodeClaim && {
    nodeClaim: {
      ...state.nodeClaim,
      metadata: { ...state.nodeClaim.metadata, deletionTimestamp: '2024-01-28T15:59:00Z' },
    },
  }),
});

test.each<readonly [string, NodeState, number]>([
  ['that is leaving consumes', going(aNode('x')), 1],
  ['that is not ready consumes', aNode('x', { ready: false }), 1],
  ['that is well consumes nothing of', aNode('x'), 0],
  ['that is not initialized consumes nothing of', aNode('x', { stage: 'registered', ready: false }), 0],
  ['of another pool consumes nothing of', aNode('x', { nodePool: 'other', ready: false }), 0],
])('a node %s the budgets of every reason', async (_, node, count) => {
  const { read } = await readPoolGauges({ nodes: [node, ...someNodes(2)] });
  expect(await read('nodes_consuming_budgets')).toEqual(
    ['Drifted', 'Empty', 'Underutilized'].map(
      (reason) => `nodes_consuming_budgets{nodepool="default",reason="${reason}"} ${count}`,
    ),
  );
});
