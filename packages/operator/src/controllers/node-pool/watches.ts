import { instant, isConditionTrue, type Node, type NodeClaim } from '@nodewright/apis';
import type { Controller } from '@nodewright/runtime';
import { startNamed, type ControllerHost } from '../../hosting/controller-host.ts';
import { objectNames, ownName, poolKeysOf, wakeOnChange } from '../../hosting/wake.ts';
import { isEqualDiffValue } from '../../objects/merge-diff.ts';
import type { NodePoolSources } from './observe.ts';
import type { NodePoolDeps } from './perform.ts';
import { nodePoolReconciler } from './reconciler.ts';

/** While many nodes come and go, a pool counts them together. */
const countedAfterMs = 100;

/**
 * `nodepool` wakes for a NodePool that changes, for the pools of an EC2NodeClass that changes, and for the pool of a claim
 * or node that counts otherwise than before.
 */
export function startNodePoolController(host: ControllerHost, sources: NodePoolSources & NodePoolDeps): Controller {
  const { objects, registrations } = sources;
  const pools = startNamed(
    host,
    'nodepool',
    ({ clock, publish }) => nodePoolReconciler({ ...sources, clock, publish }),
    { workers: 10 },
  );
  const counts = { enqueue: (pool: string) => pools.enqueueAt(pool, instant(host.clock.now() + countedAfterMs)) };
  wakeOnChange(objects.nodeClasses, [
    [pools, ({ metadata }) => objectNames(objects.nodePools.by('nodeClass', metadata.name))],
  ]);
  wakeOnChange(objects.nodePools, [[pools, ownName]]);
  wakeOnChange(objects.nodeClaims, [[counts, poolKeysOf]], isCountedOtherwise(countedOfClaim));
  wakeOnChange(objects.nodes, [[counts, poolKeysOf]], isCountedOtherwise(countedOfNode));
  objects.nodePools.cache.onChange(({ before, after }) => {
    if (before !== undefined && after === undefined) registrations.drop(before);
  });
  return pools;
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
