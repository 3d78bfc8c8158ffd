import { createHash } from 'node:crypto';
import { partitionOfRegion } from '@nodewright/apis';
import type { AwsAccount } from '../../account.ts';
import type { MachineListener } from '../../machine.ts';
import type { ClusterAddon } from '../addons/cluster-addon.ts';
import type { EksClusterAccess } from '../cluster-access.ts';
import type { NodeGroups } from '../nodegroups/node-groups.ts';

/** A cluster that a user created beside the first one, by its account, region and name. */
export type ClusterPlace = { readonly account: AwsAccount; readonly name: string };

/** What a control plane begins with. */
export type OpenedCluster = { readonly version: string; readonly nodeGroups: NodeGroups };

/**
 * Runs the control planes and the nodes of the clusters that users create beside the first one.
 *
 * Guarantees of the caller: a cluster is opened once, also after a restart, and before its instances are launched.
 */
export interface ClusterHost {
  /** Whether instances become nodes of these clusters. */
  readonly runsNodes: boolean;
  /** The cluster is active from now. */
  opened(place: ClusterPlace, cluster: OpenedCluster): void;
  /** Its control plane has this minor version from now. */
  upgraded(place: ClusterPlace, minor: string): void;
  /** EKS begins to install, change or remove an add-on of the cluster. */
  addonChanged(place: ClusterPlace, addon: ClusterAddon): void;
  /** The cluster is gone. */
  closed(place: ClusterPlace): void;
  /** Returns the URL of its API server. */
  endpointOf(place: ClusterPlace): string;
  /** Returns whether EKS can do its work in the cluster. */
  accessTo(place: ClusterPlace): EksClusterAccess;
  /**
   * Returns the listener of the instances of a region.
   * @param otherwise is told of the machines that join none of these clusters [not told]
   */
  machinesAt(account: AwsAccount, otherwise?: MachineListener): MachineListener;
}

const noMachines: MachineListener = { launched: () => undefined, stopping: () => undefined, behaves: () => undefined };

/** Without a host these clusters have settings only: their endpoints do not answer, and their instances are no nodes. */
export const noClusterHost: ClusterHost = {
  runsNodes: false,
  opened: () => undefined,
  upgraded: () => undefined,
  addonChanged: () => undefined,
  closed: () => undefined,
  endpointOf: ({ account, name }) =>
    `https://${endpointId(name)}.gr7.${account.region}.eks.${partitionOfRegion(account.region).dnsSuffix}`,
  accessTo: () => 'granted',
  machinesAt: (_account, otherwise = noMachines) => otherwise,
};

/** The text by which the addresses of a cluster differ from those of others. */
export const endpointId = (name: string): string =>
  createHash('sha256').update(name).digest('hex').slice(0, 32).toUpperCase();
