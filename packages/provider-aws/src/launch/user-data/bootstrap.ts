import { byTextOf, type Taint } from '@nodewright/apis';
import type { ClusterAccess } from '../../control-plane/cluster.ts';

/** What a node is told when it starts, in no family's own words. */
export type Bootstrap = {
  readonly clusterName: string;
  readonly cluster: ClusterAccess;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly maxPods: number;
  /** `spec.kubelet` as it is written. */
  readonly kubelet: Readonly<Record<string, unknown>>;
  readonly instanceStorePolicy?: 'RAID0';
  /** `spec.userData`. */
  readonly custom?: string;
};

/** Entries of an object, sorted by key. */
export const sortedEntries = <V>(map: Readonly<Record<string, V>>): [string, V][] =>
  Object.entries(map).toSorted(byTextOf(([key]) => key));
