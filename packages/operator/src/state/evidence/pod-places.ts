import type { Node } from '@nodewright/apis';
import { variantOfClaim } from '../claim-variant.ts';
import { type GroupReadings, rolloutOfInstance } from '../group-readings.ts';
import { findClaimOfNode } from '../node-identity.ts';
import type { Objects } from '../objects.ts';
import { groupSourceOf } from '../rollout-governance.ts';
import { rolloutOfClaim } from '../rollout-seats.ts';
import type { EvidencePlaceOf } from './pod-evidence.ts';

/**
 * Finds where a pod runs from the name of its node: the claim of the node, or the instance of a node group. Other nodes are
 * no evidence.
 */
export const podPlaces =
  (
    objects: Pick<Objects, 'nodes' | 'nodeClaims' | 'nodeClasses' | 'rollouts'>,
    readings: Pick<GroupReadings, 'placeOf' | 'of'>,
  ): EvidencePlaceOf =>
  (nodeName) => {
    const node = objects.nodes.get(nodeName);
    if (node === undefined) return undefined;
    const claim = findClaimOfNode(objects, node);
    if (claim === undefined) return placeInGroup(objects, readings, node);
    const variant = variantOfClaim(objects, claim);
    const image = claim.status?.imageID;
    if (variant === undefined || image === undefined) return undefined;
    const rollout = rolloutOfClaim(claim);
    return { claim: claim.metadata.name, variant, image, ...(rollout === undefined ? {} : { rollout }) };
  };

function placeInGroup(
  { rollouts }: Pick<Objects, 'rollouts'>,
  readings: Pick<GroupReadings, 'placeOf' | 'of'>,
  { spec }: Node,
): ReturnType<EvidencePlaceOf> {
  const place = readings.placeOf(spec?.providerID?.split('/').at(-1) ?? '');
  const variant = place === undefined ? undefined : readings.of(place.group)?.variant;
  if (place === undefined || variant === undefined) return undefined;
  const { id, image } = place.instance;
  const rollout = rolloutOfInstance(rollouts.list(), groupSourceOf(place.group), place.instance);
  return { claim: id, variant, image, ...(rollout === undefined ? {} : { rollout }) };
}
