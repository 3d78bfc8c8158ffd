import type { InstanceTypeInfo, NetworkInfo } from '@aws-sdk/client-ec2';
import type { CatalogueType } from '../instance-type.ts';

/** What DescribeInstanceTypes does not tell. */
export type TypeSupplement = {
  /** The branch interfaces of a trunk: no API tells them. */
  readonly branchInterfaces: number;
  readonly spotPercent: number;
  readonly priceMicroUsdPerHour: number;
};

/**
 * An instance type as DescribeInstanceTypes tells it, as one of the catalogue.
 * @returns a text that names what is missing, for an entry that is not whole
 */
export function importType(info: InstanceTypeInfo, supplement: TypeSupplement): CatalogueType | string {
  const { InstanceType: name, VCpuInfo, MemoryInfo, NetworkInfo: network, ProcessorInfo: processor } = info;
  const [vcpus, memoryMib] = [VCpuInfo?.DefaultVCpus, MemoryInfo?.SizeInMiB];
  const arch = readArchitecture(processor?.SupportedArchitectures);
  const manufacturer = readManufacturer(processor?.Manufacturer);
  if (name === undefined) return 'InstanceType';
  if (vcpus === undefined) return 'VCpuInfo.DefaultVCpus';
  if (memoryMib === undefined) return 'MemoryInfo.SizeInMiB';
  if (arch === undefined) return 'ProcessorInfo.SupportedArchitectures';
  if (manufacturer === undefined) return 'ProcessorInfo.Manufacturer';
  if (network?.Ipv4AddressesPerInterface === undefined) return 'NetworkInfo.Ipv4AddressesPerInterface';
  return {
    name,
    arch,
    manufacturer,
    hypervisor: info.Hypervisor === 'xen' ? 'xen' : 'nitro',
    ...(info.BareMetal === true && { isBareMetal: true }),
    sustainedClockGhz: processor?.SustainedClockSpeedInGhz ?? 0,
    vcpus,
    memoryMib,
    ...readNetwork(network),
    addressesPerInterface: network.Ipv4AddressesPerInterface,
    ...readDisks(info),
    ...readDevices(info),
    ...supplement,
  };
}

/** Macs have architectures of their own, which no node group runs on. */
export const isMac = ({ InstanceType: name }: InstanceTypeInfo): boolean => name?.startsWith('mac') === true;

function readArchitecture(names: readonly string[] = []): CatalogueType['arch'] | undefined {
  if (names.includes('x86_64')) return 'amd64';
  return names.includes('arm64') ? 'arm64' : undefined;
}

function readManufacturer(name = ''): CatalogueType['manufacturer'] | undefined {
  if (/^(aws|amazon)/i.test(name)) return 'AWS';
  return (['Intel', 'AMD'] as const).find((each) => each.toLowerCase() === name.toLowerCase());
}

type Networking = Pick<CatalogueType, 'interfaces' | 'fabric' | 'networkMbps' | 'encryptionInTransit'>;

/** Interfaces are those of the card on which an instance starts; baselines add up. */
function readNetwork(network: NetworkInfo): Networking {
  const {
    NetworkCards: cards = [],
    DefaultNetworkCardIndex: first = 0,
    MaximumNetworkCards: count = cards.length,
  } = network;
  const card = cards.find(({ NetworkCardIndex: index }) => index === first);
  const adapters = network.EfaInfo?.MaximumEfaInterfaces ?? 0;
  const gbps = cards.map(({ BaselineBandwidthInGbps: each }) => each).filter((each) => each !== undefined);
  return {
    interfaces: card?.MaximumNetworkInterfaces ?? network.MaximumNetworkInterfaces ?? 0,
    encryptionInTransit: network.EncryptionInTransitSupported ?? false,
    ...((count > 1 || adapters > 0) && { fabric: { cards: Math.max(1, count), adapters } }),
    ...(gbps.length > 0 && { networkMbps: Math.floor(gbps.reduce((sum, each) => sum + each, 0) * 1000 + 1e-6) }),
  };
}

function readDisks({ EbsInfo: ebs, InstanceStorageInfo: disks }: InstanceTypeInfo) {
  const ebsMbps = ebs?.EbsOptimizedSupport === 'default' ? ebs.EbsOptimizedInfo?.MaximumBandwidthInMbps : undefined;
  const hasNvme = disks?.NvmeSupport !== undefined && disks.NvmeSupport !== 'unsupported';
  const localNvmeGb = hasNvme ? disks.TotalSizeInGB : undefined;
  return { ...(ebsMbps !== undefined && { ebsMbps }), ...(localNvmeGb !== undefined && { localNvmeGb }) };
}

/** Types have devices of one kind. */
function readDevices({ GpuInfo, NeuronInfo }: InstanceTypeInfo): Pick<CatalogueType, 'gpu' | 'neuron'> {
  const gpu = GpuInfo?.Gpus?.[0];
  const neuron = NeuronInfo?.NeuronDevices?.[0];
  return {
    ...(gpu && {
      gpu: {
        name: (gpu.Name ?? '').toUpperCase().replaceAll(' ', '-'),
        manufacturer: gpu.Manufacturer ?? '',
        count: gpu.Count ?? 0,
        memoryMibEach: gpu.MemoryInfo?.SizeInMiB ?? 0,
      },
    }),
    ...(neuron && {
      neuron: {
        name: neuron.Name ?? '',
        count: neuron.Count ?? 0,
        coresEach: neuron.CoreInfo?.Count ?? 0,
        memoryMibEach: neuron.MemoryInfo?.SizeInMiB ?? 0,
      },
    }),
  };
}
