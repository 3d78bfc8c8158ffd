import type { Aws, ClusterAddon } from '@nodewright/aws-endpoints';
import { installEbsAddOn, uninstallEbsAddOn } from '@nodewright/cluster-sim';
import type { Clock, KubernetesClient } from '@nodewright/runtime';

export type AddOnWorld = {
  readonly clock: Clock;
  readonly eks: Pick<Aws['eks'], 'addons' | 'clusterName'>;
  readonly client: KubernetesClient;
  readonly log?: ((message: string, fields: Readonly<Record<string, unknown>>) => void) | undefined;
};

/** The add-on that has workloads in the cluster. The cluster has coredns, kube-proxy and the network plugin from the start. */
const storageAddOn = 'aws-ebs-csi-driver';

/** Goes on with the add-ons of the cluster after a start. */
export function resumeAddOns(world: AddOnWorld): void {
  for (const addon of world.eks.addons.listOf(world.eks.clusterName)) followAddOn(world, addon);
}

/** Brings the workloads of an add-on about when EKS is done with it. */
export function followAddOn(world: AddOnWorld, { clusterName, name, moving }: ClusterAddon): void {
  const { clock, eks, client, log } = world;
  if (name !== storageAddOn || clusterName !== eks.clusterName) return;
  clock.at(moving?.until ?? clock.now(), () => {
    const found = eks.addons.find(clusterName, name);
    const work = found === undefined ? uninstallEbsAddOn(client) : installEbsAddOn(client, found.version);
    work.catch((error: unknown) => log?.('an add-on stays as it is', { name, error }));
  });
}
