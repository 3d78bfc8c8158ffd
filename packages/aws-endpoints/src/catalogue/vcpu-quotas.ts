/**
 * A limit on the vCPUs that an account runs of some instance families with one capacity type in one region.
 * @see https://docs.aws.amazon.com/ec2/latest/instancetypes/ec2-instance-quotas.html
 */
export type VcpuQuota = {
  readonly code: string;
  readonly name: string;
  /** Instance families without the generation: `m` for `m5.large`. */
  readonly families: readonly string[];
  readonly capacityType: 'spot' | 'on-demand';
  /** The limit of a new account. */
  readonly usualVcpus: number;
};

const standardFamilies = ['a', 'c', 'd', 'h', 'i', 'im', 'is', 'm', 'r', 't', 'z'];

const onDemand = (code: string, kind: string, families: readonly string[], usualVcpus = 0): VcpuQuota => ({
  code,
  name: `Running On-Demand ${kind} instances`,
  families,
  capacityType: 'on-demand',
  usualVcpus,
});

const spot = (code: string, kind: string, families: readonly string[], usualVcpus = 0): VcpuQuota => ({
  code,
  name: `All ${kind} Spot Instance Requests`,
  families,
  capacityType: 'spot',
  usualVcpus,
});

/** Every vCPU quota, sorted by code. */
export const vcpuQuotas: readonly VcpuQuota[] = [
  onDemand('L-1216C47A', 'Standard (A, C, D, H, I, M, R, T, Z)', standardFamilies, 5),
  onDemand('L-1945791B', 'Inf', ['inf']),
  onDemand('L-2C3B7624', 'Trn', ['trn']),
  spot('L-34B43A08', 'Standard (A, C, D, H, I, M, R, T, Z)', standardFamilies, 5),
  spot('L-3819A6DF', 'G and VT', ['g', 'gr', 'vt']),
  onDemand('L-417A185B', 'P', ['p']),
  onDemand('L-43DA4232', 'High Memory', ['u', 'u7i', 'u7in', 'u7inh']),
  spot('L-6B0D517C', 'Trn', ['trn']),
  onDemand('L-6E869C2A', 'DL', ['dl']),
  spot('L-7212CCBC', 'P4, P3 and P2', ['p']),
  onDemand('L-7295265B', 'X', ['x']),
  onDemand('L-74FC7D96', 'F', ['f']),
  spot('L-85EED4F7', 'DL', ['dl']),
  spot('L-88CF9481', 'F', ['f']),
  spot('L-B5D1601B', 'Inf', ['inf']),
  onDemand('L-DB2E81BA', 'G and VT', ['g', 'gr', 'vt']),
  spot('L-E3A00192', 'X', ['x']),
  onDemand('L-F7808C92', 'HPC', ['hpc']),
];
