import type { InstanceTypeInfo } from '@aws-sdk/client-ec2';
import { awsLabels, kubernetesLabels } from '@nodewright/apis';

/** Label to the values a node of the type may carry; none: the node does not have it. */
export type TypeLabels = ReadonlyMap<string, readonly string[]>;

/** The labels that follow from the type alone. */
export function typeLabels(info: InstanceTypeInfo): TypeLabels {
  const values: LabelValues = {
    [kubernetesLabels.instanceType]: info.InstanceType,
    [kubernetesLabels.arch]: architectureOfType(info),
    ...nameLabels(info),
    ...processorLabels(info),
    ...deviceLabels(info),
    ...featureLabels(info),
  };
  const labels = Object.entries(values).map(([key, value]): [string, readonly string[]] => [
    key,
    value === undefined ? [] : [String(value)],
  ]);
  return new Map([...labels, [awsLabels.instanceTenancy, ['default', 'dedicated']]]);
}

type LabelValues = Readonly<Record<string, string | number | boolean | undefined>>;

export const architectureOfType = ({ ProcessorInfo }: InstanceTypeInfo): 'amd64' | 'arm64' =>
  ProcessorInfo?.SupportedArchitectures?.includes('arm64') === true ? 'arm64' : 'amd64';

function nameLabels(info: InstanceTypeInfo): LabelValues {
  const name: string = info.InstanceType ?? '';
  const [family = '', size] = name.split('.');
  const [, category, generation] = /^([a-z]+)(?:-\d+tb)?(\d+)/.exec(name) ?? /^([a-z]+)-(\d+)tb/.exec(name) ?? [];
  return {
    [awsLabels.instanceCategory]: category,
    [awsLabels.instanceGeneration]: generation,
    [awsLabels.instanceFamily]: family,
    [awsLabels.instanceSize]: size,
    [awsLabels.instanceCapabilityFlex]: family.includes('-flex'),
  };
}

function processorLabels({ ProcessorInfo, VCpuInfo, MemoryInfo }: InstanceTypeInfo): LabelValues {
  const ghz = ProcessorInfo?.SustainedClockSpeedInGhz;
  return {
    [awsLabels.instanceCpu]: VCpuInfo?.DefaultVCpus,
    [awsLabels.instanceCpuManufacturer]: kebab(ProcessorInfo?.Manufacturer),
    [awsLabels.instanceCpuSustainedClockSpeedMhz]: ghz === undefined ? undefined : Math.round(ghz * 1000),
    [awsLabels.instanceMemory]: MemoryInfo?.SizeInMiB,
  };
}

function deviceLabels({ GpuInfo, InferenceAcceleratorInfo, NeuronInfo }: InstanceTypeInfo): LabelValues {
  const gpu = GpuInfo?.Gpus?.length === 1 ? GpuInfo.Gpus[0] : undefined;
  const neuron = NeuronInfo?.NeuronDevices?.[0];
  const accelerator = neuron ?? onlyOne(InferenceAcceleratorInfo?.Accelerators);
  return {
    [awsLabels.instanceGpuName]: kebab(gpu?.Name),
    [awsLabels.instanceGpuManufacturer]: kebab(gpu?.Manufacturer),
    [awsLabels.instanceGpuCount]: gpu?.Count,
    [awsLabels.instanceGpuMemory]: gpu?.MemoryInfo?.SizeInMiB,
    [awsLabels.instanceAcceleratorName]: kebab(accelerator?.Name),
    [awsLabels.instanceAcceleratorManufacturer]:
      neuron === undefined ? kebab(onlyOne(InferenceAcceleratorInfo?.Accelerators)?.Manufacturer) : 'aws',
    [awsLabels.instanceAcceleratorCount]: accelerator?.Count,
  };
}

function featureLabels(info: InstanceTypeInfo): LabelValues {
  const { EbsInfo, NetworkInfo, InstanceStorageInfo } = info;
  const ebsMbps = EbsInfo?.EbsOptimizedInfo?.MaximumBandwidthInMbps;
  const gbps = NetworkInfo?.NetworkCards?.reduce(
    (sum, { BaselineBandwidthInGbps = 0 }) => sum + BaselineBandwidthInGbps,
    0,
  );
  const hasNvme = InstanceStorageInfo !== undefined && InstanceStorageInfo.NvmeSupport !== 'unsupported';
  return {
    [awsLabels.instanceEbsBandwidth]: EbsInfo?.EbsOptimizedSupport === 'default' ? ebsMbps : undefined,
    [awsLabels.instanceNetworkBandwidth]: gbps ? Math.trunc(gbps * 1000) : undefined,
    [awsLabels.instanceLocalNvme]: hasNvme ? InstanceStorageInfo.TotalSizeInGB : undefined,
    [awsLabels.instanceHypervisor]: info.Hypervisor ?? '',
    [awsLabels.instanceEncryptionInTransitSupported]: NetworkInfo?.EncryptionInTransitSupported ?? false,
    [awsLabels.nitroSandbox]: info.NitroEnclavesSupport === 'supported',
    [awsLabels.capacityReservationId]: undefined,
    [awsLabels.capacityReservationType]: undefined,
    [awsLabels.capacityReservationInterruptible]: undefined,
    [awsLabels.placementGroupId]: undefined,
    [awsLabels.placementGroupPartition]: undefined,
  };
}

const onlyOne = <T>(list: readonly T[] | undefined): T | undefined => (list?.length === 1 ? list[0] : undefined);

const kebab = (text: string | undefined): string | undefined => text?.toLowerCase().replaceAll(/[ _]/g, '-');
