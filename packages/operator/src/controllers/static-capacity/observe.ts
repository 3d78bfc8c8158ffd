import type { Instant, NodePool } from '@nodewright/apis';
import { type ClosedImage, listClosedImages } from '../../state/closed-images.ts';
import type { ClusterState } from '../../state/cluster-state.ts';
import { isManagedNodeClass } from '../../state/managed.ts';
import type { Objects } from '../../state/objects.ts';
import type { StaticClaim } from './plan.ts';

export type StaticPoolSources = { readonly objects: Objects; readonly state: ClusterState };

export type StaticPoolSnapshot = {
  readonly nodePool: NodePool;
  readonly claims: readonly StaticClaim[];
  /** Why nothing is launched from the pool now: machines of its images do not join. */
  readonly closed: readonly ClosedImage[];
};

/** A pool with `replicas`. */
export function observeStaticPool(
  { objects, state }: StaticPoolSources,
  name: string,
  now: Instant,
): StaticPoolSnapshot | undefined {
  const nodePool = objects.nodePools.get(name);
  if (nodePool?.spec.replicas === undefined || !isManagedNodeClass(nodePool.spec.template.spec.nodeClassRef))
    return undefined;
  const stateOf = new Map(state.nodes().map((each) => [each.nodeClaim?.metadata.name, each]));
  const claims = objects.nodeClaims.by('nodePool', name).map((claim) => {
    const { pods = [], markedForDeletion = false } = stateOf.get(claim.metadata.name) ?? {};
    return { claim, pods, isReplaced: markedForDeletion };
  });
  return { nodePool, claims, closed: listClosedImages(objects, nodePool, now) };
}
