import type { DisruptionReason } from '@nodewright/apis';
import { disruptionsAllowed, poolCounts, resourcesOf } from '@nodewright/engine';
import type { Clock, Metrics } from '@nodewright/runtime';
import type { ClusterState } from '../../state/cluster-state.ts';
import type { Objects } from '../../state/objects.ts';
import { usageOf } from '../../state/pool-usage.ts';
import { gaugeSet, measured, type GaugeSet } from './gauge-set.ts';

type Sources = {
  readonly metrics: Metrics;
  readonly objects: Objects;
  readonly state: ClusterState;
  readonly clock: Clock;
};

const reasons: readonly DisruptionReason[] = ['Drifted', 'Empty', 'Underutilized'];

/** What NodePools may use and do use, and how many of their nodes may be disrupted now. */
export function poolGauges({ metrics, objects, state, clock }: Sources): GaugeSet {
  const perResource = (name: string, help: string) =>
    metrics.gauge({ name: `karpenter_nodepools_${name}`, help, labels: ['resource_type', 'nodepool'] });
  const perReason = (name: string, help: string) =>
    metrics.gauge({ name: `karpenter_nodepools_${name}`, help, labels: ['nodepool', 'reason'] });
  const gauges = {
    limit: perResource('limit', 'What a NodePool may use at most'),
    usage: perResource('usage', 'What the nodes of a NodePool have'),
    allowed: perReason('allowed_disruptions', 'How many nodes of a NodePool may be disrupted now'),
    consuming: perReason(
      'nodes_consuming_budgets',
      'Nodes of a NodePool that are away or leaving, and count against its budgets',
    ),
  };
  return gaugeSet(gauges, () => {
    const nodes = state.nodes();
    for (const pool of objects.nodePools.list()) {
      const nodepool = pool.metadata.name;
      for (const [type, amount] of measured(resourcesOf(pool.spec.limits)))
        gauges.limit.set({ resource_type: type, nodepool }, amount);
      for (const [type, amount] of measured(usageOf(pool, nodes)))
        gauges.usage.set({ resource_type: type, nodepool }, amount);
      const counts = poolCounts(nodepool, nodes);
      for (const reason of reasons) {
        const at = { reason, now: clock.now() };
        gauges.allowed.set({ nodepool, reason }, disruptionsAllowed(pool.spec.disruption?.budgets, counts, at));
        gauges.consuming.set({ nodepool, reason }, counts.disrupting);
      }
    }
  });
}
