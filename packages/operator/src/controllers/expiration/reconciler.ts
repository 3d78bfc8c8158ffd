import { instant, parseDurationOrNever, type Instant, type NodeClaim } from '@nodewright/apis';
import { recheckAt, settled, type Clock, type Logger, type Reconciler } from '@nodewright/runtime';
import type { Counters } from '../../reporting/counters.ts';
import { isManagedNodeClass } from '../../state/managed.ts';
import type { Objects } from '../../state/objects.ts';
import { claimCreatedAt } from '../node-claim/created-at.ts';

type ExpirationDeps = {
  readonly objects: Objects;
  readonly clock: Clock;
  readonly log: Logger;
  readonly counters: Counters;
};

/** `nodeclaim.expiration`: no budget, no replacement up front; the claim's own term counts, not its pool's. */
export function expirationReconciler({ objects, clock, log, counters }: ExpirationDeps): Reconciler {
  return async (name) => {
    const claim = objects.nodeClaims.get(name);
    if (claim === undefined || !isManagedNodeClass(claim.spec.nodeClassRef)) return settled;
    const due = expirationOfClaim(claim);
    if (due === undefined || claim.metadata.deletionTimestamp !== undefined) return settled;
    if (clock.now() < due) return recheckAt(due);
    await objects.nodeClaims.delete(claim);
    log.debug('deleting expired nodeclaim', { NodeClaim: { name } });
    counters.claimDisrupted(claim, 'expired');
    return settled;
  };
}

/** When the claim has had its time; `undefined` for `Never`. */
export function expirationOfClaim(claim: NodeClaim): Instant | undefined {
  const term = parseDurationOrNever(claim.spec.expireAfter ?? 'Never');
  return term === 'Never' ? undefined : instant(claimCreatedAt(claim) + term);
}
