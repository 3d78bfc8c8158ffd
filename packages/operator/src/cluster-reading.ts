import type {
  Conditioned,
  DisruptionPause,
  EC2NodeClass,
  Instant,
  KubernetesObject,
  NodeClaim,
  NodeGroup,
  NodePool,
  NodeRollout,
  NodeRolloutPolicy,
  Pod,
} from '@nodewright/apis';
import type {
  DefaultSpreadConstraint,
  DisruptionSnapshot,
  NewNode,
  NodeState,
  PodComplaint,
  SchedulingOptions,
} from '@nodewright/engine';
import type { Cloud } from '@nodewright/ports';
import { listAll, type KubernetesClient } from '@nodewright/runtime';
import { observeOverlays } from './controllers/node-overlay/observe.ts';
import { planOverlays } from './controllers/node-overlay/plan.ts';
import { disruptionProblem } from './controllers/disruption/observe.ts';
import { observeRound } from './controllers/provisioning/observe.ts';
import { planPlacements } from './controllers/provisioning/plan.ts';
import type { CachedCollection } from './objects/collection.ts';
import { listIfServed } from './objects/list-if-served.ts';
import { readRolloutOutlooks, type RolloutOutlook } from './rollout-outlook.ts';
import { ClusterState } from './state/cluster-state.ts';
import { createObjects, type Objects } from './state/objects.ts';
import { OverlaidTypes } from './state/overlaid-types.ts';
import { optionalKinds, type OptionalKinds } from './state/watches.ts';
import { trackUnansweredTypes } from './unanswered-types.ts';

/** The objects that hold nodes of NodePools back, or lead them to other images. */
export type RolloutObjects = {
  readonly policies: readonly NodeRolloutPolicy[];
  readonly rollouts: readonly NodeRollout[];
  readonly pauses: readonly DisruptionPause[];
};

/** One look at a cluster, put together as the controllers do it, for explanations. */
export type ClusterReading = {
  readonly nodeClasses: readonly EC2NodeClass[];
  readonly nodePools: readonly NodePool[];
  readonly nodeClaims: readonly NodeClaim[];
  readonly nodeGroups: readonly NodeGroup[];
  readonly pods: readonly Pod[];
  /** What a disruption would be decided on. Nominations are in the memory of the controllers, and missing here. */
  readonly disruption: DisruptionSnapshot;
  readonly rolloutObjects: RolloutObjects;
  /** What the policies would do next, by what is stored of their rollouts. */
  readonly rollouts: readonly RolloutOutlook[];
  /** The gate `SpotToSpotConsolidation`. */
  readonly spotToSpot: boolean;
  /**
   * NodePools whose instance types this reader could not ask for, with what came instead of an answer. What rests on prices, or on
   * what could be launched from them, is not known then; the controllers may know it.
   */
  readonly unsuppliedPools: ReadonlyMap<string, string>;
  /** What a scheduling round would decide now. */
  readonly round: {
    /** Pods that are passed over because of what they ask for. */
    readonly ignored: readonly { readonly pod: Pod; readonly complaint: PodComplaint }[];
    readonly newNodes: readonly NewNode[];
    readonly existing: readonly { readonly node: NodeState; readonly pods: readonly Pod[] }[];
    /** With a line for each different thing that stands against the pod. */
    readonly unschedulable: readonly {
      readonly pod: Pod;
      readonly reasons: readonly string[];
      /** When one of them passes by itself. */
      readonly until?: Instant;
    }[];
    /** Pods that wait for the node that was launched for them, which is not as it has to be for them yet. */
    readonly waiting: readonly { readonly node: NodeState; readonly pods: readonly Pod[] }[];
    /** Pods that wait for reserved capacity which others of the round hold. */
    readonly deferred: readonly Pod[];
  };
};

export type ReadingSources = {
  readonly client: KubernetesClient;
  readonly cloud: Pick<Cloud, 'instanceTypes'>;
  readonly options: SchedulingOptions;
  /** How pods that state no spread of their own are spread. */
  readonly defaultSpread: readonly DefaultSpreadConstraint[];
  /** Which feature gates are on. A gate that is not given counts as on where a controller has judged such objects. */
  readonly nodeOverlay?: boolean | undefined;
  readonly capacityBuffer?: boolean | undefined;
  /** The gate of this name [false]. */
  readonly spotToSpotConsolidation?: boolean;
  readonly now: Instant;
};

/** What the policies of a cluster would do next. Lists every kind that they look at once, and writes nothing. */
export async function readRolloutPlans(client: KubernetesClient, now: Instant): Promise<readonly RolloutOutlook[]> {
  const objects = createObjects(client);
  await fillAll(objects, client, { selectors: false, overlays: false, buffers: false });
  await endpointsIfAllowed(objects, client);
  return readRolloutOutlooks({ objects, client, now });
}

/** Lists every kind once and asks the cloud for instance types. Writes nothing. */
export async function readClusterState(sources: ReadingSources, signal: AbortSignal): Promise<ClusterReading> {
  const { client, defaultSpread, now, ...gates } = sources;
  const objects = createObjects(client);
  await fillAll(objects, client, kindsOfGates({ ...gates, defaultSpread }));
  if (objects.rolloutPolicies.list().length > 0) await endpointsIfAllowed(objects, client);
  return assembleReading({ objects, state: new ClusterState(objects) }, sources, { now, signal });
}

/** Which optional kinds the gates ask for. */
export const kindsOfGates = ({
  defaultSpread,
  nodeOverlay,
  capacityBuffer,
}: Pick<ReadingSources, 'defaultSpread' | 'nodeOverlay' | 'capacityBuffer'>): OptionalKinds => ({
  selectors: defaultSpread.length > 0,
  overlays: nodeOverlay !== false,
  buffers: capacityBuffer !== false,
});

type ReadingMoment = { readonly now: Instant; readonly signal: AbortSignal };

/** The objects of a cluster, and the state that follows them: one for all readings of the same objects. */
type ReadableCluster = { readonly objects: Objects; readonly state: ClusterState };

/** Puts a reading together from objects that are known already. Asks the cloud for instance types, and writes nothing. */
export async function assembleReading(
  { objects, state }: ReadableCluster,
  { client, cloud, options, defaultSpread, ...gates }: Omit<ReadingSources, 'now'>,
  { now, signal }: ReadingMoment,
): Promise<ClusterReading> {
  const instanceTypes = trackUnansweredTypes(cloud.instanceTypes);
  const overlays = new OverlaidTypes(gates.nodeOverlay ?? objects.nodeOverlays.list().some(hasConditions));
  overlays.stand(planOverlays(await observeOverlays({ objects, instanceTypes }, signal)).standing);
  const sources = {
    objects,
    state,
    overlays,
    instanceTypes,
    options,
    defaultSpread,
  };
  const disruption = await disruptionProblem(sources, now, signal);
  const round = await observeRound(sources, now, signal);
  const plan = planPlacements(round, options, now);
  return {
    nodeClasses: objects.nodeClasses.list(),
    nodePools: objects.nodePools.list(),
    nodeClaims: objects.nodeClaims.list(),
    nodeGroups: objects.nodeGroups.list(),
    pods: objects.pods.list(),
    disruption,
    rolloutObjects: {
      policies: objects.rolloutPolicies.list(),
      rollouts: objects.rollouts.list(),
      pauses: objects.pauses.list(),
    },
    rollouts: await readRolloutOutlooks({ objects, client, now }),
    spotToSpot: gates.spotToSpotConsolidation ?? false,
    unsuppliedPools: instanceTypes.listUnsuppliedPools(objects.nodePools.list()),
    round: {
      ignored: round.ignored,
      newNodes: plan.create.map(({ newNode }) => newNode),
      existing: plan.nominate,
      unschedulable: plan.unschedulable,
      waiting: plan.waiting,
      deferred: plan.deferred,
    },
  };
}

const hasConditions = ({ status }: Conditioned): boolean => (status?.conditions ?? []).length > 0;

/**
 * Nodes before pods, as in a round: what `Objects` lists first is read first. Where only Karpenter's definitions are
 * installed, the other kinds count as empty, as they do for the controllers.
 */
async function fillAll(objects: Objects, client: KubernetesClient, also: OptionalKinds): Promise<void> {
  const everything = { selectors: true, overlays: true, buffers: true, endpoints: true };
  const optional = new Set(optionalKinds(objects, everything));
  // Each collection only ever gets objects of its own kind.
  const all = Object.values(objects) as unknown as readonly CachedCollection<KubernetesObject>[];
  const read = [...all.filter((collection) => !optional.has(collection)), ...optionalKinds(objects, also)];
  const lacking = new Set([...optional, ...kindsOfOurOwn(objects)]);
  for (const collection of read) {
    if (lacking.has(collection)) await fillIfServed(collection, client);
    else await fill(collection, client);
  }
}

const kindsOfOurOwn = ({
  imageRules,
  rolloutPolicies,
  rollouts,
  pauses,
  nodeGroups,
}: Objects): readonly CachedCollection<KubernetesObject>[] =>
  // Each collection only ever gets objects of its own kind.
  [
    imageRules,
    rolloutPolicies,
    rollouts,
    pauses,
    nodeGroups,
  ] as unknown as readonly CachedCollection<KubernetesObject>[];

/** Rights to read endpoints came later than the others. */
const endpointsIfAllowed = (objects: Objects, client: KubernetesClient): Promise<void> =>
  fillIfServed(objects.endpointSlices, client);

/** Leaves the collection empty where the API server has no such kind, or the caller may not read it. */
async function fillIfServed<T extends KubernetesObject>(
  collection: CachedCollection<T>,
  client: KubernetesClient,
): Promise<void> {
  for (const object of await listIfServed(client, collection.type)) collection.cache.seen(object);
}

async function fill<T extends KubernetesObject>(
  { type, cache }: CachedCollection<T>,
  client: KubernetesClient,
): Promise<void> {
  for (const object of (await listAll(client, type)).items) cache.seen(object);
}
