import type { RepairPolicy } from '@nodewright/ports';

const minute = 60_000;

const policy = (conditionType: string, status: RepairPolicy['status'], minutes: number): RepairPolicy => ({
  conditionType,
  status,
  tolerationMs: minutes * minute,
});

/** The kubelet's own condition, and those that the node monitoring agent of EKS writes. */
export const repairPolicies: readonly RepairPolicy[] = [
  policy('Ready', 'False', 30),
  policy('Ready', 'Unknown', 30),
  policy('AcceleratedHardwareReady', 'False', 10),
  policy('StorageReady', 'False', 30),
  policy('NetworkingReady', 'False', 30),
  policy('KernelReady', 'False', 30),
  policy('ContainerRuntimeReady', 'False', 30),
];
