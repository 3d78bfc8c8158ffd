import { typeNamed } from '../catalogue/catalogue.ts';
import { type VcpuQuota, vcpuQuotas } from '../catalogue/vcpu-quotas.ts';
import type { Faults } from '../faults/faults.ts';
import type { Ec2Instance, PurchaseType } from './instance.ts';

/** The limit of every quota in this account, higher than a sandbox can reach. */
const grantedVcpus = 1_000_000;

type BoughtInstance = { readonly instanceType: string; readonly capacityType: PurchaseType };

/** Returns the quota that an instance counts against. Some types have none. */
export const quotaOf = ({ instanceType, capacityType }: BoughtInstance): VcpuQuota | undefined =>
  quotasByFamily.get(`${/^[a-z]+/.exec(instanceType)?.[0]}/${capacityType}`);

const quotasByFamily: ReadonlyMap<string, VcpuQuota> = new Map(
  vcpuQuotas.flatMap((quota) => quota.families.map((family) => [`${family}/${quota.capacityType}`, quota])),
);

/** Returns how many vCPUs the quota admits now. Faults of the kind `vcpu-quota` lower it. */
export const vcpusGranted = ({ code }: VcpuQuota, faults: Faults): number =>
  Math.min(grantedVcpus, ...limitsOn(code, faults));

/** Returns whether a fault lowers the quota. */
export const isLimited = ({ code }: VcpuQuota, faults: Faults): boolean => limitsOn(code, faults).length > 0;

const limitsOn = (code: string, faults: Faults): readonly number[] =>
  faults.find('vcpu-quota').flatMap(({ vcpus, quotaCode = code }) => (quotaCode === code ? vcpus : []));

/** Returns how many vCPUs of the quota pending and running instances use. */
export const vcpusInUse = (quota: VcpuQuota, instances: readonly Ec2Instance[]): number =>
  instances
    .filter(({ state, settings }) => (state === 'pending' || state === 'running') && quotaOf(settings) === quota)
    .reduce((sum, { settings }) => sum + vcpusOf(settings.instanceType), 0);

export const vcpusOf = (instanceType: string): number => typeNamed(instanceType)?.vcpus ?? 0;
