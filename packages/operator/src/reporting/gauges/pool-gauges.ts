import { karpenterLabels, type DisruptionReason, type NodeClaim } from '@nodewright/apis';
import { allowanceOfBudget, poolCounts, resourcesOf } from '@nodewright/engine';
import type { Clock, Metrics } from '@nodewright/runtime';
import type { ClusterState } from '../../state/cluster-state.ts';
import type { Objects } from '../../state/objects.ts';
import type { PriceBook } from '../../state/price-book.ts';
import { gaugeSet, listResourceAmounts, type GaugeSet } from './gauge-set.ts';

type PoolGaugeSources = {
  readonly metrics: Metrics;
  readonly objects: Objects;
  readonly state: ClusterState;
  readonly clock: Clock;
  readonly prices: PriceBook;
};

const budgetReasons: readonly DisruptionReason[] = ['Drifted', 'Empty', 'Underutilized'];

/** What NodePools may use and do use, and how many of their nodes may be disrupted now. */
export function poolGauges({ metrics, objects, state, clock, prices }: PoolGaugeSources): GaugeSet {
  const perResource = (name: string, help: string) =>
    metrics.gauge({ name: `karpenter_nodepools_${name}`, help, labels: ['resource_type', 'nodepool'] });
  const perReason = (name: string, help: string) =>
    metrics.gauge({ name: `karpenter_nodepools_${name}`, help, labels: ['nodepool', 'reason'] });
  const gauges = {
    limit: perResource('limit', 'What a NodePool may use at most'),
    usage: perResource('usage', 'What the nodes of a NodePool have'),
    allowed: perReason(
      'allowed_disruptions',
      'How many nodes of a NodePool may be away or leaving at a time, as its budgets say now',
    ),
    consuming: perReason(
      'nodes_consuming_budgets',
      'Nodes of a NodePool that are away or leaving, and count against its budgets',
    ),
  };
  const cost = {
    total: metrics.gauge({
      name: 'karpenter_nodepools_cost_total',
      help: 'What the machines of a NodePool cost together, in US dollars per hour',
      labels: ['nodepool'],
    }),
  };
  const unknown = metrics.counter({
    name: 'karpenter_nodepools_cost_tracker_errors_total',
    help: 'Machines of a NodePool whose price was not known when the metric was read',
    labels: ['nodepool'],
  });
  return gaugeSet({ ...gauges, ...cost }, () => {
    const nodes = state.nodes();
    const claims = objects.nodeClaims.list().filter(isLaunched);
    for (const pool of objects.nodePools.list()) {
      const nodepool = pool.metadata.name;
      const known = claims.filter((claim) => poolNameOfClaim(claim) === nodepool).map((claim) => prices.priceOf(claim));
      const total = known.reduce<number>((sum, price = 0) => sum + price, 0);
      cost.total.set({ nodepool }, total / 1_000_000);
      const withoutPrice = known.filter((price) => price === undefined).length;
      if (withoutPrice > 0) unknown.add({ nodepool }, withoutPrice);
      for (const [type, amount] of listResourceAmounts(resourcesOf(pool.spec.limits)))
        gauges.limit.set({ resource_type: type, nodepool }, amount);
      for (const [type, amount] of listResourceAmounts(state.usageOf(nodepool)))
        gauges.usage.set({ resource_type: type, nodepool }, amount);
      const counts = poolCounts(nodepool, nodes);
      for (const reason of budgetReasons) {
        const at = { reason, now: clock.now() };
        gauges.allowed.set({ nodepool, reason }, allowanceOfBudget(pool.spec.disruption?.budgets, counts.total, at));
        gauges.consuming.set({ nodepool, reason }, counts.disrupting);
      }
    }
  });
}

const isLaunched = ({ status }: NodeClaim): boolean => (status?.providerID ?? '') !== '';
const poolNameOfClaim = ({ metadata }: NodeClaim): string => metadata.labels?.[karpenterLabels.nodePool] ?? '';
