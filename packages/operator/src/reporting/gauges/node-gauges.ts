import { type Container, fromTimestamp, type Pod, readOwn } from '@nodewright/apis';
import {
  addResources,
  isDaemonPod,
  isTerminal,
  nodeAllocatableOf,
  nodeCapacityOf,
  podRequests,
  subtractResources,
  type NodeState,
  type Resources,
} from '@nodewright/engine';
import type { Clock, Metrics } from '@nodewright/runtime';
import type { ClusterState } from '../../state/cluster-state.ts';
import type { UnsyncedTime } from '../../state/unsynced-time.ts';
import { gaugeSet, listResourceAmounts, type GaugeSet } from './gauge-set.ts';
import { nodeMetricLabels, nodeMetricValues } from './node-labels.ts';

type NodeGaugeSources = {
  readonly metrics: Metrics;
  readonly state: ClusterState;
  readonly unsynced: UnsyncedTime;
  readonly clock: Clock;
};

/** What nodes have, what pods take of it, how old they are; and the same of the cluster as a whole. */
export function nodeGauges({ metrics, state, unsynced, clock }: NodeGaugeSources): GaugeSet {
  const labels = [...nodeMetricLabels, 'resource_type'];
  const ofResource = (name: string, help: string) => metrics.gauge({ name: `karpenter_nodes_${name}`, help, labels });
  const amounts = {
    allocatable: ofResource('allocatable', 'What pods may have of a node'),
    total_pod_requests: ofResource('total_pod_requests', 'What pods other than daemons request on a node'),
    total_pod_limits: ofResource('total_pod_limits', 'What pods other than daemons are limited to on a node'),
    total_daemon_requests: ofResource('total_daemon_requests', 'What daemons request on a node'),
    total_daemon_limits: ofResource('total_daemon_limits', 'What daemons are limited to on a node'),
    system_overhead: ofResource('system_overhead', 'What the system keeps of a node'),
  };
  const gauges = {
    ...amounts,
    age: metrics.gauge({
      name: 'karpenter_nodes_current_lifetime_seconds',
      help: 'How old a node is',
      labels: nodeMetricLabels,
    }),
    utilization: metrics.gauge({
      name: 'karpenter_cluster_utilization_percent',
      help: 'What pods request, in percent of what nodes have for them',
      labels: ['resource_type'],
    }),
    count: metrics.gauge({ name: 'karpenter_cluster_state_node_count', help: 'Nodes that are known' }),
    synced: metrics.gauge({
      name: 'karpenter_cluster_state_synced',
      help: 'Whether every claim has its instance: 1 or 0',
    }),
    unsynced: metrics.gauge({
      name: 'karpenter_cluster_state_unsynced_time_seconds',
      help: 'How long some claim has had no instance',
    }),
  };
  return gaugeSet(gauges, () => {
    const nodes = state.nodes();
    gauges.count.set({}, nodes.length);
    gauges.synced.set({}, state.isSynced() ? 1 : 0);
    gauges.unsynced.set({}, unsynced.ms / 1_000);
    const shares = nodes.filter(({ node }) => node !== undefined).map(sharesOf);
    for (const { state: known, ...share } of shares) {
      const values = nodeMetricValues(known);
      for (const [name, gauge] of Object.entries(amounts)) {
        for (const [type, amount] of listResourceAmounts(readOwn(share, name) ?? {}))
          gauge.set({ ...values, resource_type: type }, amount);
      }
      const createdAt = known.node?.metadata.creationTimestamp;
      if (createdAt !== undefined) gauges.age.set(values, (clock.now() - fromTimestamp(createdAt)) / 1_000);
    }
    for (const [type, percent] of utilization(shares)) gauges.utilization.set({ resource_type: type }, percent);
  });
}

type Shares = ReturnType<typeof sharesOf>;

function sharesOf(state: NodeState) {
  const pods = state.pods.filter((pod) => !isTerminal(pod));
  const [daemons, others] = [pods.filter(isDaemonPod), pods.filter((pod) => !isDaemonPod(pod))];
  const { nodes: _, ...capacity } = nodeCapacityOf(state);
  const allocatable = nodeAllocatableOf(state);
  return {
    state,
    allocatable,
    total_pod_requests: sumOfAmounts(others.map(podRequests)),
    total_pod_limits: sumOfAmounts(others.map(podLimits)),
    total_daemon_requests: sumOfAmounts(daemons.map(podRequests)),
    total_daemon_limits: sumOfAmounts(daemons.map(podLimits)),
    system_overhead: subtractResources(capacity, allocatable),
  };
}

const sumOfAmounts = (all: readonly Resources[]): Resources => all.reduce(addResources, {});

/** Limits add up as requests do. */
function podLimits({ spec }: Pod): Resources {
  const limitsOnly = (container: Container): Container => ({
    ...container,
    resources: { requests: container.resources?.limits ?? {} },
  });
  const limited = {
    containers: spec.containers.map(limitsOnly),
    initContainers: (spec.initContainers ?? []).map(limitsOnly),
  };
  const { pods: _, ...limits } = podRequests({ spec: limited });
  return limits;
}

function utilization(shares: readonly Shares[]): readonly (readonly [string, number])[] {
  const available = sumOfAmounts(shares.map(({ allocatable }) => allocatable));
  const taken = sumOfAmounts(shares.flatMap((share) => [share.total_pod_requests, share.total_daemon_requests]));
  return listResourceAmounts(available).flatMap(([type, amount]) => {
    const used = listResourceAmounts(taken).find(([other]) => other === type)?.[1] ?? 0;
    return amount > 0 ? [[type, (100 * used) / amount] as const] : [];
  });
}
