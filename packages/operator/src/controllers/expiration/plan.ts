import { type DisruptionPause, fromTimestamp, type Instant, type NodeClaim } from '@nodewright/apis';
import { isManagedNodeClass } from '../../state/managed.ts';
import { claimExpiresAt } from '../node-claim/created-at.ts';

export type ExpirationPlan =
  | { readonly kind: 'none' }
  | { readonly kind: 'wait'; readonly until: Instant }
  /** Held by a pause: `until` is absent where it lasts until it is deleted. */
  | { readonly kind: 'paused'; readonly pause: DisruptionPause; readonly until?: Instant }
  | { readonly kind: 'expire' };

/**
 * No budget, no replacement up front; the claim's own term counts, not its pool's.
 * @param pause keeps nodes of the claim's pool from expiring
 */
export function planExpiration(claim: NodeClaim, now: Instant, pause?: DisruptionPause): ExpirationPlan {
  if (!isManagedNodeClass(claim.spec.nodeClassRef) || claim.metadata.deletionTimestamp !== undefined)
    return { kind: 'none' };
  const due = claimExpiresAt(claim);
  if (due === undefined) return { kind: 'none' };
  if (now < due) return { kind: 'wait', until: due };
  if (pause === undefined) return { kind: 'expire' };
  const { until } = pause.spec;
  return { kind: 'paused', pause, ...(until === undefined ? {} : { until: fromTimestamp(until) }) };
}
