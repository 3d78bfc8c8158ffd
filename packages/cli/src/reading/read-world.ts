import type { Instant } from '@nodewright/apis';
import type { Cloud } from '@nodewright/ports';
import { createAwsClients, createAwsCloud } from '@nodewright/provider-aws';
import {
  createLogger,
  kubeConfigCluster,
  type KubernetesClient,
  kubernetesClient,
  realTime,
  seededRandom,
} from '@nodewright/runtime';
import { regionInForce } from '../controller/aws-cloud.ts';
import { minorVersion } from '../controller/minor-version.ts';
import { controllerTime } from '../controller/sandbox-clock.ts';
import { readSchedulingSettings, type SchedulingFlags } from '../controller/scheduling-settings.ts';
import { InputError } from '../terminal/exit-status.ts';
import type { ClusterFlags } from './cluster-flags.ts';
import { awsAgents } from '../controller/network-settings.ts';

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
  const { clock: clockUrl = process.env['NODEWRIGHT_SANDBOX'], kubeconfig, context } = flags;
  const cluster = await kubeConfigCluster({
    ...(kubeconfig === undefined ? {} : { file: kubeconfig }),
    ...(context === undefined ? {} : { context }),
  }).catch((failure: Error) => {
    throw new InputError(`--kubeconfig: ${failure.message}`, { cause: failure });
  });
  const time = await controllerTime(clockUrl === '' ? undefined : clockUrl, () => quiet);
  try {
    const { transport } = cluster;
    const client = kubernetesClient({ transport, gate: realTime().gate, userAgent: 'nodewright' });
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
    return await work({ client, cloud, now: time.clock.now() });
  } finally {
    time.stop();
  }
}

const quiet = createLogger({ clock: realTime().clock, sink: { write: () => undefined }, level: 'error' });
