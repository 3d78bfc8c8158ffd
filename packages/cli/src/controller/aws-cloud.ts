import { seconds } from '@nodewright/apis';
import type { Cloud } from '@nodewright/ports';
import { createAwsClients, createAwsCloud, receiveOnNews, regionOfChain } from '@nodewright/provider-aws';
import type { KubeConfigCluster, KubernetesClient, Logger, Metrics, Random, Tracer } from '@nodewright/runtime';
import { regionOfInstance } from './instance-region.ts';
import { cloudSettingsOf } from './cloud-settings.ts';
import { findClusterDns } from './cluster-dns.ts';
import { minorVersion } from './minor-version.ts';
import type { ControllerTime } from './sandbox-clock.ts';
import type { ControllerSettings } from './setting-table.ts';
import { awsAgents } from './network-settings.ts';

export type CloudNeeds = {
  readonly time: ControllerTime;
  readonly random: Random;
  readonly settings: ControllerSettings;
  readonly cluster: KubeConfigCluster;
  readonly client: KubernetesClient;
  readonly log: Logger;
  /** Whether the clock is that of a sandbox, which does not pass while a call waits for it. */
  readonly followsClock: boolean;
  readonly metrics: Metrics;
  readonly tracer?: Tracer | undefined;
};

/** How often a controller that follows a clock asks the queue. */
const askQueueEveryMs = seconds(10);

/** The cloud of the SDK's own chain of credentials, region and endpoint. */
export async function awsCloud(needs: CloudNeeds): Promise<Cloud> {
  const { time, followsClock } = needs;
  const cloud = await createCloudOfSettings(needs);
  if (!followsClock || cloud.interruptions === undefined) return cloud;
  const untilDue = (signal: AbortSignal): Promise<void> => time.clock.sleep(askQueueEveryMs, signal);
  return { ...cloud, interruptions: receiveOnNews(cloud.interruptions, untilDue) };
}

async function createCloudOfSettings(needs: CloudNeeds): Promise<Cloud> {
  const { time, random, settings, cluster, client, log, metrics, followsClock, tracer } = needs;
  const region = await regionInForce();
  const agents = awsAgents(process.env);
  const { clusterName, clusterEndpoint, clusterCaBundle, eksControlPlane } = settings;
  const ca = clusterCaBundle || cluster.certificateAuthority;
  return createAwsCloud({
    clock: time.clock,
    gate: time.gate,
    random,
    log,
    metrics,
    clusterName,
    region,
    clients: createAwsClients({ region, tracer, ...(agents === undefined ? {} : { agents }) }),
    ...(clusterEndpoint === '' ? {} : { clusterEndpoint }),
    ...(ca === undefined ? {} : { clusterCaBundle: ca }),
    clusterDns: () => findClusterDns(client, log),
    ...(eksControlPlane ? {} : { kubernetesVersion: () => minorVersion(client) }),
    ...cloudSettingsOf(settings),
    ...(followsClock && { interruptionWaitSeconds: 0 }),
  });
}

/**
 * From the environment, the profile, or the instance that this runs on, in this order. `AWS_DEFAULT_REGION` is the aws
 * command's; the SDK does not read it.
 */
export async function regionInForce(): Promise<string> {
  const named = process.env['AWS_REGION'] || process.env['AWS_DEFAULT_REGION'];
  if (named !== undefined && named !== '') return named;
  try {
    return await regionOfChain();
  } catch {
    return regionOfInstance(process.env); // its error says what else there is to set
  }
}
