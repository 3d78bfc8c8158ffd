import type { NodeClaim } from '@nodewright/apis';
import type { Controller } from '@nodewright/runtime';
import { nodeClassReconciler } from '../controllers/node-class/reconciler.ts';
import { nodeGroupReconciler } from '../controllers/node-group/reconciler.ts';
import { nodePoolReconciler } from '../controllers/node-pool/reconciler.ts';
import { startNamed, type ControllerDeps } from './controller-deps.ts';
import { namesOf, ownName, poolOf, wake } from './wake.ts';

/** Pods have so many minutes to leave a node: a call that failed must not be waited out for as long. */
const whileDraining = { baseMs: 1_000, maxMs: 30_000 };

/** What keeps the status of what people write: EC2NodeClasses, NodePools and NodeGroups. */
export function startConfigurationControllers(deps: ControllerDeps): readonly Controller[] {
  const { objects } = deps;
  const classes = startNamed(deps, 'nodeclass', nodeClassReconciler, { workers: 10 });
  const pools = startNamed(deps, 'nodepool', nodePoolReconciler, { workers: 10 });
  const since = deps.clock.now();
  const groups = startNamed(deps, 'nodegroup', (own) => nodeGroupReconciler({ ...own, since }), {
    workers: 10,
    backoff: whileDraining,
  });
  wake(objects.nodeGroups, [[groups, ownName]]);
  wake(objects.nodeClasses, [
    [classes, ownName],
    [pools, ({ metadata }) => namesOf(objects.nodePools.by('nodeClass', metadata.name))],
  ]);
  wake(objects.nodePools, [[pools, ownName]]);
  wake(objects.nodeClaims, [
    [pools, poolOf],
    [classes, classOfLeaving],
  ]);
  wake(objects.nodes, [[pools, poolOf]]);
  objects.nodePools.cache.onChange(({ before, after }) => {
    if (before !== undefined && after === undefined) deps.registrations.drop(before);
  });
  return [classes, pools, groups];
}

/** A class that is being deleted waits for its last claim. */
const classOfLeaving = ({ metadata, spec }: NodeClaim): readonly string[] =>
  metadata.deletionTimestamp === undefined ? [] : [spec.nodeClassRef.name];
