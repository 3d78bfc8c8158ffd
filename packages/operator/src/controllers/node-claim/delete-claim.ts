import type { NodeClaim } from '@nodewright/apis';
import * as reports from './report.ts';
import type { DeletionReason } from './action.ts';
import { tellPool } from './registration-outcome.ts';
import { claimFields, type ClaimDeps, type PerformedClaimAction } from './claim-deps.ts';

/** Gives a claim up: says why, and leaves the rest to its finalization. */
export async function deleteClaim(
  deps: ClaimDeps,
  claim: NodeClaim,
  { reason, because }: { readonly reason: DeletionReason; readonly because: string },
): Promise<PerformedClaimAction> {
  if (reason === 'insufficient_capacity') deps.report(reports.insufficientCapacity(claim, because));
  if (reason === 'nodeclass_not_ready') deps.report(reports.nodeClassNotReady(claim, because));
  if (reason !== 'registration_timeout')
    deps.log.error('failed launching nodeclaim', { ...claimFields(claim), error: because });
  if (reason === 'launch_timeout' || reason === 'registration_timeout') await tellPool(deps, claim, false);
  await deps.objects.nodeClaims.delete(claim);
  deps.counters.claimDisrupted(claim, reason);
  return {};
}
