import { byTextOf, type Taint } from '@nodewright/apis';
import type { ControlPlaneAccess } from '../../control-plane/cluster.ts';

/** The settings that a node starts with, independent of the image family. */
export type BootstrapSettings = {
  readonly clusterName: string;
  readonly cluster: ControlPlaneAccess;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly maxPods: number;
  /** `spec.kubelet` as it is written. */
  readonly kubelet: Readonly<Record<string, unknown>>;
  readonly instanceStorePolicy?: 'RAID0';
  /** `spec.userData`. */
  readonly custom?: string;
};

/** Where pods ask for names: what `spec.kubelet` says, else the DNS service of the cluster. */
export function clusterDns({ kubelet, cluster: { dns } }: BootstrapSettings): readonly string[] {
  const told = Array.isArray(kubelet['clusterDNS']) ? kubelet['clusterDNS'].map(String) : [];
  return told.length === 0 && dns !== undefined ? [dns] : told;
}

/** Entries of an object, sorted by key. */
export const sortEntries = <V>(map: Readonly<Record<string, V>>): [string, V][] =>
  Object.entries(map).toSorted(byTextOf(([key]) => key));
