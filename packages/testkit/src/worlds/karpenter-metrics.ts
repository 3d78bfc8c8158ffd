/** Kinds of objects whose conditions Karpenter has metrics of, with the labels of objects that they carry. */
const conditionedKinds: readonly (readonly [kind: string, labels: readonly string[]])[] = [
  ['nodeclaim', ['karpenter_k8s_aws_ec2nodeclass', 'karpenter_sh_nodepool']],
  ['nodepool', []],
  ['node', ['karpenter_k8s_aws_ec2nodeclass', 'karpenter_sh_nodepool', 'karpenter_sh_initialized']],
  ['ec2nodeclass', []],
];

/** Series of nodes carry the well-known labels, too; this is in front of them. */
const nodeLabels = ['node_name', 'phase', 'managed'];
const disruptedLabels = ['reason', 'nodepool', 'capacity_type', 'consolidation_policy', 'termination_mode'];
const decisionLabels = ['decision', 'reason', 'consolidation_type'];
const podLabels = ['name', 'namespace'];

const ownMetrics: Readonly<Record<string, readonly string[]>> = {
  cloudprovider_batcher_batch_size: ['batcher'],
  cloudprovider_batcher_batch_time_seconds: ['batcher'],
  cloudprovider_duration_seconds: ['controller', 'method', 'provider'],
  cloudprovider_errors_total: ['controller', 'method', 'provider', 'error'],
  cloudprovider_instance_launch_failures_total: ['zone', 'zone_id', 'capacity_type', 'reason'],
  cloudprovider_instance_termination_failures_total: ['zone', 'zone_id'],
  cloudprovider_instance_type_cpu_cores: ['instance_type'],
  cloudprovider_instance_type_memory_bytes: ['instance_type'],
  cloudprovider_instance_type_offering_available: ['instance_type', 'capacity_type', 'zone'],
  cloudprovider_instance_type_offering_price_estimate: ['instance_type', 'capacity_type', 'zone'],
  cluster_state_node_count: [],
  cluster_state_synced: [],
  cluster_state_unsynced_time_seconds: [],
  cluster_utilization_percent: ['resource_type'],
  consolidation_moves_total: ['decision', 'nodepool', 'policy'],
  consolidation_score: ['decision', 'nodepool', 'policy'],
  ec2nodeclasses_userdata_bytes: ['nodeclass'],
  interruption_deleted_messages_total: [],
  interruption_instance_status_unhealthy_total: ['category'],
  interruption_message_queue_duration_seconds: [],
  interruption_received_messages_total: ['message_type'],
  nodeclaims_created_total: ['reason', 'nodepool', 'min_values_relaxed'],
  nodeclaims_disrupted_total: disruptedLabels,
  nodeclaims_instance_termination_duration_seconds: ['nodepool'],
  nodeclaims_terminated_total: ['nodepool', 'capacity_type', 'zone'],
  nodeclaims_termination_duration_seconds: ['nodepool'],
  nodeclaims_unhealthy_disrupted_total: ['condition', 'nodepool', 'capacity_type', 'image_id'],
  nodepools_allowed_disruptions: ['nodepool', 'reason'],
  nodepools_cost_total: ['nodepool'],
  nodepools_cost_tracker_errors_total: ['nodepool'],
  nodepools_limit: ['resource_type', 'nodepool'],
  nodepools_nodes_consuming_budgets: ['nodepool', 'reason'],
  nodepools_usage: ['resource_type', 'nodepool'],
  nodes_allocatable: [...nodeLabels, 'resource_type'],
  nodes_created_total: ['nodepool', 'zone'],
  nodes_current_lifetime_seconds: nodeLabels,
  nodes_drained_total: ['nodepool'],
  nodes_lifetime_duration_seconds: ['nodepool'],
  nodes_system_overhead: [...nodeLabels, 'resource_type'],
  nodes_terminated_total: ['nodepool', 'zone'],
  nodes_termination_duration_seconds: ['nodepool'],
  nodes_total_daemon_limits: [...nodeLabels, 'resource_type'],
  nodes_total_daemon_requests: [...nodeLabels, 'resource_type'],
  nodes_total_pod_limits: [...nodeLabels, 'resource_type'],
  nodes_total_pod_requests: [...nodeLabels, 'resource_type'],
  pods_bound_duration_seconds: [],
  pods_disruption_initiated_total: disruptedLabels,
  pods_drained_total: ['reason'],
  pods_eviction_requests_total: ['code'],
  pods_provisioning_bound_duration_seconds: [],
  pods_provisioning_scheduling_undecided_time_seconds: podLabels,
  pods_provisioning_startup_duration_seconds: [],
  pods_provisioning_unbound_time_seconds: podLabels,
  pods_provisioning_unstarted_time_seconds: podLabels,
  pods_scheduling_decision_duration_seconds: [],
  pods_startup_duration_seconds: [],
  pods_state: [
    'name',
    'namespace',
    'owner',
    'node',
    'scheduled',
    'nodepool',
    'zone',
    'arch',
    'capacity_type',
    'instance_type',
    'phase',
    'ready',
    'managed',
  ],
  pods_unbound_time_seconds: podLabels,
  pods_unstarted_time_seconds: podLabels,
  scheduler_ignored_pods_count: [],
  scheduler_pending_pods_by_effective_zone_count: ['controller', 'zone'],
  scheduler_queue_depth: ['controller', 'scheduling_id'],
  scheduler_scheduling_duration_seconds: ['controller'],
  scheduler_unfinished_work_seconds: ['controller', 'scheduling_id'],
  scheduler_unschedulable_pods_count: ['controller'],
  voluntary_disruption_consolidation_timeouts_total: ['consolidation_type'],
  voluntary_disruption_decision_evaluation_duration_seconds: ['reason', 'consolidation_type'],
  voluntary_disruption_decisions_by_nodepool_total: ['nodepool', ...decisionLabels],
  voluntary_disruption_decisions_total: decisionLabels,
  voluntary_disruption_eligible_nodes: ['reason'],
  voluntary_disruption_failed_validations_total: ['consolidation_type'],
  voluntary_disruption_queue_failures_total: decisionLabels,
};

const conditionMetrics = conditionedKinds.flatMap(
  ([kind, labels]): readonly (readonly [string, readonly string[]])[] => [
    [`operator_${kind}_status_condition_count`, ['namespace', 'name', 'type', 'status', 'reason', ...labels]],
    [
      `operator_${kind}_status_condition_current_status_seconds`,
      ['namespace', 'name', 'type', 'status', 'reason', ...labels],
    ],
    [`operator_${kind}_status_condition_transition_seconds`, ['type', 'status', ...labels]],
    [`operator_${kind}_status_condition_transitions_total`, ['type', 'status', 'reason', ...labels]],
    [`operator_${kind}_termination_current_time_seconds`, ['namespace', 'name', ...labels]],
    [`operator_${kind}_termination_duration_seconds`, labels],
  ],
);

const hostMetrics: readonly (readonly [string, readonly string[]])[] = [
  ...[
    'active_workers',
    'max_concurrent_reconciles',
    'reconcile_errors_total',
    'reconcile_time_seconds',
    'terminal_reconcile_errors_total',
  ].map((name) => [`controller_runtime_${name}`, ['controller']] as const),
  ['controller_runtime_reconcile_total', ['controller', 'result']],
  ...['adds_total', 'depth', 'queue_duration_seconds', 'retries_total', 'work_duration_seconds'].map(
    (name) => [`workqueue_${name}`, ['name']] as const,
  ),
];

/** The metrics that Karpenter 1.14 has and a cluster's people may ask for, with their labels. */
export const karpenterMetrics: ReadonlyMap<string, readonly string[]> = new Map([
  ...Object.entries(ownMetrics).map(([name, labels]) => [`karpenter_${name}`, labels] as const),
  ...conditionMetrics,
  ...hostMetrics,
]);

/** Metrics of Karpenter that the operator itself does not define, with where they are or why not. */
export const absentMetrics: readonly {
  readonly names: readonly string[];
  readonly because: string;
}[] = [
  {
    names: [
      'operator_status_condition_count',
      'operator_status_condition_current_status_seconds',
      'operator_status_condition_transition_seconds',
      'operator_status_condition_transitions_total',
      'operator_termination_current_time_seconds',
      'operator_termination_duration_seconds',
    ],
    because: 'Karpenter has them for old dashboards only; each has the same series under the name with its kind',
  },
  {
    names: ['controller_runtime_reconcile_panics_total', 'controller_runtime_conversion_webhook_panics_total'],
    because:
      'a turn ends or fails; a failed one is in controller_runtime_reconcile_errors_total, and there is no webhook',
  },
  {
    names: ['workqueue_unfinished_work_seconds', 'workqueue_longest_running_processor_seconds'],
    because: 'a turn that hangs shows in controller_runtime_active_workers',
  },
  {
    names: ['client_go_request_total', 'client_go_request_duration_seconds'],
    because: 'they belong to the library of Go clients; requests to the API server are not measured',
  },
  {
    names: [
      'aws_sdk_go_request_total',
      'aws_sdk_go_request_retry_count',
      'aws_sdk_go_request_duration_seconds',
      'aws_sdk_go_request_attempt_total',
      'aws_sdk_go_request_attempt_duration_seconds',
    ],
    because: 'they belong to the SDK for Go; karpenter_cloudprovider_duration_seconds and _errors_total have the calls',
  },
  {
    names: ['leader_election_slowpath_total'],
    because: 'a Lease is renewed in one way only; leader_election_master_status is there',
  },
];
