import {
  formatQuantity,
  millisOf,
  quantityOfMillis,
  readOwn,
  type ResourceList,
  quantityUnits,
} from '@nodewright/apis';
import type { BootedMachine, MachineShape } from '@nodewright/aws-endpoints';
import { hasBehavior } from './node-behaviors.ts';
import type { Bootstrap } from './user-data/bootstrap.ts';

const bytesPerMib = 2 ** 20;
const bytesPerGib = 2 ** 30;
const hugePageSize = 2 * bytesPerMib;
/** What firmware, hypervisor and kernel keep for themselves, in thousandths of the memory. */
const memoryOverheadPermille = 75;
/** Kept apart on Graviton before the share above is taken. */
const armReservedMib = 64;
/** A file system is a little smaller than its volume. */
const fileSystemOverheadKib = 12_308;

type CapacityFacts = {
  readonly shape: MachineShape;
  readonly volumeGib: number;
  readonly family?: string;
  readonly hasDevices: boolean;
};

export type NodeResources = { readonly capacity: ResourceList; readonly allocatable: ResourceList };

/**
 * What the kubelet reports for its machine: capacity, and what of it is left for pods after the
 * reservations of EKS and the eviction thresholds.
 * @see https://kubernetes.io/docs/tasks/administer-cluster/reserve-compute-resources/
 */
export function nodeResources(machine: BootedMachine, bootstrap: Bootstrap): NodeResources {
  const { shape, volumeGib, release } = machine;
  const facts: CapacityFacts = {
    shape,
    volumeGib,
    ...(release === undefined ? {} : { family: release.family }),
    hasDevices: !hasBehavior(machine, 'gpuMissing'),
  };
  const pods = podLimit(shape, bootstrap);
  const memory = machineMemoryBytes(shape);
  const storage = storageBytes({ shape, volumeGib }, bootstrap);
  const hugePages = hugePageBytes(memory, bootstrap);
  const same = {
    'hugepages-1Gi': '0',
    'hugepages-2Mi': hugePages === 0 ? '0' : `${hugePages / bytesPerMib}Mi`,
    pods: String(pods),
    ...devices(facts),
  };
  return {
    capacity: { cpu: String(shape.vcpus), memory: inKib(memory), 'ephemeral-storage': inKib(storage), ...same },
    allocatable: {
      cpu: formatQuantity(quantityOfMillis(shape.vcpus * 1000 - reservedMillis(facts, bootstrap))),
      memory: inKib(
        memory -
          hugePages -
          reservedMemory(facts, bootstrap) -
          evictionThreshold(bootstrap, 'memory.available', memory),
      ),
      'ephemeral-storage': String(
        storage -
          reservedAmount(bootstrap, 'ephemeral-storage', bytesPerGib) -
          evictionThreshold(bootstrap, 'nodefs.available', storage),
      ),
      ...same,
    },
  };
}

/** At least none: a reservation larger than the machine leaves nothing. */
const inKib = (bytes: number): string => `${Math.floor(Math.max(0, bytes) / 1024)}Ki`;

function podLimit({ maxPods, vcpus }: MachineShape, bootstrap: Bootstrap): number {
  const limit = bootstrap.maxPods ?? maxPods;
  const { podsPerCore } = bootstrap;
  return podsPerCore !== undefined && podsPerCore > 0 ? Math.min(limit, podsPerCore * vcpus) : limit;
}

function machineMemoryBytes({ memoryMib, arch }: MachineShape): number {
  const left = memoryMib - (arch === 'arm64' ? armReservedMib : 0);
  return (left - Math.ceil((left * memoryOverheadPermille) / 1000)) * bytesPerMib;
}

/** The kernel sets aside as many whole pages as there is memory for. */
const hugePageBytes = (memory: number, { hugePages = 0 }: Bootstrap): number =>
  Math.min(hugePages, Math.floor(memory / hugePageSize)) * hugePageSize;

function storageBytes({ shape, volumeGib }: Pick<CapacityFacts, 'shape' | 'volumeGib'>, bootstrap: Bootstrap): number {
  const { instanceStoreGb } = shape;
  const isOnLocalDisks = bootstrap.usesInstanceStore === true && instanceStoreGb !== undefined;
  const disk = isOnLocalDisks ? instanceStoreGb * 1e9 : volumeGib * bytesPerGib;
  return disk - fileSystemOverheadKib * 1024;
}

const devices = ({ shape, hasDevices }: CapacityFacts): ResourceList => {
  if (!hasDevices) return {};
  return Object.fromEntries(Object.entries(shape.devices ?? {}).map(([name, count]) => [name, String(count)]));
};

/** Up to so many thousandths of a core, the share in hundredths of a percent. */
const reservedCpuTiers = [
  { upTo: 1000, share: 600 },
  { upTo: 2000, share: 100 },
  { upTo: 4000, share: 50 },
  { upTo: Number.POSITIVE_INFINITY, share: 25 },
] as const;

function reservedMillis({ shape }: CapacityFacts, { kubeReserved, systemReserved }: Bootstrap): number {
  const kube = kubeReserved?.['cpu'];
  const system = systemReserved?.['cpu'];
  return (
    (kube === undefined ? tieredMillis(shape.vcpus) : millisOf(kube)) + (system === undefined ? 0 : millisOf(system))
  );
}

function tieredMillis(vcpus: number): number {
  const millis = vcpus * 1000;
  const shares = reservedCpuTiers.map(({ upTo, share }, tier) => {
    const from = reservedCpuTiers[tier - 1]?.upTo ?? 0;
    return Math.floor((Math.max(0, Math.min(millis, upTo) - from) * share) / 10_000);
  });
  return shares.reduce((sum, share) => sum + share, 0);
}

/** Amazon Linux reserves by the pods its network interfaces admit, Bottlerocket by its own limit. */
function reservedMemory({ shape, family }: CapacityFacts, bootstrap: Bootstrap): number {
  const pods = family === 'Bottlerocket' ? (bootstrap.maxPods ?? shape.maxPods) : shape.maxPods;
  return reservedAmount(bootstrap, 'memory', (11 * pods + 255) * bytesPerMib);
}

function reservedAmount({ kubeReserved, systemReserved }: Bootstrap, resource: string, usual: number): number {
  const kube = readOwn(kubeReserved, resource);
  const system = readOwn(systemReserved, resource);
  return (kube === undefined ? usual : quantityUnits(kube)) + (system === undefined ? 0 : quantityUnits(system));
}

const usualThresholds: Readonly<Record<string, string>> = { 'memory.available': '100Mi', 'nodefs.available': '10%' };

function evictionThreshold({ evictionHard }: Bootstrap, signal: string, capacity: number): number {
  const threshold = readOwn(evictionHard, signal) ?? readOwn(usualThresholds, signal) ?? '0';
  if (!threshold.endsWith('%')) return quantityUnits(threshold);
  const share = Number.parseFloat(threshold);
  return share >= 100 ? 0 : Math.ceil((capacity * share) / 100);
}
