import { minutes } from '@nodewright/apis';
import type { RepairPolicy } from '@nodewright/ports';

const policy = (conditionType: string, status: RepairPolicy['status'], toleratedFor: number): RepairPolicy => ({
  conditionType,
  status,
  tolerationMs: minutes(toleratedFor),
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
