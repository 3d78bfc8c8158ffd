import { typeNamed } from '../catalogue/catalogue.ts';
import type { Faults } from '../faults/faults.ts';
import type { PurchaseType, Ec2Instance } from './instance.ts';

/**
 * How many vCPUs an account may run of some families, bought one way, in one region.
 * @see https://docs.aws.amazon.com/ec2/latest/instancetypes/ec2-instance-quotas.html
 */
export type VcpuQuota = {
  readonly code: string;
  readonly name: string;
  /** The letters of the families, `m` of `m5.large`. */
  readonly families: readonly string[];
  readonly capacityType: PurchaseType;
  /** What a new account has. */
  readonly usualVcpus: number;
};

/** What this account was granted, of every quota; nothing that fits into a sandbox comes near. */
const grantedVcpus = 1_000_000;

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

/** In the order of their codes. */
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

type BoughtInstance = { readonly instanceType: string; readonly capacityType: PurchaseType };

/** The quota that an instance counts against; some types have none. */
export const quotaOf = ({ instanceType, capacityType }: BoughtInstance): VcpuQuota | undefined =>
  quotasByFamily.get(`${/^[a-z]+/.exec(instanceType)?.[0]}/${capacityType}`);

const quotasByFamily: ReadonlyMap<string, VcpuQuota> = new Map(
  vcpuQuotas.flatMap((quota) => quota.families.map((family) => [`${family}/${quota.capacityType}`, quota])),
);

/** How many vCPUs the quota admits now, with the faults that make it smaller. */
export const vcpusGranted = ({ code }: VcpuQuota, faults: Faults): number =>
  Math.min(grantedVcpus, ...limitsOn(code, faults));

/** Whether a fault makes the quota smaller. */
export const isLimited = ({ code }: VcpuQuota, faults: Faults): boolean => limitsOn(code, faults).length > 0;

const limitsOn = (code: string, faults: Faults): readonly number[] =>
  faults.find('vcpuQuota').flatMap(({ vcpus, quotaCode = code }) => (quotaCode === code ? vcpus : []));

/** How many vCPUs of the quota are in use: those of stopped and ended instances are not. */
export const vcpusInUse = (quota: VcpuQuota, instances: readonly Ec2Instance[]): number =>
  instances
    .filter(({ state, settings }) => (state === 'pending' || state === 'running') && quotaOf(settings) === quota)
    .reduce((sum, { settings }) => sum + vcpusOf(settings.instanceType), 0);

export const vcpusOf = (instanceType: string): number => typeNamed(instanceType)?.vcpus ?? 0;
