import { instant, parseDurationOrNever, type Instant, type NodeClaim } from '@nodewright/apis';
import { isManagedNodeClass } from '../../state/managed.ts';
import { claimCreatedAt } from '../node-claim/created-at.ts';

export type ExpirationPlan =
  | { readonly kind: 'none' }
  | { readonly kind: 'wait'; readonly until: Instant }
  | { readonly kind: 'expire' };

/** No budget, no replacement up front; the claim's own term counts, not its pool's. */
export function planExpiration(claim: NodeClaim, now: Instant): ExpirationPlan {
  if (!isManagedNodeClass(claim.spec.nodeClassRef) || claim.metadata.deletionTimestamp !== undefined)
    return { kind: 'none' };
  const term = parseDurationOrNever(claim.spec.expireAfter ?? 'Never');
  if (term === 'Never') return { kind: 'none' };
  const due = instant(claimCreatedAt(claim) + term);
  return now < due ? { kind: 'wait', until: due } : { kind: 'expire' };
}
