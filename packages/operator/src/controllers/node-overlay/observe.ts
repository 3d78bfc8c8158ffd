import type { NodeOverlay, NodePool } from '@nodewright/apis';
import type { PoolSupply } from '@nodewright/engine';
import { CloudError, type InstanceTypePort } from '@nodewright/ports';
import { isManagedNodeClass } from '../../state/managed.ts';
import type { Objects } from '../../state/objects.ts';

export type OverlaySources = { readonly objects: Objects; readonly instanceTypes: Pick<InstanceTypePort, 'list'> };

export type OverlaySnapshot = {
  readonly overlays: readonly NodeOverlay[];
  /** Every pool that could be launched from, as the cloud describes it. */
  readonly supplies: readonly PoolSupply[];
  /** Pools whose types could not be listed: nothing is launched from them until they can. */
  readonly failed: readonly { readonly nodePool: NodePool; readonly error: CloudError }[];
};

export async function observeOverlays(
  { objects, instanceTypes }: OverlaySources,
  signal: AbortSignal,
): Promise<OverlaySnapshot> {
  const supplies: PoolSupply[] = [];
  const failed: OverlaySnapshot['failed'][number][] = [];
  for (const nodePool of objects.nodePools.list()) {
    const { nodeClassRef } = nodePool.spec.template.spec;
    const nodeClass = isManagedNodeClass(nodeClassRef) ? objects.nodeClasses.get(nodeClassRef.name) : undefined;
    // Before its subnets are known there is nothing to list; the class tells when they are.
    if ((nodeClass?.status?.subnets ?? []).length === 0 || nodeClass === undefined) continue;
    try {
      supplies.push({ nodePool, instanceTypes: await instanceTypes.list(nodeClass, signal) });
    } catch (error) {
      if (!(error instanceof CloudError)) throw error;
      failed.push({ nodePool, error });
    }
  }
  return { overlays: objects.nodeOverlays.list(), supplies, failed };
}
