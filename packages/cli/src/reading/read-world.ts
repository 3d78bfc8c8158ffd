import type { Instant } from '@nodewright/apis';
import type { Cloud } from '@nodewright/ports';
import { createAwsClients, createAwsCloud } from '@nodewright/provider-aws';
import { type KubernetesClient, seededRandom } from '@nodewright/runtime';
import { regionInForce } from '../controller/aws-cloud.ts';
import { minorVersion } from '../controller/minor-version.ts';
import { awsAgents } from '../controller/network-settings.ts';
import { readSchedulingSettings, type SchedulingFlags } from '../controller/scheduling-settings.ts';
import type { ClusterFlags } from './cluster-flags.ts';
import { withCluster } from './open-cluster.ts';

/** A cluster and its cloud, to be read at one moment. */
export type ReadableWorld = { readonly client: KubernetesClient; readonly cloud: Cloud; readonly now: Instant };

/**
 * Opens the cluster of the kubeconfig and the account of the SDK's own chain, does the work, and lets go of both.
 * @throws InputError when there is no such kubeconfig, region or clock
 */
export async function withWorld<T>(
  flags: ClusterFlags & SchedulingFlags,
  work: (world: ReadableWorld) => Promise<T>,
): Promise<T> {
  const { reservedCapacity } = readSchedulingSettings(flags, process.env);
  return withCluster(flags, async ({ client, now, time }) => {
    const region = await regionInForce();
    const agents = awsAgents(process.env);
    const cloud = createAwsCloud({
      clock: time.clock,
      gate: time.gate,
      random: seededRandom(1),
      clusterName: process.env['CLUSTER_NAME'] ?? process.env['EKS_CLUSTER_NAME'] ?? '',
      region,
      clients: createAwsClients({ region, ...(agents === undefined ? {} : { agents }) }),
      kubernetesVersion: () => minorVersion(client),
      reservedCapacity,
    });
    return work({ client, cloud, now });
  });
}
