import { karpenterLabels, type NodeClaim } from '@nodewright/apis';
import type { RepairPolicy } from '@nodewright/ports';
import { findClaimOfNode, findNodeOfClaim } from '../../state/node-identity.ts';
import type { Objects } from '../../state/objects.ts';
import type { RepairPeer, RepairSnapshot } from './plan.ts';

export type RepairSources = { readonly objects: Objects; readonly repairPolicies: readonly RepairPolicy[] };

export function observeRepair(
  { objects, repairPolicies: policies }: RepairSources,
  name: string,
): RepairSnapshot | undefined {
  const node = objects.nodes.get(name);
  if (node === undefined) return undefined;
  const claim = findClaimOfNode(objects, node);
  if (claim === undefined) return { node, claim, peers: [], policies, launchImages: undefined };
  return { node, claim, peers: peersOf(objects, claim), policies, launchImages: launchImagesOf(objects, claim) };
}

const launchImagesOf = ({ nodeClasses }: Objects, { spec }: NodeClaim): ReadonlySet<string> | undefined => {
  const amis = nodeClasses.get(spec.nodeClassRef.name)?.status?.amis;
  return amis && new Set(amis.map(({ id }) => id));
};

/** Of a NodePool by its claims: what a Node says of its NodePool does not count. */
function peersOf(objects: Objects, { metadata }: NodeClaim): readonly RepairPeer[] {
  const pool = metadata.labels?.[karpenterLabels.nodePool];
  if (pool === undefined)
    return objects.nodes.list().map((node) => ({ node, image: findClaimOfNode(objects, node)?.status?.imageID }));
  return objects.nodeClaims.by('nodePool', pool).flatMap((claim) => {
    const node = findNodeOfClaim(objects, claim);
    return node === undefined ? [] : { node, image: claim.status?.imageID };
  });
}
