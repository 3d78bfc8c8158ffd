/** What a group does by itself, and what can be suspended. */
export const scalingProcesses: readonly string[] = [
  'AZRebalance',
  'AddToLoadBalancer',
  'AlarmNotification',
  'HealthCheck',
  'InstanceRefresh',
  'Launch',
  'ReplaceUnhealthy',
  'ScheduledActions',
  'Terminate',
];
