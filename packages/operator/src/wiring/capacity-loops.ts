import type { KubernetesObject } from '@nodewright/apis';
import { disruptionMethods } from '@nodewright/engine';
import type { HealthCategory } from '@nodewright/ports';
import { controllerMetrics, startLoop, type Loop, type LoopOptions, type Result } from '@nodewright/runtime';
import { blockExpirationLoop } from '../controllers/capacity-reservation/block-expiration.ts';
import { capacityTypeLoop } from '../controllers/capacity-reservation/capacity-type.ts';
import { multiNodeConsolidation, singleNodeConsolidation } from '../controllers/disruption/consolidation.ts';
import { disruptionLoop } from '../controllers/disruption/loop.ts';
import { DisruptionMemory } from '../controllers/disruption/memory.ts';
import { isNewsOfClaim, isNewsOfPool } from '../controllers/disruption/news.ts';
import { garbageCollector } from '../controllers/garbage-collection/reconciler.ts';
import { instanceStatusLoop } from '../controllers/interruption/instance-status.ts';
import { interruptionLoop } from '../controllers/interruption/loop.ts';
import { BatchWindow } from '../controllers/provisioning/batch-window.ts';
import { bufferReconciler } from '../controllers/capacity-buffer/reconciler.ts';
import { gainsSubnets, overlayLoop } from '../controllers/node-overlay/loop.ts';
import { PortionLimit } from '../controllers/provisioning/portion-limit.ts';
import { ToldPods } from '../controllers/provisioning/preferences.ts';
import { nodeTrigger, podTrigger, poolTrigger, createProvisioner } from '../controllers/provisioning/provisioner.ts';
import type { CachedCollection } from '../objects/collection.ts';
import { cacheKeyOf, type CacheChange } from '../objects/object-cache.ts';
import { workersFor } from '../settings.ts';
import { refersTo } from '../state/buffer-units.ts';
import { Absences } from '../state/absences.ts';
import { NotableChanges } from '../state/notable-changes.ts';
import { depsFor, lifecycleBackoff, startNamed, startQuiet, turnIds, withMeasuredCloud, type ControllerDeps } from '../hosting/controller-host.ts';
import { isAnotherGeneration, ownName, wakeOnChange } from '../hosting/wake.ts';

type StoppableLoop = { stop(): Promise<void> };

/** Replacements come in swarms: what several claims report at about the same time is heard together. */
const betweenDisruptionsMs = 200;

const shortestNominationMs = 10_000;

/** Where thousands of pods come in a stream, the first of them get their nodes while others still come. */
const manyPods = 2_000;

/** What decides how many nodes there are: one round at a time for each. */
export function startCapacityLoops(deps: ControllerDeps): readonly StoppableLoop[] {
  const { batchIdleMs, batchMaxMs, preferencePolicy, minValuesPolicy, defaultSpread } = deps.settings;
  const window = new BatchWindow(deps.clock, { idleMs: batchIdleMs, maxMs: batchMaxMs, largest: manyPods });
  const toldOf = new ToldPods();
  const portion = new PortionLimit();
  const absentClaims = new Absences();
  const round = {
    options: { preferencePolicy, minValuesPolicy },
    defaultSpread,
    nominationMs: Math.max(2 * batchMaxMs, shortestNominationMs),
  };
  const disruption = startDisruption(deps, round);
  return [
    ...startTriggers(deps, window),
    disruption,
    loop(deps, 'provisioner', (own) => createProvisioner({ ...own, ...round, window, toldOf, portion })),
    loop(deps, 'nodeclaim.garbagecollection', (own) => garbageCollector({ ...own, absentClaims })),
    ...(deps.settings.reservedCapacity ? startReservationLoops(deps) : []),
    ...(deps.settings.nodeOverlay ? [startOverlayLoop(deps, window)] : []),
    ...(deps.settings.capacityBuffer ? [startBuffers(deps, window)] : []),
    ...startInterruptionLoops(deps),
  ];
}

type SchedulingRound = Pick<Parameters<typeof disruptionLoop>[0], 'options' | 'defaultSpread' | 'nominationMs'>;

function startDisruption(deps: ControllerDeps, round: SchedulingRound): Loop {
  const memory = new DisruptionMemory();
  const changes = new NotableChanges(deps.objects, deps.clock);
  deps.overlays.onChange(() => changes.note());
  const { clock, settings, counters } = deps;
  const search = { clock, counters, changes, spotToSpot: settings.spotToSpotConsolidation };
  const methods = [...disruptionMethods, multiNodeConsolidation(search), singleNodeConsolidation(search)];
  const passes = { ...round, methods, memory, changes };
  const disruption = loop(deps, 'disruption', (own) => disruptionLoop({ ...own, ...passes }), betweenDisruptionsMs);
  deps.objects.nodeClaims.cache.onChange(({ before, after }) => {
    if (isNewsOfClaim(before, after)) disruption.trigger();
  });
  deps.objects.nodePools.cache.onChange(({ before, after }) => {
    if (isNewsOfPool(before, after)) disruption.trigger();
  });
  return disruption;
}

function startBuffers(deps: ControllerDeps, window: BatchWindow): StoppableLoop {
  const { capacityBuffers, podTemplates, deployments, statefulSets, replicaSets } = deps.objects;
  const buffers = startNamed(deps, 'capacitybuffer', (own) => bufferReconciler({ ...own, window }), { workers: 10 });
  const wakeReferrers = <T extends KubernetesObject>(source: CachedCollection<T>): void => {
    const referrers = (object: T) =>
      capacityBuffers
        .list()
        .filter((buffer) => refersTo(buffer, source.type.kind, object))
        .map(cacheKeyOf);
    wakeOnChange(source, [[buffers, referrers]], isAnotherGeneration);
  };
  wakeOnChange(capacityBuffers, [[buffers, (buffer) => [cacheKeyOf(buffer)]]], isAnotherGeneration);
  wakeReferrers(podTemplates);
  wakeReferrers(deployments);
  wakeReferrers(statefulSets);
  wakeReferrers(replicaSets);
  return buffers;
}

function startOverlayLoop(deps: ControllerDeps, window: BatchWindow): Loop {
  const { nodeOverlays, nodePools, nodeClasses } = deps.objects;
  const evaluation = loop(deps, 'nodeoverlay.controller', overlayLoop);
  const again = ({ before, after }: CacheChange<KubernetesObject>): void => {
    if (isAnotherGeneration(before, after)) evaluation.trigger();
  };
  nodeOverlays.cache.onChange(again);
  nodePools.cache.onChange(again);
  nodeClasses.cache.onChange((change) => {
    if (gainsSubnets(change.before, change.after)) evaluation.trigger();
    else again(change);
  });
  // Pods may have waited for it.
  deps.overlays.onChange(() => window.trigger('node overlays were evaluated'));
  return evaluation;
}

const startReservationLoops = (deps: ControllerDeps): readonly StoppableLoop[] => [
  loop(deps, 'capacityreservation.capacitytype', capacityTypeLoop),
  loop(deps, 'capacityreservation.expiration', blockExpirationLoop),
];

function startInterruptionLoops(deps: ControllerDeps): readonly StoppableLoop[] {
  const { interruptions } = deps.cloud;
  const episodes = new Map<string, readonly HealthCategory[]>();
  const status = loop(deps, 'interruption.instancestatus', (own) => instanceStatusLoop({ ...own, episodes }));
  if (interruptions === undefined) return [status];
  return [status, loop(deps, 'interruption', (own) => interruptionLoop({ ...own, interruptions }))];
}

function startTriggers(deps: ControllerDeps, window: BatchWindow): readonly StoppableLoop[] {
  const { objects, settings, podTimes, clock } = deps;
  const tuning = { workers: workersFor(settings, [10, 1_000]) };
  const seePod = podTrigger({ objects, window, podTimes, clock });
  const pods = startQuiet(deps, 'provisioner.trigger.pod', seePod, tuning);
  const nodes = startQuiet(deps, 'provisioner.trigger.node', nodeTrigger({ objects, window }), tuning);
  wakeOnChange(objects.pods, [[pods, (pod) => [cacheKeyOf(pod)]]]);
  wakeOnChange(objects.nodes, [[nodes, ownName]]);
  objects.nodePools.cache.onChange(poolTrigger({ objects, window }));
  return [pods, nodes];
}

type MakeRun = (own: ReturnType<typeof depsFor>) => (signal: AbortSignal) => Promise<Result>;

function loop(deps: ControllerDeps, name: string, make: MakeRun, gapMs = 0): Loop {
  const { clock, log } = deps;
  const own = depsFor(withMeasuredCloud(deps, name), log);
  const run: LoopOptions['run'] = (signal, log) => make({ ...own, log })(signal);
  const watch = controllerMetrics(deps.metrics);
  const aboutTurn = turnIds(deps, name);
  return startLoop({ name, run, clock, log, watch, aboutTurn, gapMs, backoff: lifecycleBackoff });
}
