import { awsLabels, byText, karpenterLabels, type KubernetesObject, type Node, type NodeClaim } from '@nodewright/apis';
import type { FoundReservation, Instance } from '@nodewright/ports';
import { isManagedNodeClass } from '../../state/managed.ts';

/** Whether the end of its reservation may end the node of the claim. */
export const isInReservation = ({ metadata, spec }: NodeClaim): boolean =>
  metadata.deletionTimestamp === undefined &&
  isManagedNodeClass(spec.nodeClassRef) &&
  metadata.labels?.[awsLabels.capacityReservationId] !== undefined;

export const reservationIdOfClaim = ({ metadata }: NodeClaim): string =>
  metadata.labels?.[awsLabels.capacityReservationId] ?? '';

export const listReservationIds = (claims: readonly NodeClaim[]): readonly string[] =>
  [...new Set(claims.map(reservationIdOfClaim))].toSorted(byText);

/** The claims whose capacity block is about to end. */
export function planBlockEnds(
  claims: readonly NodeClaim[],
  found: readonly Pick<FoundReservation, 'id' | 'state'>[],
): readonly NodeClaim[] {
  const expiring = new Set(found.flatMap(({ id, state }) => (state === 'expiring' ? id : [])));
  return claims.filter((claim) => expiring.has(reservationIdOfClaim(claim)));
}

/** A claim and its node, one of which says reserved. */
export type ReservedClaim = { readonly claim: NodeClaim; readonly node: Node | undefined };

/** Whether claim and node are looked after. What is being deleted stays as it is. */
export const isReservedPair = ({ claim, node }: ReservedClaim): boolean =>
  (claim.status?.providerID ?? '') !== '' &&
  claim.metadata.deletionTimestamp === undefined &&
  isManagedNodeClass(claim.spec.nodeClassRef) &&
  (isReserved(claim) || (node !== undefined && isReserved(node)));

/** What still says reserved of an instance that has left its reservation, as it is to be. */
export type Demotion = {
  readonly about: NodeClaim;
  readonly claim?: { readonly before: NodeClaim; readonly after: NodeClaim };
  readonly node?: { readonly before: Node; readonly after: Node };
};

export function planDemotions(
  pairs: readonly ReservedClaim[],
  instances: readonly Pick<Instance, 'providerId' | 'capacityType'>[],
): readonly Demotion[] {
  const left = new Set(instances.flatMap((each) => (each.capacityType === 'on-demand' ? each.providerId : [])));
  return pairs
    .filter(({ claim }) => left.has(claim.status?.providerID ?? ''))
    .map(({ claim, node }) => ({
      about: claim,
      ...(isReserved(claim) && { claim: { before: claim, after: asOnDemand(claim) } }),
      ...(node !== undefined && isReserved(node) && { node: { before: node, after: asOnDemand(node) } }),
    }));
}

const isReserved = ({ metadata }: KubernetesObject): boolean =>
  metadata.labels?.[karpenterLabels.capacityType] === 'reserved';

const labelsOfReservation: ReadonlySet<string> = new Set([
  awsLabels.capacityReservationId,
  awsLabels.capacityReservationType,
  awsLabels.capacityReservationInterruptible,
]);

function asOnDemand<T extends KubernetesObject>(object: T): T {
  const kept = Object.entries(object.metadata.labels ?? {}).filter(([key]) => !labelsOfReservation.has(key));
  const labels = { ...Object.fromEntries(kept), [karpenterLabels.capacityType]: 'on-demand' };
  return { ...object, metadata: { ...object.metadata, labels } };
}
