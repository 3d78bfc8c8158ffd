import { recheckAt, settled, type Reconciler } from '@nodewright/runtime';
import { observeClaim, type ClaimSources } from './observe.ts';
import type { ClaimDeps } from './claim-deps.ts';
import { performClaimAction } from './perform.ts';
import { planNodeClaim } from './plan.ts';

/** `nodeclaim.lifecycle`: from a claim to an initialized node, and back to nothing. Keys are claim names. */
export function claimReconciler(deps: ClaimDeps & Omit<ClaimSources, 'now'>): Reconciler {
  return async (name, signal) => {
    const seen = await observeClaim({ ...deps, now: deps.clock.now() }, name, signal);
    if (seen === undefined) return settled;
    const plan = planNodeClaim(seen, deps.clock.now());
    const done = plan.action === undefined ? {} : await performClaimAction(deps, seen.claim, plan.action, signal);
    return recheckAt(done.recheckAt ?? plan.recheckAt);
  };
}
