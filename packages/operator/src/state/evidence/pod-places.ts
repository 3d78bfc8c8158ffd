import { variantOfClaim } from '../claim-variant.ts';
import { findClaimOfNode } from '../node-identity.ts';
import type { Objects } from '../objects.ts';
import { rolloutOfClaim } from '../rollout-seats.ts';
import type { EvidencePlaceOf } from './pod-evidence.ts';

/** Finds where a pod runs from the name of its node; nodes without a claim are nobody's evidence. */
export const podPlaces =
  (objects: Pick<Objects, 'nodes' | 'nodeClaims' | 'nodeClasses'>): EvidencePlaceOf =>
  (nodeName) => {
    const node = objects.nodes.get(nodeName);
    const claim = node === undefined ? undefined : findClaimOfNode(objects, node);
    const variant = claim === undefined ? undefined : variantOfClaim(objects, claim);
    const image = claim?.status?.imageID;
    if (claim === undefined || variant === undefined || image === undefined) return undefined;
    const rollout = rolloutOfClaim(claim);
    return { claim: claim.metadata.name, variant, image, ...(rollout === undefined ? {} : { rollout }) };
  };
