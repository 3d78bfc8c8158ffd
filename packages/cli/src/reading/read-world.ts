import { type Instant, seconds } from '@nodewright/apis';
import { type Cloud, CloudError } from '@nodewright/ports';
import { createAwsClients, createAwsCloud, type SdkClients } from '@nodewright/provider-aws';
import { type CallGate, type Clock, type KubernetesClient, seededRandom } from '@nodewright/runtime';
import { regionInForce } from '../controller/aws-cloud.ts';
import { minorVersion } from '../controller/minor-version.ts';
import { awsAgents } from '../controller/network-settings.ts';
import { readSchedulingSettings, type SchedulingFlags } from '../controller/scheduling-settings.ts';
import { InputError } from '../terminal/exit-status.ts';
import type { ClusterFlags } from './cluster-flags.ts';
import { withCluster } from './open-cluster.ts';

/** A cluster and its cloud, to be read at one moment. */
export type ReadableWorld = {
  readonly client: KubernetesClient;
  readonly cloud: Cloud;
  readonly now: Instant;
  readonly clock: Clock;
  readonly gate: CallGate;
  /** What the cloud asks. */
  readonly clients: SdkClients;
  readonly region: string;
  /** Empty where no variable names the cluster. */
  readonly clusterName: string;
};

/** A person waits for the command, and each call is made several times. */
const patience = { answerMs: seconds(10), isForOnce: true };

type WorldTraits = {
  /** Whether the work goes on without a region: AWS refuses what it is asked then [no]. */
  readonly toleratesNoRegion?: boolean;
};

/**
 * Opens the cluster of the kubeconfig and the account of the SDK's own chain, does the work, and lets go of both.
 * @throws InputError when there is no such kubeconfig, region or clock
 */
export async function withWorld<T>(
  flags: ClusterFlags & SchedulingFlags,
  work: (world: ReadableWorld) => Promise<T>,
  { toleratesNoRegion = false }: WorldTraits = {},
): Promise<T> {
  const { reservedCapacity } = readSchedulingSettings(flags, process.env);
  return withCluster(flags, async ({ client, now, time }) => {
    const region = await regionInForce().catch((failure: unknown) => {
      if (toleratesNoRegion && failure instanceof InputError) return failure;
      throw failure;
    });
    const agents = awsAgents(process.env);
    const clusterName = process.env['CLUSTER_NAME'] ?? process.env['EKS_CLUSTER_NAME'] ?? '';
    const named = region instanceof InputError ? unaskedRegion : region;
    const clients = createAwsClients({ region: named, patience, ...(agents === undefined ? {} : { agents }) });
    const { clock, gate } = time;
    const cloud = createAwsCloud({
      clock,
      gate,
      random: seededRandom(1),
      clusterName,
      region: named,
      clients,
      kubernetesVersion: () => minorVersion(client),
      reservedCapacity,
    });
    const asked = region instanceof InputError ? refuseQuestions(cloud, region.message) : cloud;
    return work({ client, cloud: asked, now, clock, gate, clients, region: named, clusterName });
  });
}

/** Clients cannot be made without one. Without a region nothing is asked of them. */
const unaskedRegion = 'us-east-1';

/** A cloud that is never reached: what looks something up is refused. */
function refuseQuestions(cloud: Cloud, because: string): Cloud {
  const refuse = (): Promise<never> => Promise.reject(new CloudError(because, { code: 'NoRegion', retry: 'backOff' }));
  return {
    ...cloud,
    instanceTypes: { list: refuse, named: refuse },
    nodeClasses: { ...cloud.nodeClasses, images: refuse },
  };
}
