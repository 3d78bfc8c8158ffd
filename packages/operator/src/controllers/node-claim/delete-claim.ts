import type { NodeClaim } from '@nodewright/apis';
import type { GivingUp } from './action.ts';
import type { ClaimDeps, PerformedClaimAction } from './claim-deps.ts';
import { tellPool } from './registration-outcome.ts';
import { reportGivenUp, reportGivingUp } from './report.ts';

/** Gives a claim up: says why, and leaves the rest to its finalization. */
export async function deleteClaim(
  deps: ClaimDeps,
  claim: NodeClaim,
  deletion: GivingUp,
): Promise<PerformedClaimAction> {
  const { reason } = deletion;
  deps.publish(reportGivingUp(claim, deletion));
  if (reason === 'launch_timeout' || reason === 'registration_timeout') await tellPool(deps, claim, false);
  await deps.objects.nodeClaims.delete(claim);
  deps.publish(reportGivenUp(claim, deletion));
  return {};
}
