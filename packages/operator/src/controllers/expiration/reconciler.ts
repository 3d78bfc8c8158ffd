import { recheckAt, settled, type Clock, type Reconciler } from '@nodewright/runtime';
import type { Publisher } from '../../reporting/publisher.ts';
import type { Objects } from '../../state/objects.ts';
import { planExpiration } from './plan.ts';
import { reportExpired } from './report.ts';

type ExpirationDeps = { readonly objects: Objects; readonly clock: Clock; readonly publish: Publisher };

/** `nodeclaim.expiration`: deletes claims whose term is over. Keys are claim names. */
export function expirationReconciler({ objects, clock, publish }: ExpirationDeps): Reconciler {
  return async (name) => {
    const claim = objects.nodeClaims.get(name);
    if (claim === undefined) return settled;
    const plan = planExpiration(claim, clock.now());
    if (plan.kind === 'wait') return recheckAt(plan.until);
    if (plan.kind === 'none') return settled;
    await objects.nodeClaims.delete(claim);
    publish(reportExpired(claim));
    return settled;
  };
}
