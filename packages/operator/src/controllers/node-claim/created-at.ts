import { fromTimestamp, instant, type Instant, type NodeClaim } from '@nodewright/apis';

export const claimCreatedAt = (claim: NodeClaim): Instant =>
  claim.metadata.creationTimestamp === undefined ? instant(0) : fromTimestamp(claim.metadata.creationTimestamp);
