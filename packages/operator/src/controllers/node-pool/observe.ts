import type { ClusterState } from '../../state/cluster-state.ts';
import { isManagedNodeClass } from '../../state/managed.ts';
import type { Objects } from '../../state/objects.ts';
import type { PoolSnapshot } from './plan.ts';

export type NodePoolSources = { readonly objects: Objects; readonly state: ClusterState };

export function observeNodePool({ objects, state }: NodePoolSources, name: string): PoolSnapshot | undefined {
  const nodePool = objects.nodePools.get(name);
  if (nodePool === undefined || !isManagedNodeClass(nodePool.spec.template.spec.nodeClassRef)) return undefined;
  return {
    nodePool,
    nodeClass: objects.nodeClasses.get(nodePool.spec.template.spec.nodeClassRef.name),
    claims: objects.nodeClaims.by('nodePool', name),
    used: state.usageOf(name),
  };
}
