import type { InstanceTypeInfo } from '@aws-sdk/client-ec2';
import { type AmiFamily, millisOf, readOwn, quantityUnits } from '@nodewright/apis';
import type { Resources } from '@nodewright/engine';
import { isWindowsFamily, type KubeletSettings } from '../../node-settings/kubelet-settings.ts';
import { interfaceLimitedPods } from './max-pods.ts';

const overheadMib = 2 ** 20;
const overheadGib = 2 ** 30;

type NodeCapacity = {
  readonly info: InstanceTypeInfo;
  readonly capacity: Resources;
  /** As it follows from the type alone, without what nodes were seen to have. */
  readonly computed: Resources;
  readonly kubelet: KubeletSettings;
  readonly family: AmiFamily;
};

/** What is left for pods once kubelet, system and eviction threshold have theirs. */
export function allocatableOf(node: NodeCapacity): Resources {
  const kept = [kubeReserved(node), readAmounts(node.kubelet.systemReserved), evictionThreshold(node)];
  return Object.fromEntries(
    Object.entries(node.capacity).map(([name, amount]) => [
      name,
      Math.max(
        0,
        kept.reduce((left, overhead) => left - (readOwn(overhead, name) ?? 0), amount),
      ),
    ]),
  );
}

const kubeReserved = (node: NodeCapacity): Resources => ({
  cpu: reservedCpuMillis(node.capacity['cpu'] ?? 0),
  memory: (11 * podsThatCount(node) + 255) * overheadMib,
  'ephemeral-storage': overheadGib,
  ...readAmounts(node.kubelet.kubeReserved),
});

/** Shares of CPU, tier by tier: up to so many millicores, in ten-thousandths. */
const reservedCpuTiers = [
  { upToMillis: 1000, share: 600 },
  { upToMillis: 2000, share: 100 },
  { upToMillis: 4000, share: 50 },
  { upToMillis: Number.POSITIVE_INFINITY, share: 25 },
] as const;

function reservedCpuMillis(capacityMillis: number): number {
  let below = 0;
  let reserved = 0;
  for (const { upToMillis, share } of reservedCpuTiers) {
    const inTier = Math.max(0, Math.min(capacityMillis, upToMillis) - below);
    reserved += Math.floor((inTier * share) / 10_000);
    below = upToMillis;
  }
  return reserved;
}

/** Bottlerocket and Windows go by the pods a node may have, the others by its network interfaces. */
const podsThatCount = ({ info, capacity, family }: NodeCapacity): number =>
  family === 'Bottlerocket' || isWindowsFamily(family) ? (capacity['pods'] ?? 0) : interfaceLimitedPods(info);

function evictionThreshold({ capacity, computed, kubelet }: NodeCapacity): Resources {
  const memory = kubelet.evictionHard['memory.available'];
  const storage = kubelet.evictionHard['nodefs.available'];
  return {
    memory: memory === undefined ? 100 * overheadMib : readEvictionThreshold(memory, computed['memory'] ?? 0),
    'ephemeral-storage': readEvictionThreshold(storage ?? '10%', capacity['ephemeral-storage'] ?? 0),
  };
}

/** A percentage of the capacity, or an amount; 100% switches the signal off. */
function readEvictionThreshold(text: string, capacity: number): number {
  if (!text.endsWith('%')) return quantityUnits(text);
  const percent = Number(text.slice(0, -1));
  return percent === 100 ? 0 : Math.ceil((capacity * percent) / 100);
}

const readAmounts = (reserved: Readonly<Record<string, string>>): Resources =>
  Object.fromEntries(
    Object.entries(reserved).map(([name, text]) => [name, name === 'cpu' ? millisOf(text) : quantityUnits(text)]),
  );
