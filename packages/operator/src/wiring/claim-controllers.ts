import { isConditionTrue, type Instant, type NodeClaim, type NodePool, type Pod } from '@nodewright/apis';
import type { Controller } from '@nodewright/runtime';
import { consistencyReconciler } from '../controllers/consistency/reconciler.ts';
import { driftReconciler } from '../controllers/drift/reconciler.ts';
import { expirationReconciler } from '../controllers/expiration/reconciler.ts';
import { claimHydration } from '../controllers/hydration/reconcilers.ts';
import { claimReconciler } from '../controllers/node-claim/reconciler.ts';
import { isPodEvent } from '../controllers/pod-events/pod-event.ts';
import { podEventReconciler } from '../controllers/pod-events/reconciler.ts';
import { taggingReconciler } from '../controllers/tagging/reconciler.ts';
import { isEqualDiffValue } from '../objects/merge-diff.ts';
import { cacheKeyOf } from '../objects/object-cache.ts';
import { lifecycleBackoff, startNamed, type ControllerDeps, type depsFor } from '../hosting/controller-host.ts';
import { claimsOfPools, claimsWith, objectNames, ownName, wakeOnChange } from '../hosting/wake.ts';

const oneASecond = { perSecond: 1, burst: 1 };

/** What brings claims to life, watches over them and ends them. */
export function startClaimControllers(deps: ControllerDeps): readonly Controller[] {
  const { objects } = deps;
  const tuning = { workers: 1_000, backoff: lifecycleBackoff };
  const claims = startNamed(deps, 'nodeclaim.lifecycle', claimReconciler, tuning);
  const drift = startNamed(deps, 'nodeclaim.disruption', driftReconciler, { workers: 10 });
  const expiration = startNamed(deps, 'nodeclaim.expiration', expirationReconciler, { workers: 10 });
  const hydration = startNamed(deps, 'nodeclaim.hydration', claimHydration, { workers: 10 });
  const scans = new Map<string, Instant>();
  const scanning = (own: ReturnType<typeof depsFor>) => consistencyReconciler({ ...own, scans });
  const consistency = startNamed(deps, 'nodeclaim.consistency', scanning, { workers: 10 });
  const tagging = startNamed(deps, 'nodeclaim.tagging', taggingReconciler, { bucket: oneASecond });
  wakeOnChange(objects.nodeClaims, [
    [claims, ownName],
    [expiration, ownName],
    [hydration, ownName],
    [consistency, ownName],
    [tagging, ownName],
    [drift, ownName],
  ]);
  wakeOnChange(objects.nodes, [[claims, ({ spec }) => claimsWith(objects, spec?.providerID)]]);
  wakeOnChange(objects.nodePools, [[drift, ({ metadata }) => claimsOfPools(objects, [metadata.name])]], isOtherPool);
  wakeOnChange(objects.nodeClasses, [
    [claims, ({ metadata }) => objectNames(objects.nodeClaims.by('nodeClass', metadata.name).filter(isUnlaunched))],
    [drift, ({ metadata }) => claimsOfPools(objects, objectNames(objects.nodePools.by('nodeClass', metadata.name)))],
  ]);
  deps.decisions.onChange((nodeClass) => {
    const concerned = claimsOfPools(objects, objectNames(objects.nodePools.by('nodeClass', nodeClass)));
    for (const claim of concerned) drift.enqueue(claim);
  });
  return [claims, drift, expiration, tagging, hydration, consistency, startPodEvents(deps)];
}

function startPodEvents(deps: ControllerDeps): Controller {
  const { pods } = deps.objects;
  const podEvents = startNamed(deps, 'nodeclaim.podevents', podEventReconciler);
  const tell = (before: Pod | undefined, after: Pod | undefined): void => {
    if (after !== undefined && isPodEvent(before, after)) podEvents.enqueue(cacheKeyOf(after));
  };
  for (const pod of pods.list()) tell(undefined, pod);
  pods.cache.onChange(({ before, after }) => tell(before, after));
  return podEvents;
}

/** What a pool has counted of its nodes does not make them drift. */
const isOtherPool = (before: NodePool | undefined, after: NodePool | undefined): boolean =>
  before?.metadata.generation !== after?.metadata.generation ||
  !isEqualDiffValue(before?.metadata.annotations, after?.metadata.annotations);

const isUnlaunched = (claim: NodeClaim): boolean => !isConditionTrue(claim, 'Launched');
