import type { NodeClaim } from '@nodewright/apis';
import type { GivingUp } from './action.ts';
import type { ClaimDeps, PerformedClaimAction } from './claim-deps.ts';
import { tellPool } from './registration-outcome.ts';
import { tellPoolOfReplacement } from './replacement-outcome.ts';
import { reportGivenUp, reportGivingUp, reportJoinFailure } from './report.ts';

/** Gives a claim up: says why, and leaves the rest to its finalization. */
export async function deleteClaim(
  deps: ClaimDeps,
  claim: NodeClaim,
  deletion: GivingUp,
): Promise<PerformedClaimAction> {
  const { reason } = deletion;
  deps.publish(reportGivingUp(claim, deletion));
  await tellPoolOfReplacement(deps, claim, { failedBecause: deletion.because });
  if (reason === 'launch_timeout' || reason === 'registration_timeout') {
    const { joinFailure } = await tellPool(deps, claim, false);
    if (joinFailure !== undefined) deps.publish(reportJoinFailure(joinFailure.pool, joinFailure.failure));
  }
  await deps.objects.nodeClaims.delete(claim);
  deps.publish(reportGivenUp(claim, deletion));
  return {};
}
