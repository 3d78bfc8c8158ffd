import { fromTimestamp, instant, type Instant, type NodeClaim, parseDurationOrNever } from '@nodewright/apis';

export const claimCreatedAt = (claim: NodeClaim): Instant =>
  claim.metadata.creationTimestamp === undefined ? instant(0) : fromTimestamp(claim.metadata.creationTimestamp);

/** When the claim's own `expireAfter` ends; absent for one that never expires. */
export function claimExpiresAt(claim: NodeClaim): Instant | undefined {
  const term = parseDurationOrNever(claim.spec.expireAfter ?? 'Never');
  return term === 'Never' ? undefined : instant(claimCreatedAt(claim) + term);
}
