import { instant, isConditionTrue, type Node, type NodeClaim } from '@nodewright/apis';
import type { Controller } from '@nodewright/runtime';
import { isNewsOfClaim } from '../controllers/disruption/news.ts';
import { nodeClassReconciler } from '../controllers/node-class/reconciler.ts';
import { nodeGroupReconciler } from '../controllers/node-group/reconciler.ts';
import { nodePoolReconciler } from '../controllers/node-pool/reconciler.ts';
import { staticCapacity } from '../controllers/static-capacity/reconciler.ts';
import { isEqualDiffValue } from '../objects/merge-diff.ts';
import { startNamed, type ControllerDeps } from '../hosting/controller-host.ts';
import { objectNames, ownName, poolKeysOf, wakeOnChange } from '../hosting/wake.ts';

/** Pods have so many minutes to leave a node: a call that failed must not be waited out for as long. */
const whileDraining = { baseMs: 1_000, maxMs: 30_000 };

/** While many nodes come and go, a pool counts them together. */
const countedAfterMs = 100;

/** What keeps the status of what people write: EC2NodeClasses, NodePools and NodeGroups. */
export function startConfigurationControllers(deps: ControllerDeps): readonly Controller[] {
  const { objects } = deps;
  const classes = startNamed(deps, 'nodeclass', nodeClassReconciler, { workers: 10 });
  const pools = startNamed(deps, 'nodepool', nodePoolReconciler, { workers: 10 });
  const counts = { enqueue: (pool: string) => pools.enqueueAt(pool, instant(deps.clock.now() + countedAfterMs)) };
  const since = deps.clock.now();
  const groups = startNamed(deps, 'nodegroup', (own) => nodeGroupReconciler({ ...own, since }), {
    workers: 10,
    backoff: whileDraining,
  });
  wakeOnChange(objects.nodeGroups, [[groups, ownName]]);
  wakeOnChange(objects.nodeClasses, [
    [classes, ownName],
    [pools, ({ metadata }) => objectNames(objects.nodePools.by('nodeClass', metadata.name))],
  ]);
  wakeOnChange(objects.nodePools, [[pools, ownName]]);
  wakeOnChange(objects.nodeClaims, [[classes, classOfLeaving]]);
  wakeOnChange(objects.nodeClaims, [[counts, poolKeysOf]], isCountedOtherwise(countedOfClaim));
  wakeOnChange(objects.nodes, [[counts, poolKeysOf]], isCountedOtherwise(countedOfNode));
  objects.nodePools.cache.onChange(({ before, after }) => {
    if (before !== undefined && after === undefined) deps.registrations.drop(before);
  });
  return [classes, pools, groups, ...(deps.settings.staticCapacity ? [startStaticCapacity(deps)] : [])];
}

function startStaticCapacity(deps: ControllerDeps): Controller {
  const { objects } = deps;
  const capacity = startNamed(deps, 'static.provisioning', staticCapacity, { workers: 10 });
  wakeOnChange(objects.nodePools, [[capacity, ownName]]);
  wakeOnChange(objects.nodeClaims, [[capacity, poolKeysOf]], isNewsOfClaim);
  return capacity;
}

/** A NodePool counts what its nodes have; heartbeats, taints and most conditions are not among it. */
const isCountedOtherwise =
  <T>(countedOf: (object: T) => unknown) =>
  (before: T | undefined, after: T | undefined): boolean =>
    before === undefined || after === undefined || !isEqualDiffValue(countedOf(before), countedOf(after));

const countedOfNode = ({ metadata, spec, status }: Node): unknown => ({
  isLeaving: metadata.deletionTimestamp !== undefined,
  labels: metadata.labels,
  providerID: spec?.providerID,
  capacity: status?.capacity,
});

/** Its annotations tell of the hash, and of the command that replaces it: what is replaced does not count any more. */
const countedOfClaim = (claim: NodeClaim): unknown => ({
  isLeaving: claim.metadata.deletionTimestamp !== undefined || isConditionTrue(claim, 'InstanceTerminating'),
  labels: claim.metadata.labels,
  annotations: claim.metadata.annotations,
  providerID: claim.status?.providerID,
  capacity: claim.status?.capacity,
});

/** A class that is being deleted waits for its last claim. */
const classOfLeaving = ({ metadata, spec }: NodeClaim): readonly string[] =>
  metadata.deletionTimestamp === undefined ? [] : [spec.nodeClassRef.name];
