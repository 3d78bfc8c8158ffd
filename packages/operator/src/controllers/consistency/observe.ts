import { isConditionTrue, type Node, type NodeClaim } from '@nodewright/apis';
import { isManagedNodeClass } from '../../state/managed.ts';
import { findNodeOfClaim } from '../../state/node-identity.ts';
import type { Objects } from '../../state/objects.ts';

export type InitializedClaim = { readonly claim: NodeClaim; readonly node: Node };

/** An initialized claim that stays, and its node. */
export function observeInitializedClaim(objects: Objects, name: string): InitializedClaim | undefined {
  const claim = objects.nodeClaims.get(name);
  if (claim === undefined || !isManagedNodeClass(claim.spec.nodeClassRef)) return undefined;
  if (claim.metadata.deletionTimestamp !== undefined || !isConditionTrue(claim, 'Initialized')) return undefined;
  const node = findNodeOfClaim(objects, claim);
  return node === undefined ? undefined : { claim, node };
}
