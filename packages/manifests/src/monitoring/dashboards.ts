/** One panel: what it shows, as PromQL with the legend of its series. */
type Panel = {
  readonly title: string;
  readonly unit: 'short' | 's' | 'currencyUSD' | 'percent';
  readonly queries: readonly (readonly [expression: string, legend: string])[];
};

type DashboardSource = { readonly uid: string; readonly title: string; readonly panels: readonly Panel[] };

const panelOf = (title: string, unit: Panel['unit'], ...queries: Panel['queries']): Panel => ({ title, unit, queries });

const quantile99 = (metric: string, by = ''): string =>
  `histogram_quantile(0.99, sum by (le${by === '' ? '' : `, ${by}`}) (rate(${metric}_bucket[5m])))`;

const fleet: DashboardSource = {
  uid: 'nodewright-fleet',
  title: 'Nodewright: fleet',
  panels: [
    panelOf('Nodes', 'short', ['sum by (nodepool) (karpenter_nodepools_usage{resource_type="nodes"})', '{{nodepool}}']),
    panelOf('Cost per hour', 'currencyUSD', ['karpenter_nodepools_cost_total', '{{nodepool}}']),
    panelOf('Processors: used of limit', 'percent', [
      '100 * karpenter_nodepools_usage{resource_type="cpu"} / karpenter_nodepools_limit{resource_type="cpu"}',
      '{{nodepool}}',
    ]),
    panelOf('Utilization', 'percent', ['karpenter_cluster_utilization_percent', '{{resource_type}}']),
    panelOf('NodeClaims created', 'short', [
      'sum by (nodepool, reason) (increase(karpenter_nodeclaims_created_total[10m]))',
      '{{nodepool}} {{reason}}',
    ]),
    panelOf('NodeClaims disrupted', 'short', [
      'sum by (nodepool, reason) (increase(karpenter_nodeclaims_disrupted_total[10m]))',
      '{{nodepool}} {{reason}}',
    ]),
    panelOf('Interruptions', 'short', [
      'sum by (message_type) (increase(karpenter_interruption_received_messages_total[10m]))',
      '{{message_type}}',
    ]),
    panelOf('Budgets', 'short', ['karpenter_nodepools_allowed_disruptions', '{{nodepool}} {{reason}}']),
  ],
};

const rollouts: DashboardSource = {
  uid: 'nodewright-rollouts',
  title: 'Nodewright: rollouts',
  panels: [
    panelOf('State', 'short', ['nodewright_rollout_state == 1', '{{policy}} {{rollout}} {{state}}']),
    panelOf('Nodes', 'short', ['nodewright_rollout_nodes', '{{rollout}} {{state}}']),
    panelOf('Failures', 'short', ['nodewright_rollout_failures', '{{rollout}} {{signal}}']),
    panelOf('Soak left', 's', ['nodewright_rollout_soak_remaining_seconds', '{{rollout}}']),
    panelOf('Days of exposure', 'short', ['nodewright_rollout_exposure_days', '{{policy}}']),
    panelOf('Age of the oldest image, in days', 'short', ['nodewright_rollout_oldest_image_days', '{{policy}}']),
  ],
};

const scheduling: DashboardSource = {
  uid: 'nodewright-scheduling',
  title: 'Nodewright: scheduling',
  panels: [
    panelOf('Pods without a place', 'short', ['karpenter_scheduler_unschedulable_pods_count', '{{controller}}']),
    panelOf('Pods that wait, by zone', 'short', [
      'karpenter_scheduler_pending_pods_by_effective_zone_count',
      '{{zone}}',
    ]),
    panelOf('Length of a round (p99)', 's', [
      quantile99('karpenter_scheduler_scheduling_duration_seconds', 'controller'),
      '{{controller}}',
    ]),
    panelOf('From a pod to its node (p99)', 's', [quantile99('karpenter_pods_bound_duration_seconds'), 'bound']),
    panelOf('Disruptions decided', 'short', [
      'sum by (decision, reason) (increase(karpenter_voluntary_disruption_decisions_total[10m]))',
      '{{decision}} {{reason}}',
    ]),
    panelOf('Evictions, by answer', 'short', [
      'sum by (code) (increase(karpenter_pods_eviction_requests_total[10m]))',
      '{{code}}',
    ]),
  ],
};

const awsCallPanels: DashboardSource = {
  uid: 'nodewright-aws',
  title: 'Nodewright: AWS calls',
  panels: [
    panelOf('Calls', 'short', [
      'sum by (method) (rate(karpenter_cloudprovider_duration_seconds_count[5m]))',
      '{{method}}',
    ]),
    panelOf('Length of a call (p99)', 's', [
      quantile99('karpenter_cloudprovider_duration_seconds', 'method'),
      '{{method}}',
    ]),
    panelOf('Errors', 'short', [
      'sum by (method, error) (increase(karpenter_cloudprovider_errors_total[10m]))',
      '{{method}} {{error}}',
    ]),
    panelOf('Launches that failed', 'short', [
      'sum by (zone, capacity_type, reason) (increase(karpenter_cloudprovider_instance_launch_failures_total[10m]))',
      '{{zone}} {{capacity_type}} {{reason}}',
    ]),
    panelOf('Ends that failed', 'short', [
      'sum by (zone) (increase(karpenter_cloudprovider_instance_termination_failures_total[10m]))',
      '{{zone}}',
    ]),
    panelOf('Size of batches (p99)', 'short', [
      quantile99('karpenter_cloudprovider_batcher_batch_size', 'batcher'),
      '{{batcher}}',
    ]),
  ],
};

/** The dashboards for Grafana by the names of their files. */
export const listDashboards = (): ReadonlyMap<string, string> =>
  new Map(
    [fleet, rollouts, scheduling, awsCallPanels].map((source) => [
      `${source.uid}.json`,
      `${JSON.stringify(dashboardOf(source), null, 2)}\n`,
    ]),
  );

/** Every expression of a panel. */
export const listDashboardExpressions = (): readonly string[] =>
  [fleet, rollouts, scheduling, awsCallPanels].flatMap(({ panels }) =>
    panels.flatMap(({ queries }) => queries.map(([expression]) => expression)),
  );

const datasource = { type: 'prometheus', uid: '${datasource}' };

const dashboardOf = ({ uid, title, panels }: DashboardSource) => ({
  uid,
  title,
  tags: ['nodewright'],
  schemaVersion: 39,
  refresh: '1m',
  time: { from: 'now-6h', to: 'now' },
  templating: { list: [{ name: 'datasource', type: 'datasource', query: 'prometheus' }] },
  panels: panels.map((panel, index) => ({
    id: index + 1,
    type: 'timeseries',
    title: panel.title,
    datasource,
    gridPos: { x: (index % 2) * 12, y: Math.floor(index / 2) * 8, w: 12, h: 8 },
    fieldConfig: { defaults: { unit: panel.unit }, overrides: [] },
    targets: panel.queries.map(([expr, legendFormat], query) => ({
      refId: String.fromCharCode(65 + query),
      datasource,
      expr,
      legendFormat,
    })),
  })),
});
