import type { InstanceTypeInfo } from '@aws-sdk/client-ec2';
import type { AmiFamily } from '@nodewright/apis';
import { isWindowsFamily, type KubeletSettings } from '../../node-settings/kubelet-settings.ts';

const withoutInterfaceLimit = 110;

/**
 * Pods for which the default network card has addresses: one less than the addresses of each interface,
 * and two pods that live on the host network.
 */
export function interfaceLimitedPods({ NetworkInfo: network }: InstanceTypeInfo, reservedInterfaces = 0): number {
  const card = network?.NetworkCards?.[network.DefaultNetworkCardIndex ?? 0];
  const interfaces = (card?.MaximumNetworkInterfaces ?? network?.MaximumNetworkInterfaces ?? 0) - reservedInterfaces;
  if (interfaces <= 0) return 0;
  return interfaces * ((network?.Ipv4AddressesPerInterface ?? 1) - 1) + 2;
}

type PodLimitSettings = {
  readonly kubelet: KubeletSettings;
  readonly family: AmiFamily;
  readonly reservedInterfaces: number;
};

/** Pods of a node where `spec.kubelet` says nothing. */
export const defaultMaxPods = (
  info: InstanceTypeInfo,
  { family, reservedInterfaces }: Omit<PodLimitSettings, 'kubelet'>,
): number => (isWindowsFamily(family) ? withoutInterfaceLimit : interfaceLimitedPods(info, reservedInterfaces));

/** How many pods a node of the type takes. */
export function maxPods(info: InstanceTypeInfo, { kubelet, family, reservedInterfaces }: PodLimitSettings): number {
  const limit = kubelet.maxPods ?? defaultMaxPods(info, { family, reservedInterfaces });
  if (kubelet.podsPerCore === undefined || family === 'Bottlerocket') return limit;
  return Math.min(limit, kubelet.podsPerCore * (info.VCpuInfo?.DefaultVCpus ?? 0));
}
