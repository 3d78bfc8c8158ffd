import { settled, type Reconciler } from '@nodewright/runtime';
import { isManagedNodeClass } from '../../state/managed.ts';
import { findClaimOfNode } from '../../state/node-identity.ts';
import type { Objects } from '../../state/objects.ts';
import { hasNodeClassLabel, withNodeClassLabel } from './plan.ts';

type HydrationDeps = { readonly objects: Objects };

/** `nodeclaim.hydration`: a claim that was created by hand gets the label of its class, too. Keys are claim names. */
export function claimHydration({ objects }: HydrationDeps): Reconciler {
  return async (name) => {
    const claim = objects.nodeClaims.get(name);
    if (claim === undefined || !isManagedNodeClass(claim.spec.nodeClassRef) || hasNodeClassLabel(claim)) return settled;
    await objects.nodeClaims.save(claim, withNodeClassLabel(claim, claim.spec.nodeClassRef.name));
    return settled;
  };
}

/** `node.hydration`: the same for a node whose claim is ours; its termination looks for the label. Keys are node names. */
export function nodeHydration({ objects }: HydrationDeps): Reconciler {
  return async (name) => {
    const node = objects.nodes.get(name);
    if (node === undefined || hasNodeClassLabel(node)) return settled;
    const claim = findClaimOfNode(objects, node);
    if (claim === undefined) return settled;
    await objects.nodes.save(node, withNodeClassLabel(node, claim.spec.nodeClassRef.name));
    return settled;
  };
}
