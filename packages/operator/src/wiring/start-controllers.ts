import { seconds } from '@nodewright/apis';
import type { KubernetesClient, WebClient } from '@nodewright/runtime';
import { startBufferController } from '../controllers/capacity-buffer/watches.ts';
import { startReservationLoops } from '../controllers/capacity-reservation/watches.ts';
import { startConsistencyController } from '../controllers/consistency/watches.ts';
import { startDisruption } from '../controllers/disruption/watches.ts';
import { startDriftController } from '../controllers/drift/watches.ts';
import { startEvictionController } from '../controllers/eviction/watches.ts';
import { startExpirationController } from '../controllers/expiration/watches.ts';
import { startGarbageCollection } from '../controllers/garbage-collection/watches.ts';
import { startClaimHydration, startNodeHydration } from '../controllers/hydration/watches.ts';
import { startInterruptionLoops } from '../controllers/interruption/watches.ts';
import { startClaimLifecycle } from '../controllers/node-claim/watches.ts';
import { startNodeClassController } from '../controllers/node-class/watches.ts';
import { watchNodeMemory } from '../controllers/node-memory/watches.ts';
import { startNodeGroupController } from '../controllers/node-group/watches.ts';
import { startOverlayLoop } from '../controllers/node-overlay/watches.ts';
import { startRolloutPolicyController } from '../controllers/node-rollout/watches.ts';
import { startRolloutChecks } from '../controllers/rollout-check/watches.ts';
import { startRolloutNotification } from '../controllers/rollout-notification/watches.ts';
import { startRolloutPromotion } from '../controllers/rollout-promotion/watches.ts';
import { startManifestLint } from '../controllers/manifest-lint/watches.ts';
import { startNodePoolController } from '../controllers/node-pool/watches.ts';
import { startNodeRepair } from '../controllers/node-repair/watches.ts';
import { startPodEvents } from '../controllers/pod-events/watches.ts';
import { watchPodMetrics } from '../controllers/pod-metrics/watches.ts';
import { startPodProtection } from '../controllers/pod-protection/watches.ts';
import { BatchWindow } from '../controllers/provisioning/batch-window.ts';
import { startProvisioning } from '../controllers/provisioning/watches.ts';
import { startStaticCapacity } from '../controllers/static-capacity/watches.ts';
import { watchStatusChanges } from '../controllers/status-changes/watches.ts';
import { startTaggingController } from '../controllers/tagging/watches.ts';
import { startTerminationController } from '../controllers/termination/watches.ts';
import type { ControllerHost } from '../hosting/controller-host.ts';
import { startGauges } from '../reporting/gauges/start-gauges.ts';
import type { StateCounts } from '../reporting/inspection.ts';
import { createPublisher } from '../reporting/publisher.ts';
import type { OperatorSettings } from '../settings.ts';
import { Absences } from '../state/absences.ts';
import { ClusterState } from '../state/cluster-state.ts';
import { DriftFindings } from '../state/drift-findings.ts';
import { PodEvidence } from '../state/evidence/pod-evidence.ts';
import { podPlaces } from '../state/evidence/pod-places.ts';
import { GroupReadings } from '../state/group-readings.ts';
import { ImageDecisions } from '../state/image-decisions.ts';
import { InstanceNews } from '../state/instance-news.ts';
import type { Objects } from '../state/objects.ts';
import { OpenSeats } from '../state/open-seats.ts';
import { OverlaidTypes } from '../state/overlaid-types.ts';
import { PodTimes } from '../state/pod-times.ts';
import { PriceBook } from '../state/price-book.ts';
import { RegistrationHistory } from '../state/registration-history.ts';
import { UnsyncedTime } from '../state/unsynced-time.ts';
import { UpstreamRecords } from '../state/upstream-records.ts';
import { WantedTimes } from '../state/wanted-times.ts';

type Stoppable = { stop(): Promise<void> };

export type RunningControllers = Stoppable;

/** Where thousands of pods come in a stream, the first of them get their nodes while others still come. */
const manyPods = 2_000;

const shortestNominationMs = seconds(10);

type OperatorParts = {
  readonly objects: Objects;
  readonly client: KubernetesClient;
  readonly web: WebClient;
  readonly settings: OperatorSettings;
};

/**
 * Starts every controller with the parts that it names. What wakes a controller is in the `watches.ts` of its folder; its
 * name is Karpenter's, for logs and metrics.
 */
export function startControllers(
  host: ControllerHost,
  { objects, client, web, settings }: OperatorParts,
): RunningControllers {
  const state = new ClusterState(objects);
  const readings = new GroupReadings();
  const memory = {
    readings,
    wantedTimes: new WantedTimes(),
    openSeats: new OpenSeats(),
    unsynced: new UnsyncedTime(objects, state, host.clock),
    absences: new Absences(),
    decisions: new ImageDecisions(),
    findings: new DriftFindings(),
    evidence: new PodEvidence(podPlaces(objects, readings)),
    upstream: new UpstreamRecords(),
    instanceNews: new InstanceNews(),
    registrations: new RegistrationHistory(),
    podTimes: new PodTimes(),
    prices: new PriceBook(),
    overlays: new OverlaidTypes(settings.nodeOverlay),
  };
  const publish = createPublisher(host);
  host.inspection?.watchState(() => countState(state, objects));
  watchStatusChanges({ clock: host.clock, objects, settings, publish });
  watchNodeMemory({ objects, capacity: host.cloud.capacity });
  watchPodMetrics({ objects, podTimes: memory.podTimes, publish });
  const parts = { objects, client, web, settings, state, ...memory };
  const running = [
    ...startConfiguration(host, parts),
    ...startClaimControllers(host, parts),
    ...startNodeControllers(host, parts),
    ...startCapacity(host, parts),
    startGauges({ ...host, ...parts }),
  ];
  return { stop: async () => void (await Promise.all(running.map((part) => part.stop()))) };
}

/** The cluster in numbers. */
const countState = (state: ClusterState, objects: Objects): StateCounts => ({
  nodeClasses: objects.nodeClasses.list().length,
  nodePools: objects.nodePools.list().length,
  nodeClaims: objects.nodeClaims.list().length,
  nodes: objects.nodes.list().length,
  pods: objects.pods.list().length,
  podsWithoutNode: objects.pods.by('node', '').length,
  stayingNodes: state.stayingNodes().length,
  leavingNodes: state.leavingNodes().length,
  launchesUnderWay: state.launches.underWay.length,
});

type SharedParts = OperatorParts & {
  readonly state: ClusterState;
  readonly unsynced: UnsyncedTime;
  readonly absences: Absences;
  readonly decisions: ImageDecisions;
  readonly readings: GroupReadings;
  readonly wantedTimes: WantedTimes;
  readonly openSeats: OpenSeats;
  readonly findings: DriftFindings;
  readonly evidence: PodEvidence;
  readonly upstream: UpstreamRecords;
  readonly instanceNews: InstanceNews;
  readonly registrations: RegistrationHistory;
  readonly podTimes: PodTimes;
  readonly prices: PriceBook;
  readonly overlays: OverlaidTypes;
};

/** What keeps the status of EC2NodeClasses, NodePools and NodeGroups. */
const startConfiguration = (host: ControllerHost, parts: SharedParts): readonly Stoppable[] => [
  startNodeClassController(host, parts),
  startNodePoolController(host, parts),
  startNodeGroupController(host, parts),
  startRolloutPolicyController(host, parts),
  startRolloutPromotion(host, { ...parts, clusterName: parts.settings.clusterName }),
  startRolloutChecks(host, { ...parts, clusterName: parts.settings.clusterName }),
  ...startRolloutNotification(host, { ...parts, clusterName: parts.settings.clusterName }),
  ...(parts.settings.staticCapacity ? [startStaticCapacity(host, parts)] : []),
  ...(parts.settings.manifestWarnings ? [startManifestLint(host, parts)] : []),
];

/** What brings claims to life, watches over them and ends them. */
const startClaimControllers = (host: ControllerHost, parts: SharedParts): readonly Stoppable[] => [
  startClaimLifecycle(host, parts),
  startExpirationController(host, parts),
  startClaimHydration(host, parts),
  startConsistencyController(host, parts),
  startTaggingController(host, parts),
  startDriftController(host, parts),
  startPodEvents(host, parts),
];

/** What takes nodes out of the cluster. */
function startNodeControllers(host: ControllerHost, parts: SharedParts): readonly Stoppable[] {
  const eviction = startEvictionController(host, parts);
  // A pod that was refused keeps its delay, however often its node is looked at.
  const evict = (key: string): void => eviction.enqueueNew(key);
  return [
    eviction,
    startTerminationController(host, { ...parts, evict }),
    startNodeHydration(host, parts),
    startPodProtection(host, parts),
    ...(parts.settings.nodeRepair ? [startNodeRepair(host, parts)] : []),
  ];
}

/** What decides how many nodes there are. */
function startCapacity(host: ControllerHost, parts: SharedParts): readonly Stoppable[] {
  const { batchIdleMs, batchMaxMs, preferencePolicy, minValuesPolicy, defaultSpread } = parts.settings;
  const window = new BatchWindow(host.clock, { idleMs: batchIdleMs, maxMs: batchMaxMs, largest: manyPods });
  const scheduling = {
    options: { preferencePolicy, minValuesPolicy },
    defaultSpread,
    nominationMs: Math.max(2 * batchMaxMs, shortestNominationMs),
  };
  const spotToSpot = parts.settings.spotToSpotConsolidation;
  return [
    startDisruption(host, { ...parts, ...scheduling, spotToSpot }),
    ...startProvisioning(host, { ...parts, ...scheduling, window }),
    startGarbageCollection(host, parts),
    ...(parts.settings.reservedCapacity ? startReservationLoops(host, parts) : []),
    ...(parts.settings.nodeOverlay ? [startOverlayLoop(host, parts)] : []),
    ...(parts.settings.capacityBuffer ? [startBufferController(host, { ...parts, window })] : []),
    ...startInterruptionLoops(host, parts),
  ];
}
