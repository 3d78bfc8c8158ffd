import type { EbsInfo, GpuInfo, InstanceTypeInfo, NetworkInfo, NeuronInfo, _InstanceType } from '@aws-sdk/client-ec2';
import type { CatalogueType } from '../catalogue/instance-type.ts';
import { strategiesOf } from './placement-groups.ts';

/** An instance type as DescribeInstanceTypes tells it. */
export const instanceTypeOnTheWire = (type: CatalogueType): InstanceTypeInfo => ({
  InstanceType: type.name as _InstanceType,
  CurrentGeneration: !isPreviousGeneration(type),
  FreeTierEligible: type.name === 't2.micro' || type.name === 't3.micro',
  SupportedUsageClasses: sellsSpot(type) ? ['on-demand', 'spot'] : ['on-demand'],
  SupportedRootDeviceTypes: ['ebs'],
  SupportedVirtualizationTypes: ['hvm'],
  BareMetal: type.isBareMetal ?? false,
  ...(type.isBareMetal !== true && { Hypervisor: type.hypervisor }),
  ProcessorInfo: {
    SupportedArchitectures: [type.arch === 'amd64' ? 'x86_64' : 'arm64'],
    SustainedClockSpeedInGhz: type.sustainedClockGhz,
    Manufacturer: type.manufacturer,
  },
  VCpuInfo: cpuInfo(type),
  MemoryInfo: { SizeInMiB: type.memoryMib },
  InstanceStorageSupported: type.localNvmeGb !== undefined,
  ...(type.localNvmeGb !== undefined && {
    InstanceStorageInfo: {
      TotalSizeInGB: type.localNvmeGb,
      Disks: [{ SizeInGB: type.localNvmeGb, Count: 1, Type: 'ssd' as const }],
      NvmeSupport: 'required' as const,
    },
  }),
  ...(type.gpu && { GpuInfo: gpuInfo(type.gpu) }),
  ...(type.neuron && { NeuronInfo: neuronInfo(type.neuron) }),
  ...(type.neuron?.name.startsWith('Inferentia') === true && {
    InferenceAcceleratorInfo: inferenceInfo(type.neuron),
  }),
  EbsInfo: ebsInfo(type),
  NetworkInfo: networkInfo(type),
  PlacementGroupInfo: { SupportedStrategies: [...strategiesOf(type.name)] },
  HibernationSupported: false,
  BurstablePerformanceSupported: /^t\d/.test(type.name),
  DedicatedHostsSupported: true,
  AutoRecoverySupported: true,
  SupportedBootModes: type.arch === 'arm64' ? ['uefi'] : ['legacy-bios', 'uefi'],
  NitroTpmSupport: type.hypervisor === 'nitro' && type.isBareMetal !== true ? 'supported' : 'unsupported',
  NitroEnclavesSupport:
    type.hypervisor === 'nitro' && type.isBareMetal !== true && type.vcpus > 2 ? 'supported' : 'unsupported',
});

/** Families that EC2 calls previous generations. */
const previousFamily = /^(c1|c3|g2|i2|m1|m2|m3|r3|t1)\./;

const isPreviousGeneration = ({ name }: CatalogueType): boolean => previousFamily.test(name);

/** Families that are sold on demand only. */
const onDemandFamily = /^(hpc|mac|u\d|u-|p5e|p6|trn2|dl2q)/;

const sellsSpot = ({ name }: CatalogueType): boolean => !onDemandFamily.test(name);

const gpuInfo = ({ name, manufacturer, count, memoryMibEach }: NonNullable<CatalogueType['gpu']>): GpuInfo => ({
  Gpus: [{ Name: name, Manufacturer: manufacturer, Count: count, MemoryInfo: { SizeInMiB: memoryMibEach } }],
  TotalGpuMemoryInMiB: memoryMibEach * count,
});

const neuronInfo = ({ name, count, coresEach, memoryMibEach }: NonNullable<CatalogueType['neuron']>): NeuronInfo => ({
  NeuronDevices: [
    {
      Name: name,
      Count: count,
      CoreInfo: { Count: coresEach, Version: 2 },
      MemoryInfo: { SizeInMiB: memoryMibEach },
    },
  ],
  TotalNeuronDeviceMemoryInMiB: memoryMibEach * count,
});

/** Inferentia is told a second time, as before there was Neuron; Trainium is not. */
const inferenceInfo = ({ name, count, memoryMibEach }: NonNullable<CatalogueType['neuron']>) => ({
  Accelerators: [{ Name: name, Manufacturer: 'AWS', Count: count, MemoryInfo: { SizeInMiB: memoryMibEach } }],
  TotalInferenceMemoryInMiB: memoryMibEach * count,
});

/** Graviton has one thread per core. */
function cpuInfo({ vcpus, arch }: CatalogueType) {
  const threads = arch === 'arm64' || vcpus === 1 ? 1 : 2;
  return { DefaultVCpus: vcpus, DefaultCores: vcpus / threads, DefaultThreadsPerCore: threads };
}

function ebsInfo({ ebsMbps, hypervisor }: CatalogueType): EbsInfo {
  const NvmeSupport = hypervisor === 'nitro' ? ('required' as const) : ('unsupported' as const);
  if (ebsMbps === undefined) return { EbsOptimizedSupport: 'supported', EncryptionSupport: 'supported', NvmeSupport };
  return {
    EbsOptimizedSupport: 'default',
    EncryptionSupport: 'supported',
    EbsOptimizedInfo: { MaximumBandwidthInMbps: ebsMbps, MaximumThroughputInMBps: ebsMbps / 8 },
    NvmeSupport,
  };
}

function describePerformance(mbps: number | undefined): string {
  if (mbps === undefined) return 'Moderate';
  return mbps <= 10_000 ? 'Up to 10 Gigabit' : `${mbps / 1000} Gigabit`;
}

function networkInfo(type: CatalogueType): NetworkInfo {
  const { cards, adapters } = type.fabric ?? { cards: 1, adapters: 0 };
  const performance = describePerformance(type.networkMbps);
  return {
    NetworkPerformance: performance,
    MaximumNetworkInterfaces: type.interfaces * cards,
    MaximumNetworkCards: cards,
    DefaultNetworkCardIndex: 0,
    NetworkCards: Array.from({ length: cards }, (_, NetworkCardIndex) => ({
      NetworkCardIndex,
      NetworkPerformance: performance,
      MaximumNetworkInterfaces: type.interfaces,
      ...(type.networkMbps !== undefined && { BaselineBandwidthInGbps: type.networkMbps / 1000 / cards }),
    })),
    Ipv4AddressesPerInterface: type.addressesPerInterface,
    Ipv6AddressesPerInterface: type.addressesPerInterface,
    Ipv6Supported: true,
    EnaSupport: type.hypervisor === 'nitro' ? 'required' : 'unsupported',
    EfaSupported: adapters > 0,
    ...(adapters > 0 && { EfaInfo: { MaximumEfaInterfaces: adapters } }),
    EncryptionInTransitSupported: type.encryptionInTransit,
  };
}
