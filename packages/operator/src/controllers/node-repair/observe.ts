import { karpenterLabels, type Node, type NodeClaim } from '@nodewright/apis';
import type { RepairPolicy } from '@nodewright/ports';
import { findClaimOfNode, findNodeOfClaim } from '../../state/node-identity.ts';
import type { Objects } from '../../state/objects.ts';
import type { RepairSnapshot } from './plan.ts';

export type RepairSources = { readonly objects: Objects; readonly repairPolicies: readonly RepairPolicy[] };

export function observeRepair(
  { objects, repairPolicies: policies }: RepairSources,
  name: string,
): RepairSnapshot | undefined {
  const node = objects.nodes.get(name);
  if (node === undefined) return undefined;
  const claim = findClaimOfNode(objects, node);
  return { node, claim, peers: claim === undefined ? [] : peersOf(objects, claim), policies };
}

/** Of a NodePool by its claims: what a Node says of its NodePool does not count. */
function peersOf(objects: Objects, { metadata }: NodeClaim): readonly Node[] {
  const pool = metadata.labels?.[karpenterLabels.nodePool];
  if (pool === undefined) return objects.nodes.list();
  return objects.nodeClaims.by('nodePool', pool).flatMap((claim) => findNodeOfClaim(objects, claim) ?? []);
}
