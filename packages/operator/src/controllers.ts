import type { KubernetesObject, NodeClaim } from '@nodewright/apis';
import { isConditionTrue, karpenterLabels } from '@nodewright/apis';
import type { Cloud } from '@nodewright/ports';
import {
  controllerMetrics,
  startController,
  startLoop,
  type Clock,
  type Controller,
  type ControllerOptions,
  type KubernetesClient,
  type Logger,
  type Metrics,
  type Random,
} from '@nodewright/runtime';
import { disruptionLoop } from './controllers/disruption/loop.ts';
import { driftReconciler } from './controllers/drift/reconciler.ts';
import { evictionReconciler } from './controllers/eviction/reconciler.ts';
import { expirationReconciler } from './controllers/expiration/reconciler.ts';
import { garbageCollector } from './controllers/garbage-collection/reconciler.ts';
import { claimReconciler } from './controllers/node-claim/reconciler.ts';
import { nodeClassReconciler } from './controllers/node-class/reconciler.ts';
import { nodePoolReconciler } from './controllers/node-pool/reconciler.ts';
import { BatchWindow } from './controllers/provisioning/batch-window.ts';
import { nodeTrigger, podTrigger, provisioner } from './controllers/provisioning/provisioner.ts';
import { taggingReconciler } from './controllers/tagging/reconciler.ts';
import { terminationReconciler } from './controllers/termination/reconciler.ts';
import type { Collection } from './objects/collection.ts';
import { keyOf } from './objects/object-cache.ts';
import type { Counters } from './reporting/counters.ts';
import type { Reporter } from './reporting/report.ts';
import { workersFor, type OperatorSettings } from './settings.ts';
import type { ClusterState } from './state/cluster-state.ts';
import { ImageDecisions } from './state/image-decisions.ts';
import type { Objects } from './state/objects.ts';

export type ControllerDeps = {
  readonly objects: Objects;
  readonly state: ClusterState;
  readonly client: KubernetesClient;
  readonly cloud: Cloud;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly counters: Counters;
  readonly report: Reporter;
  readonly settings: OperatorSettings;
};

export type Running = { stop(): Promise<void> };

/** Everything that runs, and what wakes it. The names are Karpenter's: they stand in logs and metrics. */
export function startControllers(deps: ControllerDeps): Running {
  const parts = [...startOwnControllers(deps), ...startLoops(deps)];
  return { stop: async () => void (await Promise.all(parts.map((part) => part.stop()))) };
}

const lifecycleBackoff = { baseMs: 1_000, maxMs: 60_000 };
const drainBackoff = { baseMs: 100, maxMs: 10_000 };

function startOwnControllers(all: ControllerDeps): readonly Controller[] {
  const { objects, cloud, settings } = all;
  const deps = { ...all, ...cloud, decisions: new ImageDecisions() };
  const start = starter(all);
  const logged = (name: string) => ({ ...deps, log: all.log.named(name) });
  const eviction = start('eviction-queue', evictionReconciler(deps), {
    workers: workersFor(settings, [100, 5_000]),
    backoff: drainBackoff,
    bucket: { perSecond: 100, burst: 1_000 },
  });
  const claims = start('nodeclaim.lifecycle', claimReconciler(logged('nodeclaim.lifecycle')), {
    workers: 1_000,
    backoff: lifecycleBackoff,
  });
  const classes = start('nodeclass', nodeClassReconciler(deps), { workers: 10 });
  const pools = start('nodepool', nodePoolReconciler(deps), { workers: 10 });
  const drift = start('nodeclaim.disruption', driftReconciler(logged('nodeclaim.disruption')), { workers: 10 });
  const expiration = start('nodeclaim.expiration', expirationReconciler(logged('nodeclaim.expiration')), {
    workers: 10,
  });
  const tagging = start('nodeclaim.tagging', taggingReconciler(deps), { bucket: { perSecond: 1, burst: 1 } });
  const termination = start(
    'node.termination',
    terminationReconciler({ ...logged('node.termination'), evict: (key) => eviction.enqueue(key) }),
    { workers: workersFor(settings, [100, 5_000]), backoff: drainBackoff },
  );
  wake(objects.nodeClaims, [
    [claims, ownName],
    [expiration, ownName],
    [tagging, ownName],
    [drift, ownName],
    [pools, poolOf],
    [classes, ({ spec, metadata }) => (metadata.deletionTimestamp === undefined ? [] : [spec.nodeClassRef.name])],
    [termination, ({ status }) => nodesWith(objects, status?.providerID)],
  ]);
  wake(objects.nodes, [
    [termination, ownName],
    [claims, ({ spec }) => claimsWith(objects, spec?.providerID)],
    [pools, poolOf],
  ]);
  wake(objects.nodeClasses, [
    [classes, ownName],
    [pools, ({ metadata }) => namesOf(objects.nodePools.by('nodeClass', metadata.name))],
    [claims, ({ metadata }) => namesOf(objects.nodeClaims.by('nodeClass', metadata.name).filter(isUnlaunched))],
    [drift, ({ metadata }) => claimsOfPools(objects, namesOf(objects.nodePools.by('nodeClass', metadata.name)))],
  ]);
  wake(objects.nodePools, [
    [pools, ownName],
    [drift, ({ metadata }) => claimsOfPools(objects, [metadata.name])],
  ]);
  wake(objects.pods, [[termination, ({ spec }) => leavingNode(objects, spec.nodeName)]]);
  wake(objects.volumeAttachments, [[termination, ({ spec }) => leavingNode(objects, spec.nodeName)]]);
  return [eviction, claims, classes, pools, drift, expiration, tagging, termination];
}

function startLoops(all: ControllerDeps): readonly Running[] {
  const { objects, cloud, settings, clock } = all;
  const deps = { ...all, ...cloud };
  const { preferencePolicy, minValuesPolicy, batchIdleMs, batchMaxMs } = settings;
  const options = { preferencePolicy, minValuesPolicy };
  const window = new BatchWindow(clock, { idleMs: batchIdleMs, maxMs: batchMaxMs });
  const nominationMs = Math.max(2 * batchMaxMs, 10_000);
  const start = starter(all);
  const workers = workersFor(settings, [10, 1_000]);
  const podsWaiting = start('provisioner.trigger.pod', podTrigger({ objects, window }), { workers });
  const nodesLeaving = start('provisioner.trigger.node', nodeTrigger({ objects, window }), { workers });
  wake(objects.pods, [[podsWaiting, (pod) => [keyOf(pod)]]]);
  wake(objects.nodes, [[nodesLeaving, ownName]]);
  const common = (name: string) => ({ name, clock, log: all.log, watch: controllerMetrics(all.metrics) });
  const log = all.log.named('provisioner');
  const disruption = startLoop({
    ...common('disruption'),
    run: disruptionLoop({ ...deps, options, nominationMs, log: all.log.named('disruption') }),
    backoff: lifecycleBackoff,
  });
  objects.nodeClaims.cache.onChange(() => disruption.trigger());
  return [
    podsWaiting,
    nodesLeaving,
    disruption,
    startLoop({
      ...common('provisioner'),
      run: provisioner({ ...deps, log, window, options, nominationMs }),
      backoff: lifecycleBackoff,
    }),
    startLoop({
      ...common('nodeclaim.garbagecollection'),
      run: garbageCollector({ ...deps, log: all.log.named('nodeclaim.garbagecollection') }),
    }),
  ];
}

type Tuning = Partial<Pick<ControllerOptions, 'workers' | 'backoff' | 'bucket'>>;

const starter =
  ({ clock, log, metrics }: ControllerDeps) =>
  (name: string, reconcile: ControllerOptions['reconcile'], tuning: Tuning): Controller =>
    startController({ name, reconcile, clock, log: log.named(name), watch: controllerMetrics(metrics), ...tuning });

type Wakes<T> = readonly (readonly [Controller, (object: T) => readonly string[]])[];

/** Puts the keys of everything that is there into the queues, then those of every change, before and after it. */
function wake<T extends KubernetesObject>(collection: Collection<T>, wakes: Wakes<T>): void {
  const tell = (object: T | undefined): void => {
    if (object === undefined) return;
    for (const [controller, keysOf] of wakes) for (const key of keysOf(object)) controller.enqueue(key);
  };
  for (const object of collection.list()) tell(object);
  collection.cache.onChange(({ before, after }) => {
    tell(before);
    tell(after);
  });
}

const ownName = ({ metadata }: KubernetesObject): readonly string[] => [metadata.name];

const namesOf = (all: readonly KubernetesObject[]): readonly string[] => all.map(({ metadata }) => metadata.name);

function poolOf({ metadata }: KubernetesObject): readonly string[] {
  const pool = metadata.labels?.[karpenterLabels.nodePool];
  return pool === undefined ? [] : [pool];
}

const isUnlaunched = (claim: NodeClaim): boolean => !isConditionTrue(claim, 'Launched');

const nodesWith = (objects: Objects, providerId = ''): readonly string[] =>
  providerId === '' ? [] : namesOf(objects.nodes.by('providerId', providerId));

const claimsWith = (objects: Objects, providerId = ''): readonly string[] =>
  providerId === '' ? [] : namesOf(objects.nodeClaims.by('providerId', providerId));

const claimsOfPools = (objects: Objects, pools: readonly string[]): readonly string[] =>
  pools.flatMap((pool) => namesOf(objects.nodeClaims.by('nodePool', pool)));

const leavingNode = (objects: Objects, name = ''): readonly string[] =>
  objects.nodes.get(name)?.metadata.deletionTimestamp === undefined ? [] : [name];
