import type { NodeClaim } from '@nodewright/apis';

/** How logs name a claim. */
export const claimFields = ({ metadata, status }: NodeClaim) => ({
  NodeClaim: { name: metadata.name },
  'provider-id': status?.providerID,
});
