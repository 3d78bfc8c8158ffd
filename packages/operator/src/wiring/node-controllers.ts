import { karpenterAnnotations, type NodeClaim, type Pod } from '@nodewright/apis';
import type { Controller } from '@nodewright/runtime';
import { evictionReconciler } from '../controllers/eviction/reconciler.ts';
import { nodeHydration } from '../controllers/hydration/reconcilers.ts';
import { isNewsOfHealth, nodeRepair } from '../controllers/node-repair/reconciler.ts';
import { podProtection } from '../controllers/pod-protection/reconciler.ts';
import { terminationReconciler } from '../controllers/termination/reconciler.ts';
import { cacheKeyOf } from '../objects/object-cache.ts';
import { workersFor } from '../settings.ts';
import type { Objects } from '../state/objects.ts';
import { drainBackoff, startNamed, type ControllerDeps } from '../hosting/controller-host.ts';
import { nodesWith, ownName, wakeOnChange } from '../hosting/wake.ts';

const evictionRate = { perSecond: 100, burst: 1_000 };

/** What takes nodes out of the cluster. */
export function startNodeControllers(deps: ControllerDeps): readonly Controller[] {
  const { objects, settings } = deps;
  const tuning = { workers: workersFor(settings, [100, 5_000]), backoff: drainBackoff };
  const eviction = startNamed(deps, 'eviction-queue', evictionReconciler, { ...tuning, bucket: evictionRate });
  // A pod that was refused keeps its delay, however often its node is looked at.
  const evict = (key: string): void => eviction.enqueueNew(key);
  const termination = startNamed(deps, 'node.termination', (own) => terminationReconciler({ ...own, evict }), tuning);
  const hydration = startNamed(deps, 'node.hydration', nodeHydration, { workers: 10 });
  const ownNode = ({ status }: NodeClaim): readonly string[] => nodesWith(objects, status?.providerID);
  wakeOnChange(objects.nodes, [
    [termination, ownName],
    [hydration, ownName],
  ]);
  wakeOnChange(objects.nodeClaims, [
    [termination, ownNode],
    [hydration, ownNode],
  ]);
  wakeOnChange(objects.pods, [[termination, ({ spec }) => ifLeaving(objects, spec.nodeName)]]);
  wakeOnChange(objects.volumeAttachments, [[termination, ({ spec }) => ifLeaving(objects, spec.nodeName)]]);
  const repair = settings.nodeRepair ? [startRepair(deps)] : [];
  return [eviction, termination, hydration, startProtection(deps), ...repair];
}

function startRepair(deps: ControllerDeps): Controller {
  const repair = startNamed(deps, 'node.health', nodeRepair, { workers: 10 });
  wakeOnChange(deps.objects.nodes, [[repair, ownName]], isNewsOfHealth);
  return repair;
}

function startProtection(deps: ControllerDeps): Controller {
  const protection = startNamed(deps, 'pod.protection', podProtection);
  const isAnnotated = (pod: Pod): boolean =>
    pod.metadata.annotations?.[karpenterAnnotations.doNotDisrupt] !== undefined;
  wakeOnChange(deps.objects.pods, [[protection, (pod) => (isAnnotated(pod) ? [cacheKeyOf(pod)] : [])]]);
  return protection;
}

const ifLeaving = (objects: Objects, node = ''): readonly string[] =>
  objects.nodes.get(node)?.metadata.deletionTimestamp === undefined ? [] : [node];
