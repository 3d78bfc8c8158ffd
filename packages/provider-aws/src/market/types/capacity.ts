import type { InstanceTypeInfo } from '@aws-sdk/client-ec2';
import type { AmiFamily, EC2NodeClass } from '@nodewright/apis';
import type { Resources } from '@nodewright/engine';
import { fabricResource, isFabricAdapter } from '../../node-settings/fabric-adapters.ts';
import type { KubeletSettings } from '../../node-settings/kubelet-settings.ts';
import { maxPods } from './max-pods.ts';
import { publishedFact } from '../prices/published-facts.ts';
import { ephemeralStorageBytes } from '../../node-settings/storage.ts';

export const bytesPerMib = 2 ** 20;

/** Memory that Graviton firmware keeps for itself. */
const armFirmwareMib = 64;

/** What a node of the type will report, with what is zero left out. */
export function capacityOf(info: InstanceTypeInfo, nodeClass: EC2NodeClass, options: CapacityOptions): Resources {
  const all: Resources = {
    cpu: (info.VCpuInfo?.DefaultVCpus ?? 0) * 1000,
    memory: nodeMemoryBytes(info, options.vmMemoryOverheadPercent),
    'ephemeral-storage': ephemeralStorageBytes(info, nodeClass, options.family),
    pods: maxPods(info, options),
    'vpc.amazonaws.com/pod-eni': publishedFact(info.InstanceType ?? '').branchInterfaces,
    [fabricResource]: interfacesForEfa(info, nodeClass),
    'nvidia.com/gpu': gpus(info, 'NVIDIA'),
    'amd.com/gpu': gpus(info, 'AMD'),
    'habana.ai/gaudi': gpus(info, 'Habana'),
    ...neuron(info),
  };
  return Object.fromEntries(Object.entries(all).filter(([, amount]) => amount > 0));
}

export type CapacityOptions = {
  readonly family: AmiFamily;
  readonly kubelet: KubeletSettings;
  /** The share of memory that the hypervisor takes: 0.075. */
  readonly vmMemoryOverheadPercent: number;
  /** Network interfaces whose addresses are not for pods. */
  readonly reservedInterfaces: number;
};

function nodeMemoryBytes(info: InstanceTypeInfo, overhead: number): number {
  const isArm = info.ProcessorInfo?.SupportedArchitectures?.[0] === 'arm64';
  const advertised = (info.MemoryInfo?.SizeInMiB ?? 0) - (isArm ? armFirmwareMib : 0);
  return (advertised - Math.ceil(advertised * overhead)) * bytesPerMib;
}

function interfacesForEfa({ NetworkInfo }: InstanceTypeInfo, { spec }: EC2NodeClass): number {
  const configured = spec.networkInterfaces ?? [];
  return configured.length > 0
    ? configured.filter(isFabricAdapter).length
    : (NetworkInfo?.EfaInfo?.MaximumEfaInterfaces ?? 0);
}

const gpus = ({ GpuInfo }: InstanceTypeInfo, manufacturer: string): number =>
  (GpuInfo?.Gpus ?? [])
    .filter(({ Manufacturer }) => Manufacturer === manufacturer)
    .reduce((sum, { Count = 0 }) => sum + Count, 0);

function neuron({ NeuronInfo }: InstanceTypeInfo): Resources {
  const devices = NeuronInfo?.NeuronDevices ?? [];
  const count = devices.reduce((sum, { Count = 0 }) => sum + Count, 0);
  return {
    'aws.amazon.com/neuron': count,
    'aws.amazon.com/neuroncore': count * (devices[0]?.CoreInfo?.Count ?? 0),
  };
}
