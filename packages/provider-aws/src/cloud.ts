import { awsTags, type EC2NodeClass, earliest, readOwn } from '@nodewright/apis';
import type { CapacityPort, Cloud, InstancePort, InterruptionPort, NodeClassPort } from '@nodewright/ports';
import {
  type CallGate,
  type Clock,
  type Logger,
  type Metrics,
  type Random,
  silentLogger,
  silentMetrics,
} from '@nodewright/runtime';
import { type AnswerNews, Freshness } from './caching/freshness.ts';
import { asCloudError, callAws } from './calls/call-aws.ts';
import { lookupRules, type RetryRules } from './calls/consequences.ts';
import type { AwsClients } from './calls/clients.ts';
import { createProviderCounters } from './calls/provider-counters.ts';
import type { AwsContext } from './context.ts';
import { ReservationLookup } from './found/capacity-reservations/capacity-reservations.ts';
import { ClusterLookup } from './control-plane/cluster.ts';
import { ImageLookup } from './found/images/images.ts';
import { managedGroups } from './node-groups/managed-groups.ts';
import { scalingGroups } from './auto-scaling/scaling-groups.ts';
import { InstanceProfiles } from './launch/instance-profiles.ts';
import { Catalogue } from './market/types/catalogue.ts';
import { InstanceTypes } from './market/types/instance-types.ts';
import { ObservedMemories } from './market/types/observed-memory.ts';
import { InstanceHealth } from './interruptions/instance-health.ts';
import { InterruptionQueue } from './interruptions/queue.ts';
import { DescribedInstances } from './instances/described-instances.ts';
import { parseInstanceId } from './instances/instance.ts';
import { repairPolicies } from './instances/repair-policies.ts';
import { Launcher } from './launch/launcher.ts';
import { UnavailableOfferings } from './market/unavailable-offerings.ts';
import { LaunchTemplateStore } from './launch/templates/launch-templates.ts';
import { PlacementGroupLookup } from './found/placement-groups/placement-groups.ts';
import { Pricing } from './market/prices/pricing.ts';
import { SecurityGroups } from './found/security-groups.ts';
import { sharedParameters } from './found/shared-parameters.ts';
import { Subnets } from './found/subnets.ts';
import { VcpuRooms } from './quotas/vcpu-rooms.ts';
import { KubeletExpressions } from './node-settings/kubelet-expressions.ts';
import { NodeClassValidation } from './validation/validate.ts';

export type AwsCloudOptions = {
  readonly clock: Clock;
  readonly gate: CallGate;
  readonly random: Random;
  /** Told what went on without an answer of AWS. */
  readonly log?: Logger;
  /** Where batches and failures are counted [nowhere]. */
  readonly metrics?: Metrics;
  readonly clusterName: string;
  readonly region: string;
  /** Where nodes find the API server; without it, what EKS says. */
  readonly clusterEndpoint?: string;
  /** Base64 PEM of who signed the API server's certificate; without it, what EKS says. */
  readonly clusterCaBundle?: string;
  /** Tells the control plane's minor version; without it, EKS is asked. */
  readonly kubernetesVersion?: (signal: AbortSignal) => Promise<string>;
  /** Finds the address of the cluster's DNS service, which nodes are told unless `spec.kubelet.clusterDNS` is set. */
  readonly clusterDns?: () => Promise<string | undefined>;
  readonly clients: AwsClients;
  /** The share of memory that the hypervisor takes [0.075]. */
  readonly vmMemoryOverheadPercent?: number;
  /** `RESERVED_ENIS` [0]: network interfaces of each node whose addresses are not for pods. */
  readonly reservedEnis?: number;
  /** `AMI_REFRESH_INTERVAL` [1 min, 12 min at rest]: how long answers about images and moving parameters are believed. */
  readonly imagesFreshMs?: number;
  /** How long found subnets count [1 min]. */
  readonly subnetsFreshMs?: number;
  /** Whether EC2 is asked if a launch would be allowed [true]. */
  readonly dryRun?: boolean;
  /** The gate `NodeClassCEL` [false]: whether expressions in `spec.kubelet` are evaluated. */
  readonly nodeClassCel?: boolean;
  /** The gate `ReservedCapacity` [true]: whether capacity reservations are looked for and launched from. */
  readonly reservedCapacity?: boolean;
  /** `INTERRUPTION_QUEUE`: the name of the queue that AWS announces interruptions in; none without. */
  readonly interruptionQueue?: string;
  /** How long SQS holds an empty answer back, in seconds [20]. */
  readonly interruptionWaitSeconds?: number;
  /** Whether the price list, Service Quotas and the clean-up of instance profiles cannot be reached [false]. */
  readonly isolatedVpc?: boolean;
  /** When the account gives other answers, where it is in the same process [not told: polls find out]. */
  readonly news?: AnswerNews;
};

/** The cloud port over EC2, SSM, EKS, IAM and the price list. Errors are `CloudError`s. */
export function createAwsCloud(options: AwsCloudOptions): Cloud {
  const { clock, gate, random, clients, clusterName, region, log = silentLogger, interruptionQueue = '' } = options;
  const call = callAws({ clock, gate, random: random.fork('aws-retries') });
  const freshness = new Freshness(clock, options.news);
  const counters = createProviderCounters(options.metrics ?? silentMetrics);
  const context: AwsContext = { clock, random, clients, call, clusterName, region, log, freshness, counters };
  const parts = createCloudParts(context, options);
  return {
    instances: instancePort(parts, context),
    instanceTypes: edged({
      list: (nodeClass, signal) => parts.types.list(nodeClass, signal),
      named: (names, signal) => parts.types.named(names, signal),
    }),
    nodeClasses: nodeClassPort(parts),
    capacityReservations: edged({ named: (ids, signal) => parts.reservations.named(ids, signal) }),
    capacity: capacityPort(parts),
    instanceHealth: edged({ unhealthy: (signal) => parts.health.unhealthy(signal) }),
    repairPolicies,
    ...(interruptionQueue !== '' && { interruptions: edged(interruptionPort(context, options)) }),
    controlPlane: edged({ kubernetesVersion: (signal, pace) => parts.cluster.kubernetesVersion(signal, pace) }),
    managedGroups: edged(managedGroups(context)),
    scalingGroups: edged(scalingGroups(context, { isolatedVpc: options.isolatedVpc ?? false })),
    quotas: edged({
      roomFor: async (kinds, signal) => (parts.isolatedVpc ? [] : parts.vcpuRooms.roomFor(kinds, signal)),
    }),
    parameters: edged(sharedParameters(context)),
    ...(options.news && { changes: answerChanges(options.news, parts, context) }),
  };
}

/** Answers change with the account, and when something is tried again that EC2 was out of. */
const answerChanges = (
  news: AnswerNews,
  { unavailable }: CloudParts,
  { freshness }: AwsContext,
): NonNullable<Cloud['changes']> => ({
  version: () => freshness.version(),
  steadyUntil: (of) => earliest(freshness.steadyUntil(of === 'market' ? ['market'] : undefined), unavailable.nextEnd()),
  onChange: (handler) => news.onChange(handler),
});

type CloudParts = ReturnType<typeof createCloudParts>;

function createCloudParts(context: AwsContext, options: AwsCloudOptions) {
  const {
    vmMemoryOverheadPercent = 0.075,
    reservedEnis: reservedInterfaces = 0,
    imagesFreshMs,
    subnetsFreshMs,
    dryRun = true,
    isolatedVpc = false,
    nodeClassCel = false,
  } = options;
  const expressions = nodeClassCel ? new KubeletExpressions() : undefined;
  const unavailable = new UnavailableOfferings(context.clock);
  const reservations = new ReservationLookup(context, options.reservedCapacity ?? true);
  const described = new DescribedInstances(context, reservations);
  const templates = new LaunchTemplateStore(context);
  const subnets = new Subnets(context, subnetsFreshMs);
  const cluster = new ClusterLookup(context, {
    endpoint: options.clusterEndpoint,
    certificateAuthority: options.clusterCaBundle,
    kubernetesVersion: options.kubernetesVersion,
    clusterDns: options.clusterDns,
  });
  const profiles = new InstanceProfiles(context);
  const catalogue = new Catalogue(context);
  const pricing = new Pricing(context, { isolatedVpc });
  const placementGroups = new PlacementGroupLookup(context);
  const memories = new ObservedMemories(context.clock);
  const types = new InstanceTypes({
    memories,
    context,
    catalogue,
    pricing,
    unavailable,
    reservations,
    placementGroups,
    vmMemoryOverheadPercent,
    reservedInterfaces,
    expressions,
  });
  return {
    described,
    health: new InstanceHealth(context, () => described.knownIds()),
    unavailable,
    memories,
    reservations,
    placementGroups,
    templates,
    subnets,
    cluster,
    images: new ImageLookup(context, imagesFreshMs),
    groups: new SecurityGroups(context),
    profiles,
    isolatedVpc,
    vcpuRooms: new VcpuRooms(context, catalogue),
    validation: new NodeClassValidation({ context, cluster, templates, types, dryRun, expressions }),
    types,
    launcher: new Launcher({
      context,
      cluster,
      templates,
      types,
      profiles,
      subnets,
      unavailable,
      reservations,
      described,
    }),
  };
}

const capacityPort = ({ unavailable, reservations, memories }: CloudParts): CapacityPort => ({
  spotTakenBack: (offering) => unavailable.mark({ ...offering, capacityType: 'spot' }),
  reservationTakenBack: (id) => reservations.exhausted(id),
  nodeMemorySeen: ({ bytes, ...pair }) => memories.report(pair, bytes),
});

function interruptionPort(
  context: AwsContext,
  { interruptionQueue = '', interruptionWaitSeconds }: AwsCloudOptions,
): InterruptionPort {
  const queue = new InterruptionQueue(context, interruptionQueue, interruptionWaitSeconds);
  return {
    receive: (signal) => queue.receive(signal),
    remove: (message, signal) => queue.remove(message, signal),
  };
}

const instancePort = (
  { launcher, described, reservations }: CloudParts,
  { clusterName, counters }: AwsContext,
): InstancePort =>
  edged({
    launch: (request, signal) => launcher.launch(request, signal),
    get: async (providerId) => {
      const id = parseInstanceId(providerId);
      return id === undefined ? undefined : described.get(id);
    },
    lastSeen: async (providerId) => {
      const id = parseInstanceId(providerId);
      return id === undefined ? undefined : described.lastSeen(id);
    },
    checkPresence: async (providerId) => {
      const id = parseInstanceId(providerId);
      return id === undefined ? 'ended' : described.checkPresence(id);
    },
    list: (signal) => described.list(signal),
    terminate: (providerId) => terminateByProviderId({ described, reservations, counters }, providerId),
    tag: async (providerId, tags, signal) => {
      const id = parseInstanceId(providerId);
      if (id !== undefined) await described.tag(id, { ...tags, [awsTags.clusterName]: clusterName }, signal);
    },
  });

type EndDeps = Pick<CloudParts, 'described' | 'reservations'> & Pick<AwsContext, 'counters'>;

async function terminateByProviderId(
  { described, reservations, counters }: EndDeps,
  providerId: string,
): Promise<'terminating' | 'gone' | 'unknown'> {
  const id = parseInstanceId(providerId);
  if (id === undefined) return 'gone';
  const instance = await described.describe(id);
  if (instance?.state === 'terminated') {
    reservations.ended(id);
    return 'gone';
  }
  try {
    if (instance?.state !== 'shutting-down') await described.terminate(id);
  } catch (error) {
    counters.terminationFailed({ zone: instance?.zone ?? '', zoneId: instance?.zoneId ?? '' });
    throw error;
  }
  return instance === undefined ? 'unknown' : 'terminating';
}

const nodeClassPort = ({
  subnets,
  groups,
  images,
  profiles,
  templates,
  validation,
  reservations,
  placementGroups,
  isolatedVpc,
}: CloudParts): NodeClassPort =>
  edged(
    {
      subnets: (nodeClass, signal, pace) => subnets.find(nodeClass, signal, pace),
      securityGroups: (nodeClass, signal, pace) => groups.find(nodeClass, signal, pace),
      capacityReservations: (nodeClass, signal) => reservations.find(nodeClass, signal),
      placementGroup: (nodeClass, signal) => placementGroups.find(nodeClass, signal),
      images: (query, signal, pace) => images.find(query, signal, pace),
      ensureInstanceProfile: (nodeClass, signal, pace) => profiles.ensure(nodeClass, signal, pace),
      cleanUp: async (nodeClass: EC2NodeClass, signal) => {
        if (!isolatedVpc) await profiles.cleanUp(nodeClass, signal);
        await templates.cleanUp(nodeClass, signal);
        validation.forget(nodeClass);
      },
      validate: (nodeClass, pools, signal, pace) => validation.validate({ nodeClass, pools, pace }, signal),
    },
    nodeClassRules,
  );

/** The methods whose calls take all their input from the spec. */
const nodeClassRules: Partial<Readonly<Record<keyof NodeClassPort, RetryRules>>> = {
  subnets: lookupRules,
  securityGroups: lookupRules,
  capacityReservations: lookupRules,
  placementGroup: lookupRules,
  images: lookupRules,
  ensureInstanceProfile: lookupRules,
};

type PortMethod = (...args: never[]) => Promise<unknown>;

/**
 * The same port, whose methods throw the port's errors.
 * @param rules the methods whose errors have other consequences than their classes say
 */
function edged<P extends { readonly [K in keyof P]: PortMethod }>(
  port: P,
  rules: Partial<Readonly<Record<string, RetryRules>>> = {},
): P {
  const methods = Object.entries<PortMethod>(port).map(([name, method]): [string, PortMethod] => [
    name,
    async (...args) => {
      try {
        return await method(...args);
      } catch (error) {
        throw asCloudError(error, readOwn(rules, name));
      }
    },
  ]);
  return Object.fromEntries(methods) as P;
}
