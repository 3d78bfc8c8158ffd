import {
  days,
  type Event,
  fromTimestamp,
  type Instant,
  instant,
  type KubernetesObject,
  type NodeClaim,
  type Pod,
} from '@nodewright/apis';
import { type Snapshot, restoreBeginning } from '@nodewright/forecast';
import { builtInReleases, chooseCatalogue, historyUntil, type CatalogueName } from '@nodewright/aws-endpoints';
import type { ApiObject, ObjectWrite } from '@nodewright/kube-api';
import type { OperatorSettings } from '@nodewright/operator';
import { type Ledger, type Random, seededRandom, virtualTime } from '@nodewright/runtime';
import { createSandbox, type Sandbox } from '@nodewright/sandbox';
import type { FeatureGateName, ScenarioCluster } from '../reading/scenario-file.ts';
import { FactCache, type SeenEviction } from './fact-cache.ts';
import { controllerUserAgent, ControllerProcess } from './controller-process.ts';
import { PlayTimeline } from './timeline.ts';
import { InstanceRecords } from './launched-instances.ts';
import { ObservedCluster, collectionNames } from './observed-cluster.ts';
import { ReleaseBehaviors } from './release-behaviors.ts';
import { PodLabelsUse } from './pod-labels-use.ts';
import { ReadyPods } from './ready-pods.ts';
import { usualMinor, usualStart } from './usual-cluster.ts';
import type { DrivenTime, HostedTime, ScenarioController, WorldHost } from './world-host.ts';

export type TestedWorldOptions = {
  readonly cluster: ScenarioCluster;
  readonly seed: number;
  /** Which instance types there have to be, and whether services need endpoints, is read from these. */
  readonly manifests: readonly KubernetesObject[];
  readonly clusterName: string;
  /** The cluster in which the world begins [one without nodes]. */
  readonly snapshot?: Snapshot;
  /** Where the world is kept [nowhere]. */
  readonly ledger?: (now: () => Instant) => Ledger;
  readonly log?: (line: string) => void;
  /** Where the world is played [in this process, on virtual time]. */
  readonly host?: WorldHost;
};

/** What a sandbox of this world would be started with. */
export type WorldSettings = {
  readonly clusterName: string;
  readonly region: string;
  readonly zones: readonly string[];
  readonly kubernetesVersion: string;
  readonly catalogue: CatalogueName;
  readonly start: Instant;
  /** Until when the history of releases is known; undefined for all of it. */
  readonly releasesUntil?: Instant;
};

/** A cluster on virtual time, with the controller in it. */
export type TestedWorld = {
  readonly settings: WorldSettings;
  readonly time: DrivenTime;
  readonly sandbox: Sandbox;
  readonly controller: ScenarioController;
  readonly behaviors: ReleaseBehaviors;
  readonly instances: InstanceRecords;
  readonly cluster: ObservedCluster;
  readonly facts: FactCache;
  readonly timeline: PlayTimeline;
  readonly readyPods: ReadyPods;
  readonly podLabels: PodLabelsUse;
  /** What EC2NodeClasses select resources by, as `ID KEY`. */
  readonly selectedTags: Set<string>;
  /** Whether the account is that of a snapshot, with the networks and images that manifests name. */
  readonly isRestored: boolean;
  stop(): Promise<void>;
};

const firstImagesMs = days(14);

export function settleWorld(options: TestedWorldOptions): WorldSettings {
  const { cluster, clusterName, manifests, host, snapshot } = options;
  if (snapshot !== undefined) return settleSnapshot(snapshot);
  const { kubernetesVersion = usualMinor, region, zones } = cluster;
  const published = builtInReleases()
    .of(kubernetesVersion)
    .map(({ publishedAt }) => Date.parse(publishedAt));
  const earliest = published.length === 0 ? 0 : Math.min(...published) + firstImagesMs;
  const start = host?.start ?? instant(cluster.startTime ?? Math.max(usualStart, earliest));
  return {
    clusterName,
    region,
    zones,
    kubernetesVersion,
    start,
    catalogue: cluster.catalogue ?? chooseCatalogue(manifests),
    ...(cluster.releases === 'still' && { releasesUntil: start }),
  };
}

const settleSnapshot = ({ clusterName, kubernetesVersion, takenAt, aws }: Snapshot): WorldSettings => ({
  clusterName,
  kubernetesVersion,
  region: aws.region,
  zones: [...new Set(aws.subnets.map(({ zone }) => zone))].toSorted(),
  start: fromTimestamp(takenAt),
  catalogue: 'current',
});

export async function createTestedWorld(options: TestedWorldOptions): Promise<TestedWorld> {
  const { host, snapshot } = options;
  const { onUpdateFailure } = options.cluster;
  const settings = settleWorld(options);
  const time = host?.createTime(settings.start) ?? inProcessTime(settings.start);
  const { clock, gate } = time;
  const now = (): Instant => clock.now();
  const random = seededRandom(options.seed);
  const seen = createObservation(now);
  const ledger = options.ledger?.(now);
  const { releasesUntil, ...rest } = settings;
  const sandbox = await createSandbox({
    ...rest,
    clock,
    gate,
    random,
    releases: releasesUntil === undefined ? builtInReleases() : historyUntil(builtInReleases(), releasesUntil),
    way: 'direct',
    ...servicesFor(options.manifests),
    ...host?.sandbox,
    ...(onUpdateFailure && { onFailure: onUpdateFailure }),
    ...(snapshot && (await restoreSandbox(snapshot))),
    onWrite: (write) => {
      seen.see(write);
      time.noteChange();
    },
    ...(ledger && { ledger }),
  });
  const instances = new InstanceRecords(sandbox.aws, now);
  const behaviors = new ReleaseBehaviors({ sandbox, clock, random: random.fork('behaviors') });
  seen.watchInstances(instances, behaviors);
  if (snapshot !== undefined) seen.restore(snapshot);
  const controller = createController({ options, settings, time, sandbox, random: random.fork('operator') });
  await time.finish(sandbox.start());
  const { cluster, evictions, timeline, readyPods, podLabels } = seen;
  return {
    settings,
    time,
    sandbox,
    controller,
    behaviors,
    instances,
    cluster,
    facts: new FactCache({ cluster, instances, evictions, now }),
    timeline,
    readyPods,
    podLabels,
    selectedTags: new Set(),
    isRestored: snapshot !== undefined,
    stop: async () => {
      await time.finish(controller.stop());
      sandbox.stop();
      time.stop();
    },
  };
}

/** A cluster in use has DNS and metrics. */
async function restoreSandbox(snapshot: Snapshot) {
  const { releases, market, ledger } = await restoreBeginning(snapshot);
  return { releases, market, ledger, clusterServices: true };
}

/** Virtual time looks for itself after every step, and lets go of everything when it is not driven. */
const inProcessTime = (start: Instant): HostedTime => ({
  ...virtualTime(start),
  noteChange: () => undefined,
  stop: () => undefined,
});

type ControllerPlace = {
  readonly options: TestedWorldOptions;
  readonly settings: WorldSettings;
  readonly time: DrivenTime;
  readonly sandbox: Sandbox;
  readonly random: Random;
};

function createController({ options, settings, time, sandbox, random }: ControllerPlace): ScenarioController {
  const { host, cluster } = options;
  const { clusterName, region } = settings;
  const { featureGates } = cluster;
  if (host !== undefined) return host.createController({ sandbox, clusterName, region, featureGates });
  return new ControllerProcess({
    sandbox,
    clock: time.clock,
    gate: time.gate,
    random,
    region,
    clusterName,
    settings: settingsOfGates(featureGates),
    ...(options.log && { log: options.log }),
  });
}

/** Scaling by load needs metrics, which come with all services of a cluster; they cost time that most scenarios need not pay. */
const servicesFor = (manifests: readonly KubernetesObject[]) => ({
  clusterServices: manifests.some(({ kind }) => kind === 'HorizontalPodAutoscaler'),
  serviceEndpoints: manifests.some(({ kind }) => kind === 'Service'),
});

/** What is told of the world while it runs. */
function createObservation(now: () => Instant) {
  const cluster = new ObservedCluster();
  const timeline = new PlayTimeline(now);
  const evictions: SeenEviction[] = [];
  const readyPods = new ReadyPods(now);
  const podLabels = new PodLabelsUse();
  let seeInstance: (object: KubernetesObject) => void = () => undefined;
  return {
    cluster,
    timeline,
    evictions,
    readyPods,
    podLabels,
    selectedTags: new Set(),
    watchInstances(instances: InstanceRecords, behaviors: ReleaseBehaviors): void {
      seeInstance = (object) => {
        const launched = instances.see(object);
        if (launched !== undefined) behaviors.see(launched);
      };
    },
    /** What is there when the world begins has not happened in it. */
    restore({ kubernetes }: Snapshot): void {
      for (const [collection, objects] of Object.entries(kubernetes))
        for (const object of objects) {
          cluster.see({ type: 'ADDED', collection, object: object as unknown as ApiObject, client: '' });
          if (collection === collectionNames.nodes || collection === collectionNames.claims) seeInstance(object);
          if (collection === collectionNames.pods) readyPods.see('ADDED', object as Pod);
        }
    },
    see(write: ObjectWrite): void {
      if (!cluster.see(write)) return;
      const object = write.object as unknown as KubernetesObject;
      switch (write.collection) {
        case collectionNames.nodes:
        case collectionNames.claims:
          seeInstance(object);
          return tellChange(write, object, timeline);
        case collectionNames.pods:
          readyPods.see(write.type, object as Pod);
          podLabels.see(object as Pod);
          return noteEviction(object as Pod, evictions, now());
        case collectionNames.events:
          if (write.type !== 'ADDED' || write.client !== controllerUserAgent || isTransition(object as Event)) return;
          return tellDecision(object as Event, timeline);
      }
    },
  };
}

function tellChange({ type, collection }: ObjectWrite, object: KubernetesObject, timeline: PlayTimeline): void {
  if (type === 'MODIFIED') return;
  const kind = collection === collectionNames.nodes ? 'Node' : 'NodeClaim';
  const by = kind === 'NodeClaim' ? 'controller' : 'world';
  const pool = (object as NodeClaim).metadata.labels?.['karpenter.sh/nodepool'];
  const of = pool === undefined ? '' : ` of pool ${pool}`;
  timeline.add({ by, what: type === 'ADDED' ? 'created' : 'removed', text: `${kind} ${object.metadata.name}${of}` });
}

/** Conditions say what is; the decisions are in the other events. */
const isTransition = ({ message }: Event): boolean => message.startsWith('Status condition transitioned');

const tellDecision = (
  { reason, message, involvedObject: { kind = '', name = '' } }: Event,
  timeline: PlayTimeline,
): void => timeline.add({ by: 'controller', what: reason, text: `${kind} ${name}: ${message}` });

/** A pod is evicted once; the API says so in a condition. */
function noteEviction({ metadata, spec, status }: Pod, evictions: SeenEviction[], at: Instant): void {
  const isEvicted = status?.conditions?.some(
    ({ type, reason }) => type === 'DisruptionTarget' && reason === 'EvictionByEvictionAPI',
  );
  if (isEvicted !== true) return;
  const { name, namespace = '' } = metadata;
  const since = metadata.creationTimestamp ?? '';
  const isKnown = evictions.some(
    (each) => each.pod === name && each.namespace === namespace && each.at >= Date.parse(since),
  );
  if (!isKnown) evictions.push({ pod: name, namespace, node: spec.nodeName ?? '', labels: metadata.labels ?? {}, at });
}

const settingByGate = {
  CapacityBuffer: 'capacityBuffer',
  NodeOverlay: 'nodeOverlay',
  NodeRepair: 'nodeRepair',
  ReservedCapacity: 'reservedCapacity',
  SpotToSpotConsolidation: 'spotToSpotConsolidation',
  StaticCapacity: 'staticCapacity',
} as const satisfies Readonly<Record<FeatureGateName, keyof OperatorSettings>>;

const settingsOfGates = (gates: ReadonlyMap<FeatureGateName, boolean>): Partial<OperatorSettings> =>
  Object.fromEntries([...gates].map(([gate, isOn]) => [settingByGate[gate], isOn]));
