import type { Instant, NodePool } from '@nodewright/apis';
import { type ClosedImage, listClosedImages } from '../../state/closed-images.ts';
import type { ClusterState } from '../../state/cluster-state.ts';
import { isManagedNodeClass } from '../../state/managed.ts';
import type { Objects } from '../../state/objects.ts';
import { specFingerprint } from '../../state/spec-fingerprint.ts';
import type { StaticClaim } from './plan.ts';
import type { StaticCreations } from './static-creations.ts';

export type StaticPoolSources = {
  readonly objects: Objects;
  readonly state: ClusterState;
  readonly creations: StaticCreations;
};

export type StaticPoolSnapshot = {
  readonly nodePool: NodePool;
  readonly claims: readonly StaticClaim[];
  /** Why nothing is launched from the pool now: machines of its images do not join. */
  readonly closed: readonly ClosedImage[];
  /** Tells the specs of pool and class from others. */
  readonly specs: string;
  /** Until when no claim is created, because the last ones were not launched. */
  readonly restsUntil?: Instant;
};

/** A pool with `replicas`. */
export function observeStaticPool(
  { objects, state, creations }: StaticPoolSources,
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
  const specs = specFingerprint(nodePool, objects.nodeClasses.get(nodePool.spec.template.spec.nodeClassRef.name));
  const restsUntil = creations.restsUntil(name, specs, now);
  return {
    nodePool,
    claims,
    closed: listClosedImages(objects, nodePool, now),
    specs,
    ...(restsUntil === undefined ? {} : { restsUntil }),
  };
}
