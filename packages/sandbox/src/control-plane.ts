import type { Faults, NodeGroups } from '@nodewright/aws-endpoints';
import {
  createClusterServices,
  startClusterServices,
  startScheduler,
  startWorkloadControllers,
  type Stoppable,
  updateAddOns,
} from '@nodewright/cluster-sim';
import { type ApiServer, isDeviceSelected } from '@nodewright/kube-api';
import type { KubernetesClient, Random } from '@nodewright/runtime';
import { fromEks } from './cluster-access.ts';
import { type ClientFactory, nodeManagerPeer } from './cluster-clients.ts';
import { startNodeManager } from './node-manager/node-manager.ts';
import type { SandboxOptions } from './sandbox-options.ts';

/** One cluster: its API server, its node groups and the clients in this process. */
export type RunningCluster = {
  readonly kubernetes: ApiServer;
  readonly faults: Faults;
  readonly nodeGroups: NodeGroups;
  readonly client: ClientFactory;
  readonly random: Random;
};

/** The controllers, the scheduler, and the part of EKS that manages nodes inside the cluster. */
export function startControlPlane(
  options: SandboxOptions,
  { kubernetes, faults, nodeGroups, client, random }: RunningCluster,
): readonly Stoppable[] {
  const controllers = {
    ...options,
    random: random.fork('controllers'),
    client: client('kube-controller-manager'),
    selectDevice: isDeviceSelected,
    kubernetesMinor: () => Number(kubernetes.version.split('.')[1]),
  };
  return [
    startWorkloadControllers(controllers),
    startScheduler({ ...controllers, client: client('kube-scheduler') }),
    startNodeManager({
      ...options,
      random: random.fork('node-manager'),
      client: client('eks-node-manager', { peer: nodeManagerPeer, server: fromEks(kubernetes, faults) }),
      nodeGroups,
    }),
  ];
}

/** The network interfaces of the control plane, in two subnets of the VPC. */
const controlPlaneAddresses = ['192.168.31.250', '192.168.63.250'];

/** Its DNS, endpoints of services, metrics and the scaling by them. */
export async function startServices(
  options: SandboxOptions,
  { client, random }: Pick<RunningCluster, 'client' | 'random'>,
): Promise<Stoppable> {
  const { kubernetesVersion } = options;
  await createClusterServices(client('eks'), { kubernetesVersion, addresses: controlPlaneAddresses });
  return startClusterServices({
    ...options,
    random: random.fork('cluster services'),
    client: client('kube-controller-manager'),
  });
}

/** What EKS does about its add-ons, soon after the control plane has another version. */
export function updateAddOnsSoon(
  { clock, log }: Pick<SandboxOptions, 'clock' | 'log'>,
  client: KubernetesClient,
  kubernetes: Pick<ApiServer, 'version'>,
): void {
  clock.at(clock.now(), () => {
    updateAddOns(client, kubernetes.version).catch((error: unknown) => log?.('add-ons stay as they are', { error }));
  });
}
